//! The import and builtin rule, row by row: what is refused and where, and the honest twin that is not.

use monty_lane::rules::{BadModule, MAX_SOURCE, Rules};
use proptest::collection::vec;
use proptest::{prop_assert, prop_assert_eq, proptest, sample};

#[test]
fn plain_programs_are_told_by_their_text() {
    for source in ["", "x + y * 2", "def f(n): return n\nf(3)", "[n for n in range(3)]", "print('a')"] {
        assert!(Rules::is_plain(source), "{source}");
        allows(source);
    }
    let long = "x".repeat(MAX_SOURCE + 1);
    let deep = "1+".repeat(2_000);
    for source in
        ["import math", "position", "x.__y__", "'\\x65'", "\u{ff45}val", long.as_str(), deep.as_str()]
    {
        assert!(!Rules::is_plain(source), "{source}");
    }
}

/// The places and first words of what is refused.
fn refused(rules: &Rules, source: &str, inputs: &[&str]) -> Vec<String> {
    match rules.check(source, inputs) {
        Ok(_) => Vec::new(),
        Err(refusals) => refusals
            .into_iter()
            .map(|refusal| {
                assert!(!refusal.hint.is_empty(), "{refusal}");
                format!("{}:{} {}", refusal.line, refusal.column, refusal.message)
            })
            .collect(),
    }
}

#[track_caller]
fn refuses(source: &str, place: &str, what: &str) {
    let found = refused(&Rules::default(), source, &[]);
    let wanted = found.iter().any(|found| found.starts_with(&format!("{place} ")) && found.contains(what));
    assert!(wanted, "{source:?}: wanted {what:?} at {place}, got {found:?}");
}

#[track_caller]
fn allows(source: &str) {
    let found = refused(&Rules::default(), source, &[]);
    assert!(found.is_empty(), "{source:?}: {found:?}");
}

#[test]
fn no_spelling_of_an_import_brings_in_another_module() {
    let cases = [
        ("import os", "1:8", "`os`"),
        ("import os.path", "1:8", "`os.path`"),
        ("import os as math", "1:8", "`os`"),
        ("import math, os, json", "1:14", "`os`"),
        ("from os import path", "1:1", "`os`"),
        ("from os.path import join as math", "1:1", "`os.path`"),
        ("from os import *", "1:1", "`os`"),
        ("import subprocess as s", "1:8", "`subprocess`"),
        ("import importlib", "1:8", "`importlib`"),
        ("from importlib import import_module", "1:1", "`importlib`"),
        ("import builtins", "1:8", "`builtins`"),
        ("import json.decoder", "1:8", "`json.decoder`"),
        ("from json.decoder import scanner", "1:1", "`json.decoder`"),
        ("from . import math", "1:1", "relative"),
        ("from .math import pi", "1:1", "relative"),
        ("from .. import json", "1:1", "relative"),
        ("import sys", "1:8", "`sys`"),
        ("import random", "1:8", "`random`"),
        ("import mathx", "1:8", "`mathx`"),
        ("import Math", "1:8", "`Math`"),
        ("from __future__ import annotations", "1:1", "`__future__`"),
        ("x = 1\nif x:\n    def f():\n        import socket\n", "4:16", "`socket`"),
        ("class A:\n    import ctypes\n", "2:12", "`ctypes`"),
        ("try:\n    import numpy\nexcept ImportError:\n    pass", "2:12", "`numpy`"),
        ("import\\\n os", "2:2", "`os`"),
        ("x = 1; import os", "1:15", "`os`"),
        ("\u{feff}import os", "1:8", "`os`"),
        ("# \u{e9}\r\nimport os", "2:8", "`os`"),
        // Full-width letters are the same names to Python.
        ("import \u{ff4f}\u{ff53}", "1:8", "`os`"),
        ("from uuid import os", "1:18", "`os`"),
        ("from json import sys as s", "1:18", "`sys`"),
        ("__import__('os')", "1:1", "`__import__`"),
        ("i = __import__", "1:5", "`__import__`"),
    ];
    for (source, place, what) in cases {
        refuses(source, place, what);
    }
}

