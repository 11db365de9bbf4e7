//! Which watched names a piece of a program binds, and what of it can run other code.
//!
//! In a function, a name that is bound anywhere in it is local everywhere in it. At the top of a program
//! and in a class it is not: before it is bound, the builtin of that name is what is found.

use std::collections::HashSet;

use ruff_python_ast::visitor::{
    Visitor, walk_except_handler, walk_expr, walk_parameters, walk_pattern, walk_stmt,
};
use ruff_python_ast::{Comprehension, ExceptHandler, Expr, Parameters, Pattern, Stmt};

use super::names::{SCOPES_AS_DATA, bit};

/// Watched names that a function has as its own, and those that it takes from the top of the program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Locals {
    pub(super) own: u8,
    pub(super) global: u8,
}

/// Of a function: its parameters and what its body binds.
pub(super) fn of_function(parameters: &Parameters, body: &[Stmt]) -> Locals {
    let mut binder = Binder::default();
    binder.visit_body(body);
    let own = binder.bound | of_parameters(parameters);
    Locals { own: own & !binder.global & !binder.nonlocal, global: binder.global }
}

pub(super) fn of_parameters(parameters: &Parameters) -> u8 {
    parameters.iter().fold(0, |mask, parameter| mask | bit(parameter.name().as_str()).unwrap_or(0))
}

/// Of a comprehension: what its `for` parts bind.
pub(super) fn of_comprehension(generators: &[Comprehension]) -> u8 {
    let mut binder = Binder::default();
    generators.iter().for_each(|generator| binder.visit_expr(&generator.target));
    binder.bound
}

#[derive(Default)]
struct Binder {
    bound: u8,
    global: u8,
    nonlocal: u8,
    /// Inside of a comprehension only `:=` binds something here.
    in_comprehension: usize,
}

impl Binder {
    fn bind(&mut self, name: &str) {
        self.bound |= bit(name).unwrap_or(0);
    }
}

impl<'a> Visitor<'a> for Binder {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::FunctionDef(function) = statement {
            self.bind(function.name.as_str());
            function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
            walk_parameters(self, &function.parameters);
        } else if let Stmt::ClassDef(class) = statement {
            self.bind(class.name.as_str());
            class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
            class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
        } else if let Stmt::Import(import) = statement {
            import.names.iter().for_each(|alias| self.bind(bound_by_import(alias)));
        } else if let Stmt::ImportFrom(import) = statement {
            import.names.iter().for_each(|alias| {
                self.bind(alias.asname.as_ref().map_or(alias.name.as_str(), |name| name.as_str()));
            });
        } else if let Stmt::Global(global) = statement {
            self.global |= global.names.iter().fold(0, |mask, name| mask | bit(name).unwrap_or(0));
        } else if let Stmt::Nonlocal(nonlocal) = statement {
            self.nonlocal |= nonlocal.names.iter().fold(0, |mask, name| mask | bit(name).unwrap_or(0));
        } else {
            walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            if !name.ctx.is_load() && self.in_comprehension == 0 {
                self.bind(&name.id);
            }
        } else if let Expr::Named(named) = expression {
            if let Expr::Name(name) = named.target.as_ref() {
                self.bind(&name.id);
            }
            self.visit_expr(&named.value);
        } else if let Expr::Lambda(lambda) = expression {
            lambda.parameters.iter().for_each(|parameters| walk_parameters(self, parameters));
        } else if is_comprehension(expression) {
            self.in_comprehension += 1;
            walk_expr(self, expression);
            self.in_comprehension -= 1;
        } else {
            walk_expr(self, expression);
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        inner.name.iter().for_each(|name| self.bind(name.as_str()));
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        captured(pattern).into_iter().for_each(|name| self.bind(name));
        walk_pattern(self, pattern);
    }
}

/// The name that `import a.b` or `import a.b as c` binds.
pub(super) fn bound_by_import(alias: &ruff_python_ast::Alias) -> &str {
    match &alias.asname {
        Some(name) => name.as_str(),
        None => alias.name.as_str().split('.').next().unwrap_or_default(),
    }
}

/// The name that this part of a pattern binds.
pub(super) fn captured(pattern: &Pattern) -> Option<&str> {
    let name = match pattern {
        Pattern::MatchAs(part) => part.name.as_ref(),
        Pattern::MatchStar(part) => part.name.as_ref(),
        Pattern::MatchMapping(part) => part.rest.as_ref(),
        Pattern::MatchValue(_)
        | Pattern::MatchSingleton(_)
        | Pattern::MatchSequence(_)
        | Pattern::MatchClass(_)
        | Pattern::MatchOr(_) => None,
    };
    name.map(|name| name.as_str())
}

