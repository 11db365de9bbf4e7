//! The names that the rule is about, and what to do instead of using them.

/// Names that mean something refused, unless the program has bound them itself. A set of them is a mask
/// with a bit for each, in this order.
pub(super) const WATCHED: [&str; 8] =
    ["eval", "exec", "compile", "__import__", "open", "os", "subprocess", "__builtins__"];

/// Modules that no policy adds: they are refused by name, or hand out what is.
pub(super) const NEVER_MODULES: [&str; 5] = ["os", "subprocess", "builtins", "importlib", "posix"];

/// What is not taken out of a module, although some modules of CPython have it: `uuid.os` is `os`.
pub(super) const NEVER_FROM_MODULES: [&str; 11] = [
    "os",
    "subprocess",
    "builtins",
    "importlib",
    "posix",
    "sys",
    "eval",
    "exec",
    "open",
    "__import__",
    "__dict__",
];

/// Attributes that lead from any object to the builtins: `print.__self__` is their module, a frame and a
/// function have its names. No honest program needs one.
pub(super) const INTERNAL: [&str; 14] = [
    "__builtins__",
    "__import__",
    "__globals__",
    "__subclasses__",
    "__loader__",
    "__spec__",
    "__self__",
    "__code__",
    "__getattribute__",
    "f_globals",
    "f_builtins",
    "gi_frame",
    "cr_frame",
    "tb_frame",
];

/// Builtins that give the names of a scope as a dictionary.
pub(super) const SCOPES_AS_DATA: [&str; 3] = ["globals", "locals", "vars"];

pub(super) const DEEP: &str = "use several statements, a list or a loop";

const INTERNAL_HINT: &str = "what leads into the interpreter is not for programs: leave it out";

/// Pieces of text without which a program has nothing that could be refused: keywords and names of the
/// rule, and what can spell them otherwise.
pub(super) const SIGNS: [&str; 14] = [
    "import",
    "eval",
    "exec",
    "compile",
    "open",
    "os",
    "subprocess",
    "sys",
    "builtins",
    "__",
    "_frame",
    "f_globals",
    "f_builtins",
    "\\",
];

/// The bit of a watched name.
pub(super) fn bit(name: &str) -> Option<u8> {
    let place = WATCHED.iter().position(|watched| *watched == name)?;
    1_u8.checked_shl(u32::try_from(place).ok()?)
}

/// What to do instead of using a watched name.
pub(super) fn instead(name: &str) -> &'static str {
    match name {
        "eval" => "write the expression itself, or read data with `json.loads`",
        "exec" => "write the statements themselves",
        "compile" => "write the code itself; for a pattern, `re.compile`",
        "__import__" => "write an `import` statement",
        "open" => "there are no files: give the content as an input, and end with the result",
        "os" | "subprocess" => "there is no system to ask: give what is needed as an input",
        _ => INTERNAL_HINT,
    }
}

/// What to do instead of taking something out of a module or an object.
pub(super) fn instead_of_attribute(name: &str) -> &'static str {
    if INTERNAL.contains(&name) || name == "__dict__" { INTERNAL_HINT } else { instead(name) }
}

/// Text of the program, short enough for a message.
pub(super) fn short(text: &str) -> String {
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    let mut short: String = text.chars().map(visible).take(120).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
