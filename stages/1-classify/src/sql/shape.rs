//! What a parsed statement is made of.
//!
//! One walk over the tree. Kinds of statements, table expressions and functions are listed, so a
//! construct that a later version of the parser learns is not understood until it is listed too.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use call::{Access, table_name};
use sqlparser::ast::{
    AccessExpr, BinaryOperator, DataType, Delete, Expr, FromTable, Function, FunctionArguments, Insert,
    ObjectName, OnInsert, Query, Select, SetExpr, Statement as Tree, TableFactor, TableObject,
    TableWithJoins, Update, UpdateTableFromKind, Visit, Visitor, With,
};

use super::{Flavour, NotUnderstood, Statement, functions, names};

/// What a statement would do, or the construct that is not understood.
pub(super) fn of(tree: &Tree, flavour: Flavour) -> Result<Statement, NotUnderstood> {
    if let Tree::Explain { statement, .. } = tree {
        let inner = of_plain(statement, flavour)?;
        return match inner.access {
            Access::Read => Ok(inner),
            Access::Write => {
                Err(NotUnderstood::new("EXPLAIN of a statement that changes something", "explain a SELECT"))
            }
        };
    }
    of_plain(tree, flavour)
}

fn of_plain(tree: &Tree, flavour: Flavour) -> Result<Statement, NotUnderstood> {
    let mut walk = Walk {
        flavour,
        targets: Vec::new(),
        called: Vec::new(),
        scopes: Vec::new(),
        read: BTreeSet::new(),
        written: BTreeSet::new(),
    };
    if let ControlFlow::Break(stop) = tree.visit(&mut walk) {
        return Err(*stop);
    }
    let access = if walk.written.is_empty() { Access::Read } else { Access::Write };
    Ok(Statement { read: walk.read, written: walk.written, access })
}

struct Walk {
    flavour: Flavour,
    /// Addresses of the names that a statement changes, noted before they are visited.
    targets: Vec<*const ObjectName>,
    /// Addresses of names that stand where a table stands and are functions.
    called: Vec<*const ObjectName>,
    scopes: Vec<Scope>,
    read: BTreeSet<String>,
    written: BTreeSet<String>,
}

/// The names that one query gives to its common table expressions.
struct Scope {
    names: Vec<String>,
    bodies: Vec<*const Query>,
    recursive: bool,
    /// How many of the names mean something at this point of the walk: inside the body of one of
    /// them only those before it, unless they may be recursive.
    visible: usize,
}

type Flow = ControlFlow<Box<NotUnderstood>>;

fn stop(construct: impl Into<String>, remedy: &'static str) -> Flow {
    ControlFlow::Break(Box::new(NotUnderstood::new(construct, remedy)))
}

fn flow(result: Result<(), NotUnderstood>) -> Flow {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(Box::new(error)),
    }
}

const ONLY: &str = "use SELECT, VALUES, INSERT, UPDATE or DELETE";
const LEAVE_OUT: &str = "leave it out";

impl Visitor for Walk {
    type Break = Box<NotUnderstood>;

    fn pre_visit_statement(&mut self, tree: &Tree) -> Flow {
        if let Tree::Query(_) = tree {
            return ControlFlow::Continue(());
        }
        let target = if let Tree::Insert(insert) = tree {
            insert_target(insert)
        } else if let Tree::Update(update) = tree {
            update_target(update)
        } else if let Tree::Delete(delete) = tree {
            delete_target(delete)
        } else {
            let text = tree.to_string();
            let verb: String = text.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
            return stop(format!("{verb} is not a statement that is understood"), ONLY);
        };
        match target {
            Ok(name) => {
                self.targets.push(std::ptr::from_ref(name));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Box::new(error)),
        }
    }