pub(super) fn is_comprehension(expression: &Expr) -> bool {
    matches!(expression, Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_))
}

/// What has to be known of the whole program before it is walked.
#[derive(Default)]
pub(super) struct Survey<'a> {
    /// Watched names that may stop being bound: taken away, or held only while an exception is handled.
    pub(super) unbound: u8,
    /// Names that stand for modules, anywhere.
    pub(super) modules: HashSet<&'a str>,
}

impl<'a> Survey<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut survey = Self::default();
        survey.visit_body(body);
        if !survey.modules.is_empty() {
            // For a name of a module that is passed on before its import is met.
            survey.visit_body(body);
        }
        survey
    }
}

impl<'a> Visitor<'a> for Survey<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Import(import) = statement {
            self.modules.extend(import.names.iter().map(bound_by_import));
        } else if let Stmt::Assign(assign) = statement
            && let Expr::Name(value) = assign.value.as_ref()
            && self.modules.contains(value.id.as_str())
        {
            for target in &assign.targets {
                if let Expr::Name(name) = target {
                    self.modules.insert(name.id.as_str());
                }
            }
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            if name.ctx.is_del() {
                self.unbound |= bit(&name.id).unwrap_or(0);
            }
            // With the scope as a dictionary anything can be taken away.
            if SCOPES_AS_DATA.contains(&name.id.as_str()) {
                self.unbound = u8::MAX;
            }
        }
        walk_expr(self, expression);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.unbound |= inner.name.as_ref().and_then(|name| bit(name.as_str())).unwrap_or(0);
        walk_except_handler(self, handler);
    }
}

/// Whether a statement at the top of a program runs no function of the program.
pub(super) fn is_inert(statement: &Stmt) -> bool {
    match statement {
        Stmt::FunctionDef(function) => {
            function.decorator_list.is_empty()
                && function.type_params.is_none()
                && function.returns.iter().all(|returns| is_plain(returns))
                && function.parameters.iter().all(|parameter| {
                    parameter.default().is_none_or(is_plain) && parameter.annotation().is_none_or(is_plain)
                })
        }
        Stmt::ClassDef(class) => {
            class.decorator_list.is_empty() && class.arguments.is_none() && class.body.iter().all(is_inert)
        }
        Stmt::Assign(assign) => {
            is_plain(&assign.value) && assign.targets.iter().all(|target| matches!(target, Expr::Name(_)))
        }
        Stmt::AnnAssign(assign) => {
            is_plain(&assign.annotation)
                && assign.value.iter().all(|value| is_plain(value))
                && matches!(assign.target.as_ref(), Expr::Name(_))
        }
        Stmt::Expr(expression) => is_plain(&expression.value),
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) | Stmt::Global(_) | Stmt::Nonlocal(_) => true,
        Stmt::Return(_)
        | Stmt::Delete(_)
        | Stmt::TypeAlias(_)
        | Stmt::AugAssign(_)
        | Stmt::For(_)
        | Stmt::While(_)
        | Stmt::If(_)
        | Stmt::With(_)
        | Stmt::Match(_)
        | Stmt::Raise(_)
        | Stmt::Try(_)
        | Stmt::Assert(_)
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::IpyEscapeCommand(_) => false,
    }
}

/// Whether an expression calls nothing: constants, names, and displays of them.
fn is_plain(expression: &Expr) -> bool {
    match expression {
        Expr::List(list) => list.elts.iter().all(is_plain),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_plain),
        Expr::Dict(dict) => {
            // Keys are hashed, which only names of own objects can answer by a call.
            dict.items.iter().all(|item| {
                item.key.as_ref().is_some_and(|key| key.is_literal_expr()) && is_plain(&item.value)
            })
        }
        Expr::UnaryOp(unary) => unary.operand.is_number_literal_expr(),
        Expr::Name(_) | Expr::Lambda(_) => true,
        Expr::BoolOp(_)
        | Expr::Named(_)
        | Expr::BinOp(_)
        | Expr::If(_)
        | Expr::Set(_)
        | Expr::ListComp(_)
        | Expr::SetComp(_)
        | Expr::DictComp(_)
        | Expr::Generator(_)
        | Expr::Await(_)
        | Expr::Yield(_)
        | Expr::YieldFrom(_)
        | Expr::Compare(_)
        | Expr::Call(_)
        | Expr::FString(_)
        | Expr::TString(_)
        | Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_)
        | Expr::Attribute(_)
        | Expr::Subscript(_)
        | Expr::Starred(_)
        | Expr::Slice(_)
        | Expr::IpyEscapeCommand(_) => expression.is_literal_expr(),
    }
}
