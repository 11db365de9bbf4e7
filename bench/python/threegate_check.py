#!/usr/bin/env python3
"""The other side of the comparison: the threegate-v1 profile of toolgate, in Python.

Written from the description of that profile, for measuring against. It is not a validator to rely on.

usage: threegate_check.py FOLDER --variant plain|pyyaml|tuned

`plain` reads the front matter line by line, `pyyaml` with libyaml; `tuned` is `plain` with a scan
for forbidden content that is written for speed.

Prints `ready`, then answers lines on standard input: `round` checks every document of the folder
once, reading it from disk, and prints the nanoseconds that took; `verdicts` prints one line a
document, `accept NAME` or `reject NAME`, and then `end`.
"""

import json
import keyword
import re
import sys
import time
from pathlib import Path

REQUIRED = (
    "request_type", "schema_version", "request_id", "created_utc", "requested_by", "approved_by", "approved_utc",
    "purpose", "language", "network", "cpu_limit", "memory_limit_mb", "time_limit_sec",
)
SHELLS = frozenset(("shell", "bash", "sh", "zsh", "powershell", "pwsh", "cmd"))
SECTIONS = {
    "era": ("## Command", "## Input Files", "## Output Expectations", "## Risk Assessment"),
    "monty": ("## Code", "## Output Expectations", "## Risk Assessment"),
}
METACHARACTER = re.compile(r"[;&|<>`)]|\$\(")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
RISKY_NAME = re.compile(
    r"\b(?:import|open|exec|eval|compile|__import__|globals|locals|vars|dir|getattr|setattr|delattr)\b"
)
# As such lists are usually written: each pattern bounded by words, phrases in any case.
FORBIDDEN = [
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
        r"\bAKIA[0-9A-Z]{16}\b",
        r"\bASIA[0-9A-Z]{16}\b",
        r"\bgh[pousr]_[A-Za-z0-9]{36}\b",
        r"\bgithub_pat_[A-Za-z0-9_]{82}\b",
        r"\bglpat-[A-Za-z0-9_-]{20}\b",
        r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
        r"\bsk-[A-Za-z0-9_-]{20,}\b",
        r"\bnpm_[A-Za-z0-9]{36}\b",
        r"\bpypi-[A-Za-z0-9_-]{50,}",
        r"\bAIza[0-9A-Za-z_-]{35}\b",
        r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        r"://[^\s/:@]+:[^\s/:@]+@",
        r"(?i)\b(?:password|passwd|api_key|secret)\s*[=:]\s*['\"][^'\"\s]{8,}['\"]",
        r"(?i)\bignore\s+(?:all\s+)?(?:previous|prior|above)\s+instructions\b",
        r"(?i)\bdisregard\s+(?:all\s+)?(?:previous|prior|above)\b",
        r"(?i)\bforget\s+(?:all\s+)?(?:your|previous)\s+instructions\b",
        r"(?i)\byou\s+are\s+now\s+(?:in\s+)?(?:developer|admin|root)\b",
        r"(?i)\bpaste\s+your\s+(?:token|key|password)\b",
        r"(?i)\brun\s+this\s+command\s+to\s+fix\b",
    )
]

# The same, tuned for CPython's engine, which is fast where a pattern begins with plain letters: the
# boundary in front is looked at after a hit, and phrases are searched in a lower-case copy.
TUNED_IN_TEXT, TUNED_IN_LOWER = [], []
for _pattern in FORBIDDEN:
    _plain = _pattern.pattern
    if not _plain.startswith("(?i)"):
        TUNED_IN_TEXT.append(re.compile(_plain.removeprefix(r"\b")))
    elif "passwd" not in _plain:
        TUNED_IN_LOWER.append(re.compile(_plain.removeprefix(r"(?i)\b")))
for _word in ("password", "passwd", "api_key", "secret"):
    TUNED_IN_LOWER.append(re.compile(_word + r"\s*[=:]\s*['\"][^'\"\s]{8,}['\"]"))


def scan_usual(text):
    return any(pattern.search(text) for pattern in FORBIDDEN)


def scan_tuned(text):
    lowered = text.lower()
    for patterns, where in ((TUNED_IN_TEXT, text), (TUNED_IN_LOWER, lowered)):
        for pattern in patterns:
            for hit in pattern.finditer(where):
                before = where[hit.start() - 1 : hit.start()]
                if not (before.isalnum() or before == "_"):
                    return True
    return False


def split(text):
    """Front matter and body, or nothing when the document has no closed front matter."""
    if not text.startswith("---\n"):
        return None
    end = text.find("\n---\n", 3)
    if end < 0:
        return None
    return text[4 : end + 1], text[end + 5 :]