    fn pre_visit_query(&mut self, query: &Query) -> Flow {
        if !query.locks.is_empty() {
            return stop("FOR UPDATE or FOR SHARE locks rows", LEAVE_OUT);
        }
        if query.for_clause.is_some() || query.settings.is_some() || query.format_clause.is_some() {
            return stop("FOR XML, FOR JSON, SETTINGS or FORMAT", LEAVE_OUT);
        }
        if !query.pipe_operators.is_empty() {
            return stop("a pipe operator", LEAVE_OUT);
        }
        if let Err(error) = check_body(&query.body) {
            return ControlFlow::Break(Box::new(error));
        }
        let here = std::ptr::from_ref(query);
        if let Some(scope) = self.scopes.last_mut()
            && let Some(place) = scope.bodies.iter().position(|&body| body == here)
        {
            scope.visible = if scope.recursive { scope.names.len() } else { place };
        }
        let scope = query.with.as_ref().map_or_else(Scope::empty, |with| Scope::of(with, self.flavour));
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> Flow {
        self.scopes.pop();
        let here = std::ptr::from_ref(query);
        if let Some(scope) = self.scopes.last_mut()
            && scope.bodies.contains(&here)
        {
            scope.visible = scope.names.len();
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> Flow {
        if select.into.is_some() {
            return stop("SELECT INTO makes a table", "leave out INTO");
        }
        if !select.lateral_views.is_empty() || select.prewhere.is_some() || !select.connect_by.is_empty() {
            return stop("a clause that this database does not have", LEAVE_OUT);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> Flow {
        if let TableFactor::Table { name, args, with_hints, partitions, json_path, .. } = factor {
            if !with_hints.is_empty() || !partitions.is_empty() || json_path.is_some() {
                return stop("a hint, partition or path behind a table", LEAVE_OUT);
            }
            if args.is_some() {
                self.called.push(std::ptr::from_ref(name));
            }
            return ControlFlow::Continue(());
        }
        if let TableFactor::Function { name, .. } = factor {
            return flow(self.check_table_function(name));
        }
        if let TableFactor::TableFunction { .. } = factor {
            return stop("TABLE(…)", "select from a table");
        }
        let plain = matches!(
            factor,
            TableFactor::Derived { .. } | TableFactor::NestedJoin { .. } | TableFactor::UNNEST { .. }
        );
        if plain {
            ControlFlow::Continue(())
        } else {
            stop("a table expression that is not understood", "select from a table or a subquery")
        }
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> Flow {
        let here = std::ptr::from_ref(name);
        if self.called.contains(&here) {
            return flow(self.check_table_function(name));
        }
        let parts = match names::parts(name, self.flavour) {
            Ok(parts) => parts,
            Err(error) => return ControlFlow::Break(Box::new(error)),
        };
        if let Some(last) = parts.last()
            && functions::is_harmful_table(last, self.flavour)
        {
            return stop(format!("`{last}` shows more than data"), "select from a table of your own");
        }
        let shown = table_name(names::telling(&parts, self.flavour));
        if self.targets.contains(&here) {
            self.written.insert(shown);
        } else if !matches!(parts.as_slice(), [name] if self.is_common_table(name)) {
            self.read.insert(shown);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> Flow {
        if let Expr::Function(function) = expr {
            return flow(self.check_function(function));
        }
        // PostgreSQL takes `(x).f` for `f(x)` when `x` has no field of that name.
        if let Expr::CompoundFieldAccess { access_chain, .. } = expr
            && access_chain.iter().any(|access| matches!(access, AccessExpr::Dot(_)))
        {
            return stop(
                "a field of an expression may be a function in disguise",
                "name a column of a table",
            );
        }
        if let Expr::BinaryOp { op, .. }
        | Expr::AnyOp { compare_op: op, .. }
        | Expr::AllOp { compare_op: op, .. } = expr
            && matches!(op, BinaryOperator::Custom(_) | BinaryOperator::PGCustomBinaryOperator(_))
        {
            return stop("an operator of one's own is a function in disguise", "use one that SQL has");
        }
        if let Expr::Cast { data_type, .. } | Expr::Convert { data_type: Some(data_type), .. } = expr {
            return flow(self.check_type(data_type));
        }
        if let Expr::TypedString(typed) = expr {
            return flow(self.check_type(&typed.data_type));
        }
        ControlFlow::Continue(())
    }
}

impl Scope {
    const fn empty() -> Self {
        Self { names: Vec::new(), bodies: Vec::new(), recursive: false, visible: 0 }
    }

    fn of(with: &With, flavour: Flavour) -> Self {
        let names: Vec<String> =
            with.cte_tables.iter().map(|cte| names::folded(&cte.alias.name, flavour)).collect();
        let bodies = with.cte_tables.iter().map(|cte| std::ptr::from_ref(cte.query.as_ref())).collect();
        Self { visible: names.len(), names, bodies, recursive: with.recursive }
    }
}

impl Walk {
    fn is_common_table(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.names.iter().take(scope.visible).any(|known| known == name))
    }

    fn check_function(&self, function: &Function) -> Result<(), NotUnderstood> {
        if function.uses_odbc_syntax || !matches!(function.parameters, FunctionArguments::None) {
            return Err(NotUnderstood::new(
                "a function in a syntax that this database does not have",
                LEAVE_OUT,
            ));
        }
        let name = self.function_name(&function.name)?;
        if functions::is_harmless(&name, self.flavour) {
            return Ok(());
        }
        Err(NotUnderstood::new(
            format!("the function `{}` is not known to be harmless", short(&name)),
            "use functions that only compute",
        ))
    }

    fn check_table_function(&self, name: &ObjectName) -> Result<(), NotUnderstood> {
        let name = self.function_name(name)?;
        if functions::is_harmless_table(&name, self.flavour) {
            return Ok(());
        }
        Err(NotUnderstood::new(
            format!("the table function `{}` is not known to be harmless", short(&name)),
            "select from a table",
        ))
    }

    /// The name of a function, without the schema that PostgreSQL keeps its own in.
    fn function_name(&self, name: &ObjectName) -> Result<String, NotUnderstood> {
        let mut parts = names::parts(name, self.flavour)?;
        let own =
            self.flavour == Flavour::PostgreSql && parts.first().is_some_and(|part| part == "pg_catalog");
        let last = parts.pop().unwrap_or_default();
        if parts.is_empty() || (own && parts.len() == 1) {
            return Ok(last);
        }
        Err(NotUnderstood::new("a function of a schema of one's own", "use functions that only compute"))
    }

    fn check_type(&self, data_type: &DataType) -> Result<(), NotUnderstood> {
        let mut data_type = data_type;
        while let DataType::Array(sqlparser::ast::ArrayElemTypeDef::SquareBracket(inner, _)) = data_type {
            data_type = inner;
        }
        let DataType::Custom(name, _) = data_type else { return Ok(()) };
        // SQLite takes any word for a type and runs nothing for it.
        if self.flavour == Flavour::Sqlite || functions::is_harmless_type(&self.function_name(name)?) {
            return Ok(());
        }
        Err(NotUnderstood::new("a type that is not known", "cast to a type that the database comes with"))
    }
}

fn short(name: &str) -> String {
    name.chars().take(64).collect()
}

fn check_body(body: &SetExpr) -> Result<(), NotUnderstood> {
    // Chains of UNION hang to the left; the right side of each is looked at when it is a query.
    let mut body = body;
    loop {
        match body {
            SetExpr::SetOperation { left, right, .. } => {
                if let SetExpr::SetOperation { .. } = right.as_ref() {
                    check_body(right)?;
                } else {
                    check_leaf(right)?;
                }
                body = left;
            }
            leaf @ (SetExpr::Select(_)
            | SetExpr::Query(_)
            | SetExpr::Values(_)
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_)
            | SetExpr::Table(_)) => return check_leaf(leaf),
        }
    }
}

fn check_leaf(body: &SetExpr) -> Result<(), NotUnderstood> {
    match body {
        SetExpr::Table(_) => Err(NotUnderstood::new("TABLE as a statement", "write SELECT * FROM it")),
        SetExpr::Merge(_) => Err(NotUnderstood::new("MERGE is not a statement that is understood", ONLY)),
        // Statements in here are visited as statements, and queries as queries.
        SetExpr::Select(_)
        | SetExpr::Query(_)
        | SetExpr::SetOperation { .. }
        | SetExpr::Values(_)
        | SetExpr::Insert(_)
        | SetExpr::Update(_)
        | SetExpr::Delete(_) => Ok(()),
    }
}

fn insert_target(insert: &Insert) -> Result<&ObjectName, NotUnderstood> {
    let odd = insert.overwrite
        || insert.partitioned.is_some()
        || !insert.after_columns.is_empty()
        || insert.output.is_some()
        || insert.settings.is_some()
        || insert.format_clause.is_some()
        || insert.multi_table_insert_type.is_some()
        || !insert.multi_table_into_clauses.is_empty()
        || !insert.multi_table_when_clauses.is_empty()
        || insert.multi_table_else_clause.is_some()
        || matches!(insert.on, Some(OnInsert::DuplicateKeyUpdate(_)));
    if odd {
        return Err(NotUnderstood::new(
            "an INSERT that this database does not have",
            "write INSERT INTO table",
        ));
    }
    if let TableObject::TableName(name) = &insert.table {
        return Ok(name);
    }
    Err(NotUnderstood::new("an INSERT into something that is no table", "write INSERT INTO table"))
}

fn update_target(update: &Update) -> Result<&ObjectName, NotUnderstood> {
    if update.output.is_some() || matches!(update.from, Some(UpdateTableFromKind::BeforeSet(_))) {
        return Err(NotUnderstood::new(
            "an UPDATE that this database does not have",
            "write UPDATE table SET",
        ));
    }
    table_alone(&update.table)
        .ok_or_else(|| NotUnderstood::new("an UPDATE of more than one table", "write UPDATE table SET"))
}

fn delete_target(delete: &Delete) -> Result<&ObjectName, NotUnderstood> {
    let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
    if let [table] = from.as_slice()
        && delete.tables.is_empty()
        && delete.output.is_none()
        && let Some(name) = table_alone(table)
    {
        return Ok(name);
    }
    Err(NotUnderstood::new("a DELETE from more than one table", "write DELETE FROM table"))
}

/// The name of a table that stands there by itself.
fn table_alone(table: &TableWithJoins) -> Option<&ObjectName> {
    match &table.relation {
        TableFactor::Table { name, args: None, .. } if table.joins.is_empty() => Some(name),
        TableFactor::Table { .. }
        | TableFactor::Derived { .. }
        | TableFactor::TableFunction { .. }
        | TableFactor::Function { .. }
        | TableFactor::UNNEST { .. }
        | TableFactor::JsonTable { .. }
        | TableFactor::OpenJsonTable { .. }
        | TableFactor::NestedJoin { .. }
        | TableFactor::Pivot { .. }
        | TableFactor::Unpivot { .. }
        | TableFactor::UnpivotExpr { .. }
        | TableFactor::MatchRecognize { .. }
        | TableFactor::XmlTable { .. }
        | TableFactor::SemanticView { .. } => None,
    }
}