#[test]
fn the_five_modules_are_imported_in_any_spelling() {
    for source in [
        "import math, json, re, datetime, uuid",
        "import json as j, re as r",
        "from datetime import datetime, timedelta as td",
        "from math import (\n    pi,\n    e,\n)",
        "def f():\n    import re\n    return re",
        "from re import compile\ncompile('a')",
        "from re import compile as c\nc('a')",
        "import re\nre.compile('a').match('a')",
        "import math as os\nos.pi",
        "from json import *",
    ] {
        allows(source);
    }
}

#[test]
fn policy_adds_modules_by_their_whole_name() {
    let rules = Rules::new(["dataclasses", "collections.abc"]).unwrap();
    assert!(refused(&rules, "from dataclasses import dataclass\nimport collections.abc", &[]).is_empty());
    assert_eq!(
        refused(&rules, "import collections", &[]),
        ["1:8 `collections` is not imported in this lane"]
    );
    assert_eq!(refused(&rules, "import dataclasses.x", &[]).len(), 1);
    for never in ["os", "subprocess", "os.path", "builtins", "importlib.util"] {
        assert_eq!(Rules::new([never]).unwrap_err(), BadModule::Never(never.to_owned()));
    }
    for odd in ["", "a b", "a..b", "1a", "a;import os", "-x"] {
        assert_eq!(Rules::new([odd]).unwrap_err(), BadModule::Name(odd.to_owned()));
    }
}

#[test]
fn no_other_name_hides_a_refused_builtin() {
    let cases = [
        ("eval('1')", "1:1", "`eval`"),
        ("exec('x = 1')", "1:1", "`exec`"),
        ("compile('1', 'f', 'eval')", "1:1", "`compile`"),
        ("open('/etc/passwd').read()", "1:1", "`open`"),
        ("with open('f') as f:\n    pass", "1:6", "`open`"),
        ("e = eval\ne('1')", "1:5", "`eval`"),
        ("a = b = exec", "1:9", "`exec`"),
        ("e, o = eval, open", "1:8", "`eval`"),
        ("[eval][0]('1')", "1:2", "`eval`"),
        ("{'f': open}['f']('x')", "1:7", "`open`"),
        ("(lambda f: f('1'))(eval)", "1:20", "`eval`"),
        ("list(map(eval, ['1']))", "1:10", "`eval`"),
        ("@eval\ndef f(): pass", "1:2", "`eval`"),
        ("@exec\nclass A: pass", "1:2", "`exec`"),
        ("def f(x=eval):\n    return x('1')", "1:9", "`eval`"),
        ("def f(*, x=open): pass", "1:12", "`open`"),
        ("def f(x: eval('1')): pass", "1:10", "`eval`"),
        ("x: exec('y') = 1", "1:4", "`exec`"),
        ("lambda: eval('1')", "1:9", "`eval`"),
        ("[eval(x) for x in ['1']]", "1:2", "`eval`"),
        ("{x: open(x) for x in 'a'}", "1:5", "`open`"),
        ("[x for x in eval('[1]')]", "1:13", "`eval`"),
        ("f'{eval(\"1\")}'", "1:4", "`eval`"),
        ("f'{1:{eval(\"2\")}}'", "1:7", "`eval`"),
        ("f'{f\"{open}\"}'", "1:7", "`open`"),
        ("x = eval if 1 else None", "1:5", "`eval`"),
        ("(e := eval)('1')", "1:7", "`eval`"),
        ("def g():\n    return eval\n", "2:12", "`eval`"),
        ("class A:\n    f = eval\n", "2:9", "`eval`"),
        ("async def f():\n    await eval('1')\n", "2:11", "`eval`"),
        ("match 1:\n    case x if eval('1'):\n        pass", "2:15", "`eval`"),
        ("try:\n    pass\nexcept eval:\n    pass", "3:8", "`eval`"),
        ("assert eval('1')", "1:8", "`eval`"),
        ("raise open", "1:7", "`open`"),
        ("x[eval]", "1:3", "`eval`"),
        ("print(*eval('[1]'))", "1:8", "`eval`"),
        ("f(key=eval)", "1:7", "`eval`"),
        ("\u{ff45}\u{ff56}\u{ff41}\u{ff4c}('1')", "1:1", "`eval`"),
        ("__builtins__.eval('1')", "1:1", "`__builtins__`"),
        ("__builtins__['eval']('1')", "1:1", "`__builtins__`"),
        ("getattr(__builtins__, 'ev' + 'al')", "1:9", "`__builtins__`"),
        ("globals()['__builtins__']", "1:11", "`__builtins__`"),
        ("g = globals()\ng['__builtins__']", "2:3", "`__builtins__`"),
        ("globals()['eval']('1')", "1:11", "`eval`"),
        ("globals().get('open')", "1:15", "`open`"),
        ("vars()['exec']", "1:8", "`exec`"),
        ("def f(): pass\nf.__globals__['x']", "2:3", "`__globals__`"),
        ("getattr(print, '__globals__')", "1:16", "`__globals__`"),
        ("().__class__.__base__.__subclasses__()", "1:23", "`__subclasses__`"),
        ("x.__builtins__", "1:3", "`__builtins__`"),
        ("print.__self__.eval('1')", "1:7", "`__self__`"),
        ("import math\nmath.__spec__.loader", "2:6", "`__spec__`"),
        ("(lambda: 0).__code__", "1:13", "`__code__`"),
        ("object.__getattribute__(f, name)", "1:8", "`__getattribute__`"),
        ("(x for x in y).gi_frame.f_builtins", "1:16", "`gi_frame`"),
        ("import uuid\nuuid.os.system('id')", "2:6", "`os`"),
        ("import uuid as u\nv = u\nv.os", "3:3", "`os`"),
        ("import json\njson.codecs.builtins", "2:13", "`builtins`"),
        ("import uuid\ngetattr(uuid, 'os')", "2:15", "`os`"),
        ("import re\nre.sys", "2:4", "`sys`"),
        ("os.system('id')", "1:1", "`os`"),
        ("subprocess.run(['id'])", "1:1", "`subprocess`"),
        ("print(os)", "1:7", "`os`"),
        ("def f(): return subprocess", "1:17", "`subprocess`"),
    ];
    for (source, place, what) in cases {
        refuses(source, place, what);
    }
}

