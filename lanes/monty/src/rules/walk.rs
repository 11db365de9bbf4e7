//! The walk over a program, in the order in which it runs.
//!
//! For each use of a watched name: is it the program's own by then? Functions run later than they stand
//! there, so uses in them wait: for the name to be bound, or for the first statement that could call them.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprCall, Parameters, Pattern, Stmt, StmtIf, StmtImport,
    StmtImportFrom, StmtTry,
};
use ruff_text_size::TextSize;

use super::edits::{self, Edit};
use super::names::{
    INTERNAL, NEVER_FROM_MODULES, SCOPES_AS_DATA, WATCHED, bit, instead, instead_of_attribute, short,
};
use super::scopes::{self, Locals, Survey};
use super::{Rules, start};

/// What there is to say of a program: refusals in no order, and edits in that of the source.
#[derive(Default)]
pub(super) struct Found {
    pub(super) refused: Vec<(TextSize, String, String)>,
    pub(super) edits: Vec<Edit>,
}

pub(super) fn look(rules: &Rules, body: &[Stmt], inputs: &[&str], provided: &str) -> Found {
    let given = inputs.iter().fold(0, |mask, name| mask | bit(name).unwrap_or(0));
    let mut walk = Walk {
        rules,
        provided,
        survey: Survey::of(body),
        scopes: vec![Scope::Open { bound: given }],
        deferred: 0,
        waiting: Vec::new(),
        found: Found::default(),
    };
    for statement in body {
        walk.visit_stmt(statement);
        walk.settle(scopes::is_inert(statement));
    }
    walk.settle(false);
    walk.found
}

enum Scope {
    /// The top of the program, or a class: what is not bound yet is looked for further out.
    Open { bound: u8 },
    /// A function, a lambda or a comprehension.
    Closed(Locals),
}

struct Walk<'a> {
    rules: &'a Rules,
    provided: &'a str,
    survey: Survey<'a>,
    scopes: Vec<Scope>,
    /// How many functions are around that run later.
    deferred: usize,
    waiting: Vec<(u8, &'static str, TextSize)>,
    found: Found,
}

impl<'a> Walk<'a> {
    fn refuse(&mut self, place: TextSize, message: String, hint: &str) {
        self.found.refused.push((place, message, hint.to_owned()));
    }

    fn refuse_name(&mut self, name: &str, place: TextSize) {
        self.refuse(place, format!("`{name}` is not used in this lane"), instead(name));
    }

    /// A statement at the top is over. When it ran nothing, uses in functions can wait for a later one.
    fn settle(&mut self, inert: bool) {
        let bound = match self.scopes.first() {
            Some(Scope::Open { bound }) if inert => *bound & !self.survey.unbound,
            Some(Scope::Open { .. } | Scope::Closed(_)) | None => 0,
        };
        for (mask, name, place) in std::mem::take(&mut self.waiting) {
            if mask & bound != 0 {
                continue;
            }
            if inert {
                self.waiting.push((mask, name, place));
            } else {
                self.refuse_name(name, place);
            }
        }
    }

    fn use_name(&mut self, name: &str, place: TextSize) {
        let Some((mask, name)) = bit(name).zip(WATCHED.iter().find(|watched| **watched == name).copied())
        else {
            return;
        };
        let mut inner = true;
        for scope in self.scopes.iter().skip(1).rev() {
            match scope {
                Scope::Closed(locals) if locals.global & mask != 0 => break,
                Scope::Closed(locals) if locals.own & mask != 0 => return,
                // Functions in a class do not see its names.
                Scope::Open { bound } if inner && bound & mask != 0 => return,
                Scope::Closed(_) | Scope::Open { .. } => inner = false,
            }
        }
        let bound = match self.scopes.first() {
            Some(Scope::Open { bound }) => *bound & !self.survey.unbound,
            Some(Scope::Closed(_)) | None => 0,
        };
        if bound & mask != 0 {
            return;
        }
        if self.deferred > 0 {
            self.waiting.push((mask, name, place));
        } else {
            self.refuse_name(name, place);
        }
    }

    fn bind(&mut self, name: &str) {
        if let Some(Scope::Open { bound }) = self.scopes.last_mut() {
            *bound |= bit(name).unwrap_or(0);
        }
    }