def parse_plain(front):
    """Top-level keys as text, by lines; what is nested counts as given and is not looked into."""
    values = {}
    for line in front.splitlines():
        if not line or line[0] in " -#":
            continue
        key, colon, value = line.partition(":")
        if not colon:
            raise ValueError(line)
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[key] = value
    return values


def load_pyyaml():
    """A parser on libyaml that leaves every scalar as text, or nothing when there is none."""
    try:
        import yaml

        loader = yaml.CBaseLoader
    except (ImportError, AttributeError):
        return None

    def parse(front):
        values = yaml.load(front, Loader=loader)
        if not isinstance(values, dict):
            raise ValueError("not a mapping")
        return values

    return parse


def text_of(values, key):
    value = values.get(key)
    return value.strip().lower() if isinstance(value, str) else ""


def section(lines, heading):
    try:
        start = lines.index(heading) + 1
    except ValueError:
        return []
    for end in range(start, len(lines)):
        if lines[end].startswith("## "):
            return lines[start:end]
    return lines[start:]


def in_order(lines, headings):
    place = -1
    for heading in headings:
        try:
            place = lines.index(heading, place + 1)
        except ValueError:
            return False
    return True


def check_command(lines, errors):
    command = next((line.strip() for line in section(lines, "## Command") if line.strip()), "")
    if not command:
        errors.append("no command")
        return
    if command.startswith("```") or command.endswith("```"):
        errors.append("the command is fenced")
    if METACHARACTER.search(command):
        errors.append("the command has a character of the shell")
    lowered = command.lower()
    if "pip install" in lowered or "npm install" in lowered or "apt" in lowered:
        errors.append("the command installs packages")


def check_code(values, lines, errors, warnings):
    code = "\n".join(section(lines, "## Code")).strip()
    if not code:
        errors.append("no code")
        return
    if "```" in code:
        errors.append("the code is fenced")
    inputs = "\n".join(section(lines, "## Inputs (JSON)")).strip()
    if inputs:
        try:
            parsed = json.loads(inputs)
        except ValueError:
            errors.append("the inputs are not JSON")
        else:
            if not isinstance(parsed, dict):
                errors.append("the inputs are not an object")
            elif not all(IDENTIFIER.match(key) and not keyword.iskeyword(key) for key in parsed):
                errors.append("a key of the inputs is not a name")
    if text_of(values, "language") != "python":
        errors.append("monty speaks python only")
    if text_of(values, "network") != "none":
        errors.append("monty has no network")
    if RISKY_NAME.search(code):
        warnings.append("the code uses names that reach outside")


def check(text, parse, scan):
    """All errors and warnings of a document."""
    errors, warnings = [], []
    parts = split(text)
    if parts is None:
        return ["no front matter"], warnings
    front, body = parts
    try:
        values = parse(front)
    except Exception as error:
        return [f"the front matter cannot be read: {error}"], warnings
    errors.extend(f"`{key}` is missing" for key in REQUIRED if key not in values)
    if values.get("request_type") != "tool_request":
        errors.append("not a tool request")
    if values.get("schema_version") != "1":
        errors.append("another schema version")
    if not values.get("approved_by") or not values.get("approved_utc"):
        errors.append("not approved")
    if text_of(values, "language") in SHELLS:
        errors.append("the language is a shell")
    if text_of(values, "network") not in ("none", "allowlist"):
        errors.append("the network is neither none nor allowlist")
    backend = text_of(values, "backend") or "era"
    lines = body.splitlines()
    headings = SECTIONS.get(backend)
    if headings is None:
        errors.append("another backend")
    else:
        if not in_order(lines, headings):
            errors.append("sections are missing or out of order")
        if backend == "era":
            check_command(lines, errors)
        else:
            check_code(values, lines, errors, warnings)
    if scan(text):
        errors.append("forbidden content")
    return errors, warnings


def verdict(path, parse, scan):
    with open(path, encoding="utf-8") as file:
        errors, _ = check(file.read(), parse, scan)
    return "reject" if errors else "accept"


def main():
    variants = {
        "plain": (parse_plain, scan_usual),
        "pyyaml": (load_pyyaml(), scan_usual),
        "tuned": (parse_plain, scan_tuned),
    }
    if len(sys.argv) != 4 or sys.argv[2] != "--variant" or sys.argv[3] not in variants:
        sys.exit(__doc__)
    parse, scan = variants[sys.argv[3]]
    if parse is None:
        print("no such parser", flush=True)
        return
    paths = sorted(str(path) for path in Path(sys.argv[1]).glob("*.md"))
    print("ready", flush=True)
    for line in sys.stdin:
        if line == "round\n":
            start = time.perf_counter_ns()
            for path in paths:
                verdict(path, parse, scan)
            print(time.perf_counter_ns() - start, flush=True)
        elif line == "verdicts\n":
            for path in paths:
                print(verdict(path, parse, scan), Path(path).stem)
            print("end", flush=True)


if __name__ == "__main__":
    main()