#[test]
fn a_builtin_is_not_hidden_by_a_binding_that_is_not_there_yet() {
    let cases = [
        ("open = open", "1:8"),
        ("open = open\nopen('f')", "1:8"),
        ("eval('1')\ndef eval(x): return x", "1:1"),
        ("if False:\n    eval = None\neval('1')", "3:1"),
        ("if x:\n    eval = 1\nelif y:\n    eval = 2\neval('1')", "5:1"),
        ("for eval in []:\n    pass\neval('1')", "3:1"),
        ("while False:\n    eval = 1\neval('1')", "3:1"),
        ("try:\n    f()\n    eval = 1\nexcept E:\n    pass\neval('1')", "6:1"),
        ("with a:\n    eval = 1\neval('1')", "3:1"),
        ("match 0:\n    case eval:\n        pass\neval('1')", "4:1"),
        ("x and (eval := 1)\neval('1')", "2:1"),
        ("y if x else (eval := 1)\neval('1')", "2:1"),
        ("eval: int\neval('1')", "2:1"),
        ("eval += 1", "1:1"),
        ("def eval(x): return x\ndel eval\neval('1')", "3:1"),
        ("eval = 1\nglobals().clear()\neval('1')", "3:1"),
        ("try:\n    1/0\nexcept E as eval:\n    pass\neval('1')", "5:1"),
        ("def f(): return eval('1')\nf()\ndef eval(x): pass", "1:17"),
        ("def f(): return eval('1')\nx = f()\neval = 1", "1:17"),
        ("def f(): return eval('1')\n@f\ndef eval(x): pass", "1:17"),
        ("def f(): return eval('1')\ndef eval(x=f()): pass", "1:17"),
        ("@now\ndef eval(): return eval('1')", "2:20"),
        ("def f():\n    def eval(x): return x\neval('1')", "3:1"),
        ("def f():\n    global eval\n    eval('1')", "3:5"),
        ("class A:\n    def eval(self): return eval('1')", "2:28"),
        ("class A:\n    x = eval\n    eval = 1", "2:9"),
        ("class A:\n    eval = 1\n    def f(self): return eval", "3:25"),
        ("[eval for x in y]\n(lambda eval: eval)(eval)", "2:21"),
        ("[x for x in eval('1') for eval in x]", "1:13"),
        ("[(eval := x) for x in []]\neval('1')", "2:1"),
        ("def f(eval=eval): return eval", "1:12"),
        ("class eval(eval): pass", "1:12"),
        ("x = [open]; open = 1", "1:6"),
    ];
    for (source, place) in cases {
        refuses(source, place, "is not used in this lane");
    }
}