    fn unbind(&mut self, name: &str) {
        if let Some(Scope::Open { bound }) = self.scopes.last_mut() {
            *bound &= !bit(name).unwrap_or(0);
        }
    }

    fn bound(&self) -> u8 {
        match self.scopes.last() {
            Some(Scope::Open { bound }) => *bound,
            Some(Scope::Closed(_)) | None => 0,
        }
    }

    fn set_bound(&mut self, mask: u8) {
        if let Some(Scope::Open { bound }) = self.scopes.last_mut() {
            *bound = mask;
        }
    }

    /// Walks what may not run, or not to its end: what it binds does not count afterwards.
    fn perhaps(&mut self, work: impl FnOnce(&mut Self)) {
        let before = self.bound();
        work(self);
        self.set_bound(before);
    }

    fn closed(&mut self, locals: Locals, work: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope::Closed(locals));
        work(self);
        self.scopes.pop();
    }

    fn later(&mut self, locals: Locals, work: impl FnOnce(&mut Self)) {
        self.deferred += 1;
        self.closed(locals, work);
        self.deferred -= 1;
    }

    /// Defaults and annotations, which are evaluated where the function stands.
    fn parameters(&mut self, parameters: &'a Parameters) {
        for parameter in parameters {
            parameter.annotation().into_iter().for_each(|annotation| self.visit_expr(annotation));
            parameter.default().into_iter().for_each(|default| self.visit_expr(default));
        }
    }

    fn import(&mut self, import: &'a StmtImport) {
        for alias in &import.names {
            if !self.rules.may_import(alias.name.as_str()) {
                self.refuse_import(alias.name.as_str(), start(alias));
            }
            self.bind(scopes::bound_by_import(alias));
        }
        if import.names.iter().any(|alias| alias.name.as_str() == "uuid") {
            self.found.edits.push(edits::of_import(import, self.provided));
        }
    }

    fn refuse_import(&mut self, module: &str, place: TextSize) {
        let hint = match module {
            "__future__" => "leave the line out: annotations are not evaluated here".to_owned(),
            "os" | "subprocess" => instead(module).to_owned(),
            _ => format!("imports are {}", self.rules.importable()),
        };
        self.refuse(place, format!("`{}` is not imported in this lane", short(module)), &hint);
    }

    fn import_from(&mut self, import: &'a StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        if import.level > 0 {
            let hint = "a program is one file: write what it needs into it";
            self.refuse(start(import), "a relative import has nothing to import from".to_owned(), hint);
        } else if !self.rules.may_import(module) {
            self.refuse_import(module, start(import));
        }
        for alias in &import.names {
            let name = alias.name.as_str();
            if NEVER_FROM_MODULES.contains(&name) || INTERNAL.contains(&name) {
                let message = format!("`{name}` is not taken out of a module in this lane");
                self.refuse(start(alias), message, instead_of_attribute(name));
            }
            self.bind(alias.asname.as_ref().map_or(name, |bound| bound.as_str()));
        }
        let is_star = import.names.iter().any(|alias| alias.name.as_str() == "*");
        if module == "uuid" && import.level == 0 && !is_star {
            self.found.edits.push(edits::of_import_from(import, self.provided));
        }
    }

    fn branches(&mut self, branch: &'a StmtIf) {
        self.visit_expr(&branch.test);
        let mut untaken = self.bound();
        self.visit_body(&branch.body);
        let mut after = self.bound();
        let mut complete = false;
        for clause in &branch.elif_else_clauses {
            self.set_bound(untaken);
            match &clause.test {
                Some(test) => self.visit_expr(test),
                None => complete = true,
            }
            untaken = self.bound();
            self.visit_body(&clause.body);
            after &= self.bound();
        }
        self.set_bound(if complete { after } else { after & untaken });
    }

    fn attempt(&mut self, attempt: &'a StmtTry) {
        let before = self.bound();
        self.visit_body(&attempt.body);
        self.visit_body(&attempt.orelse);
        let mut after = self.bound();
        for handler in &attempt.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            self.set_bound(before);
            handler.type_.iter().for_each(|kind| self.visit_expr(kind));
            handler.name.iter().for_each(|name| self.bind(name.as_str()));
            self.visit_body(&handler.body);
            handler.name.iter().for_each(|name| self.unbind(name.as_str()));
            after &= self.bound();
        }
        self.set_bound(before);
        self.visit_body(&attempt.finalbody);
        let last = self.bound();
        self.set_bound(after | last);
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], results: [Option<&'a Expr>; 2]) {
        // The first sequence is evaluated outside of the comprehension.
        generators.iter().take(1).for_each(|first| self.visit_expr(&first.iter));
        let own = scopes::of_comprehension(generators);
        self.closed(Locals { own, global: 0 }, |walk| {
            for (place, generator) in generators.iter().enumerate() {
                if place > 0 {
                    walk.visit_expr(&generator.iter);
                }
                walk.visit_expr(&generator.target);
                generator.ifs.iter().for_each(|test| walk.visit_expr(test));
            }
            results.into_iter().flatten().for_each(|result| walk.visit_expr(result));
        });
    }

    /// Something is taken out of an object by a name that is written there.
    fn take(&mut self, object: &Expr, name: &str, place: TextSize) {
        let from_module = self.is_module(object) && NEVER_FROM_MODULES.contains(&name);
        if from_module || INTERNAL.contains(&name) {
            self.refuse(place, format!("`{name}` is not reached in this lane"), instead_of_attribute(name));
        }
    }

    /// A module, or what is an attribute of one.
    fn is_module(&self, expression: &Expr) -> bool {
        let mut object = expression;
        while let Expr::Attribute(attribute) = object {
            object = &attribute.value;
        }
        matches!(object, Expr::Name(name) if self.survey.modules.contains(name.id.as_str()))
    }

    /// `getattr(x, "name")` and its kin are `x.name`; `globals().get("name")` is `globals()["name"]`.
    fn call(&mut self, call: &'a ExprCall) {
        let Some((name, place)) = call.arguments.args.iter().find_map(constant) else {
            return;
        };
        if let Expr::Attribute(method) = call.func.as_ref() {
            self.take_by_key(&method.value, name, place);
        } else if let Expr::Name(function) = call.func.as_ref()
            && ["getattr", "hasattr", "setattr", "delattr"].contains(&function.id.as_str())
            && let Some(object) = call.arguments.args.first()
        {
            self.take(object, name, place);
        }
    }

    /// Something is taken out of a dictionary of names.
    fn take_by_key(&mut self, object: &Expr, name: &str, place: TextSize) {
        let of_scope = matches!(object, Expr::Call(call) if matches!(call.func.as_ref(),
            Expr::Name(function) if SCOPES_AS_DATA.contains(&function.id.as_str())));
        if of_scope && (bit(name).is_some() || NEVER_FROM_MODULES.contains(&name)) {
            self.refuse_name(name, place);
        }
    }
}