#[test]
fn words_in_strings_attributes_and_own_names_are_fine() {
    for source in [
        "'eval(1)'",
        "print('import os; open(1)')",
        "\"\"\"import os\nexec this\"\"\"",
        "# import os\nx = 1",
        "{'exec': 1, 'open': 2}['exec']",
        "row = {'os': 'linux'}\nrow['os']",
        "row.get('open')",
        "model.eval()",
        "door.open()",
        "self.compile(1).exec().os",
        "import re\nre.compile(r'\\d+')",
        "import math\ngetattr(math, name)(1)",
        "getattr(row, 'open')",
        "getattr(obj, 'eval')()",
        "f(open=1, exec=2, compile=3)",
        "dict(os='linux')",
        "evaluate(1)\nreopen = opened = os_name = executor = 1",
        "def compile(x):\n    return x\ncompile(1)",
        "def open(path): return path\nopen('x')",
        "def main():\n    return compile(1)\n\ndef compile(x):\n    return x\n\nmain()",
        "print('start')\ndef main():\n    return compile(1)\ndef compile(x):\n    return x\nmain()",
        "LIMIT = 3\nNAMES = ['a', -1]\ndef main(): return open(1)\nimport re\ndef open(x): return x\nmain()",
        "def compile(n):\n    return compile(n - 1) if n else 0\ncompile(3)",
        "class Parser:\n    def run(self):\n        return compile(1)\ndef compile(x): return x\nParser().run()",
        "open = 5\nprint(open)",
        "open, high, low, close = 1, 2, 3, 4\nprint(close - open)",
        "for open, close in candles:\n    print(open - close)",
        "total = sum(open - close for open, close in candles)",
        "[open for open in doors if open]",
        "{os: n for os, n in counts}",
        "def f(open, os=1): return open + os",
        "def f():\n    open = 1\n    return [open for _ in range(3)], lambda: open",
        "def outer():\n    eval = 1\n    def inner():\n        nonlocal eval\n        eval += 1\n        return eval\n    return inner",
        "lambda open, close: close - open",
        "sorted(rows, key=lambda os: os)",
        "if x:\n    os = 'linux'\nelse:\n    os = 'other'\nprint(os)",
        "try:\n    os = f()\nexcept E:\n    os = ''\nprint(os)",
        "try:\n    pass\nfinally:\n    os = 1\nprint(os)",
        "with f() as open:\n    print(open)\nopen",
        "if (open := f()) > 1:\n    print(open)",
        "class Shop:\n    open = True\n    hours = 8 if open else 0\n    def is_open(self): return self.open",
        "class Door:\n    def open(self): return self\n    def eval(self): return self.open().os\nDoor().open()",
        "match command:\n    case {'open': open}:\n        print(open)\n    case [os, *exec]:\n        print(os, exec)",
        "try:\n    f()\nexcept E as e:\n    print(e)",
        "def f():\n    try:\n        g()\n    except E as os:\n        return os",
        "def f():\n    for exec in range(3):\n        print(exec)",
        "compile: int = 3\ncompile",
        "import math as compile\ncompile.pi",
        "class open:\n    pass\nopen()",
        "async def f(open):\n    async for os in open:\n        print(os)",
        "x.__class__.__name__, x.__dict__, x.__len__()",
        "'{0.__globals__}'",
        "opens = {'__builtins__': {}}",
    ] {
        allows(source);
    }
}