/// A text that is written there, and where.
fn constant(expression: &Expr) -> Option<(&str, TextSize)> {
    let Expr::StringLiteral(literal) = expression else {
        return None;
    };
    Some((literal.value.to_str(), start(literal)))
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                function.type_params.iter().for_each(|parameters| self.visit_type_params(parameters));
                self.parameters(&function.parameters);
                function.returns.iter().for_each(|returns| self.visit_expr(returns));
                let locals = scopes::of_function(&function.parameters, &function.body);
                self.later(locals, |walk| walk.visit_body(&function.body));
                self.bind(function.name.as_str());
            }
            Stmt::ClassDef(class) => {
                class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                class.type_params.iter().for_each(|parameters| self.visit_type_params(parameters));
                class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
                self.scopes.push(Scope::Open { bound: 0 });
                self.visit_body(&class.body);
                self.scopes.pop();
                self.bind(class.name.as_str());
            }
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = assign.target.as_ref() {
                    self.use_name(&name.id, start(name));
                }
                self.visit_expr(&assign.value);
                self.visit_expr(&assign.target);
            }
            Stmt::AnnAssign(assign) => {
                assign.value.iter().for_each(|value| self.visit_expr(value));
                self.visit_expr(&assign.annotation);
                // An annotation alone binds nothing.
                if assign.value.is_some() || !assign.target.is_name_expr() {
                    self.visit_expr(&assign.target);
                }
            }
            Stmt::For(each) => {
                self.visit_expr(&each.iter);
                self.perhaps(|walk| {
                    walk.visit_expr(&each.target);
                    walk.visit_body(&each.body);
                });
                self.perhaps(|walk| walk.visit_body(&each.orelse));
            }
            Stmt::While(repeat) => {
                self.visit_expr(&repeat.test);
                self.perhaps(|walk| walk.visit_body(&repeat.body));
                self.perhaps(|walk| walk.visit_body(&repeat.orelse));
            }
            Stmt::If(branch) => self.branches(branch),
            Stmt::With(with) => {
                with.items.iter().for_each(|item| self.visit_with_item(item));
                // A context manager may swallow what stopped the body.
                self.perhaps(|walk| walk.visit_body(&with.body));
            }
            Stmt::Match(choice) => {
                self.visit_expr(&choice.subject);
                for case in &choice.cases {
                    self.perhaps(|walk| walk.visit_match_case(case));
                }
            }
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::Return(_)
            | Stmt::Delete(_)
            | Stmt::TypeAlias(_)
            | Stmt::Assign(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Expr(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::IpyEscapeCommand(_) => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) if name.ctx.is_load() => self.use_name(&name.id, start(name)),
            Expr::Name(name) if name.ctx.is_del() => self.unbind(&name.id),
            Expr::Name(name) => self.bind(&name.id),
            Expr::Named(named) => {
                self.visit_expr(&named.value);
                self.visit_expr(&named.target);
            }
            Expr::Lambda(lambda) => {
                let mut own = 0;
                if let Some(parameters) = &lambda.parameters {
                    self.parameters(parameters);
                    own = scopes::of_parameters(parameters);
                }
                self.later(Locals { own, global: 0 }, |walk| walk.visit_expr(&lambda.body));
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, [Some(&list.elt), None]),
            Expr::SetComp(set) => self.comprehension(&set.generators, [Some(&set.elt), None]),
            Expr::Generator(generator) => {
                self.comprehension(&generator.generators, [Some(&generator.elt), None]);
            }
            Expr::DictComp(dict) => {
                self.comprehension(&dict.generators, [dict.key.as_deref(), Some(&dict.value)]);
            }
            Expr::BoolOp(operation) => {
                operation.values.iter().take(1).for_each(|first| self.visit_expr(first));
                self.perhaps(|walk| operation.values.iter().skip(1).for_each(|value| walk.visit_expr(value)));
            }
            Expr::If(choice) => {
                self.visit_expr(&choice.test);
                self.perhaps(|walk| walk.visit_expr(&choice.body));
                self.perhaps(|walk| walk.visit_expr(&choice.orelse));
            }
            Expr::Compare(compare) => {
                self.visit_expr(&compare.left);
                compare.comparators.iter().take(1).for_each(|second| self.visit_expr(second));
                self.perhaps(|walk| {
                    compare.comparators.iter().skip(1).for_each(|more| walk.visit_expr(more))
                });
            }
            Expr::Attribute(attribute) => {
                self.take(&attribute.value, attribute.attr.as_str(), start(&attribute.attr));
                self.visit_expr(&attribute.value);
            }
            Expr::Subscript(subscript) => {
                if let Some((name, place)) = constant(&subscript.slice) {
                    self.take_by_key(&subscript.value, name, place);
                    if name == "__builtins__" {
                        self.refuse_name(name, place);
                    }
                }
                walk_expr(self, expression);
            }
            Expr::Call(call) => {
                self.call(call);
                walk_expr(self, expression);
            }
            Expr::BinOp(_)
            | Expr::UnaryOp(_)
            | Expr::Dict(_)
            | Expr::Set(_)
            | Expr::Await(_)
            | Expr::Yield(_)
            | Expr::YieldFrom(_)
            | Expr::FString(_)
            | Expr::TString(_)
            | Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
            | Expr::Starred(_)
            | Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Slice(_)
            | Expr::IpyEscapeCommand(_) => walk_expr(self, expression),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        scopes::captured(pattern).into_iter().for_each(|name| self.bind(name));
        walk_pattern(self, pattern);
    }
}