#[test]
fn inputs_are_the_programs_own_names() {
    let inputs = ["open", "os"];
    assert!(refused(&Rules::default(), "sum(open) + len(os)\ndef f(): return open\nf()", &inputs).is_empty());
    assert_eq!(refused(&Rules::default(), "open + eval", &inputs), ["1:8 `eval` is not used in this lane"]);
}

#[test]
fn a_source_is_at_most_64_kilobytes() {
    let fits = format!("x = '{}'", "a".repeat(MAX_SOURCE - 6));
    assert_eq!(fits.len(), MAX_SOURCE);
    allows(&fits);
    refuses(&format!("{fits}\n"), "1:1", "bytes");
}

#[test]
fn depth_never_overflows_the_stack() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!("x = 1\ny = {}{middle}{}\n", open.repeat(times), close.repeat(times))
    };
    let too_deep = [
        format!("x = 1\ny = {}\n", vec!["1"; 20_000].join("+")),
        format!("x = 1\ny = a{}\n", ".b".repeat(20_000)),
        format!("x = 1\ny = a{}\n", "()".repeat(20_000)),
        format!("x = 1\ny = a{}\n", "[0]".repeat(20_000)),
        format!("x = 1\ny = {}1\n", "-".repeat(30_000)),
        format!("x = 1\ny = {}1\n", "not ".repeat(15_000)),
        format!("x = 1\ny = {}1\n", "lambda:".repeat(9_000)),
        format!("x = 1\ny = {}1\n", "2**".repeat(20_000)),
        format!("x = 1\ny = {}1\n", "a if b else ".repeat(5_000)),
        deep("(", "1", ")", 20_000),
        deep("[", "", "]", 20_000),
        deep("{1:", "1", "}", 10_000),
        deep("f(", "1", ")", 10_000),
        deep("(1+", "1", ")", 10_000),
        deep("(", "1", "+1)", 10_000),
        deep("f'{", "1", "}'", 10_000),
        format!("x = 1\ny = {}", "(".repeat(30_000)),
        format!("x = 1\ny = {}", "[".repeat(30_000)),
        format!("x = 1\ny = {}", "f'{".repeat(10_000)),
        format!("x = 1\n{}", "a+(".repeat(15_000)),
    ];
    // On a stack as small as those of other threads are.
    let work = move || {
        for source in &too_deep {
            let found = refused(&Rules::default(), source, &[]);
            assert_eq!(found.len(), 1, "{found:?}");
            let start = source.get(..40);
            assert!(found.iter().all(|found| found.starts_with("2:")), "{start:?}: {found:?}");
        }
        // What the parser itself counts.
        let blocks: String = (0..150).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect();
        let _ = refused(&Rules::default(), &format!("{blocks}{}x", " ".repeat(150)), &[]);
        let blocks: String = (0..350).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect();
        assert_eq!(refused(&Rules::default(), &blocks, &[]).len(), 1);
        // The deepest that is looked at.
        allows(&format!("y = {}\n", vec!["1"; 1_000].join("+")));
        allows(&format!("y = a{}\n", ".b()".repeat(300)));
        allows(&format!("y = {}1{}\n", "(".repeat(150), ")".repeat(150)));
        allows(&format!("y = [{}]\n", "(1, 2), [3], {'a': -4}, f'{x}', a.b.c(1) + 2,\n".repeat(1_000)));
        allows(&format!("y = {} 1\n", "x.a == 1 or x.b < 2 and ".repeat(2_000)));
        allows(&format!("y = ({})\n", "'text'\n".repeat(5_000)));
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).unwrap();
    if thread.join().is_err() {
        panic!("see above");
    }
}

#[test]
fn every_refusal_is_told_at_once_and_in_order() {
    let source = "def f():\n    return eval(1)\nimport os\nopen(2)\n";
    let found = refused(&Rules::default(), source, &[]);
    let places: Vec<&str> = found.iter().filter_map(|found| found.split(' ').next()).collect();
    assert_eq!(places, ["2:12", "3:8", "4:1"]);
    assert_eq!(refused(&Rules::default(), &"eval\n".repeat(9_000), &[]).len(), 50);
}

#[test]
fn what_is_no_python_is_refused_with_its_place() {
    for (source, place) in
        [("x = = 1", "1:5"), ("def f(:\n pass", "1:7"), ("'abc", "1:1"), ("x = 1\n  y = 2", "2:1")]
    {
        let found = refused(&Rules::default(), source, &[]);
        assert!(
            found.iter().any(|found| found.starts_with(&format!("{place} SyntaxError"))),
            "{source:?}: {found:?}"
        );
    }
}

#[test]
fn a_refusal_says_what_to_do_instead() {
    let told = |source: &str| Rules::default().check(source, &[]).unwrap_err().first().unwrap().to_string();
    assert_eq!(
        told("x = 1\ny = open('a')"),
        "line 2, column 5: `open` is not used in this lane; there are no files: give the content as an input, \
         and end with the result"
    );
    assert_eq!(
        told("import random"),
        "line 1, column 8: `random` is not imported in this lane; imports are math, json, re, datetime, uuid"
    );
}

proptest! {
    /// Words in any order: a promise holds for whatever comes of them.
    #[test]
    fn promises_hold_for_any_words(words in vec(sample::select(WORDS), 0..40)) {
        let source = words.concat();
        let rules = Rules::default();
        let lines = u32::try_from(source.lines().count()).unwrap() + 1;
        match rules.check(&source, &[]) {
            Ok(program) => {
                prop_assert_eq!(program.source.lines().count(), source.lines().count());
                // What is refused alone is refused behind any program, whatever that has bound.
                for more in ["import os", "from os import *", "__import__('os')", "f.__globals__"] {
                    let longer = format!("{source}\n{more}\n");
                    let bound = more.starts_with("__") && source.contains("__import__");
                    prop_assert!(bound || rules.check(&longer, &[]).is_err(), "{}", longer);
                }
                // A builtin that is met first of all is one, whatever is bound later.
                let earlier = format!("eval('1')\n{source}");
                prop_assert!(rules.check(&earlier, &[]).is_err(), "{}", earlier);
            }
            Err(refusals) => {
                prop_assert!(!refusals.is_empty());
                // What is plain has no other faults.
                let syntax = refusals.iter().all(|refusal| refusal.message.starts_with("SyntaxError"));
                prop_assert!(syntax || !Rules::is_plain(&source), "{}", source);
                for refusal in refusals {
                    prop_assert!(refusal.line >= 1 && refusal.line <= lines && refusal.column >= 1);
                    prop_assert!(!refusal.to_string().chars().any(char::is_control));
                }
            }
        }
    }
}

const WORDS: &[&str] = &[
    "eval",
    "open",
    "os",
    "x",
    "compile",
    "__import__",
    " = ",
    "(",
    ")",
    ":",
    "\n",
    "\n    ",
    "\n        ",
    "def f",
    "def eval",
    "class open",
    "import math",
    "import uuid",
    "from uuid import uuid4",
    "import os",
    "lambda ",
    "for ",
    " in ",
    " if ",
    " else ",
    ", ",
    ".",
    "[",
    "]",
    "{",
    "}",
    "'a'",
    "f'{",
    "}'",
    "try:",
    "except E as ",
    "global ",
    "del ",
    "1",
    "+",
    "not ",
    "return ",
    "with ",
    " as ",
    ":=",
    "match ",
    "case ",
    "@",
    "*",
    "#",
    "\\\n",
    "\u{ff45}val",
    "\r\n",
    "; ",
    "while ",
    "nonlocal ",
    "async ",
    "await ",
    "globals()",
    "getattr(x, 'os')",
];
