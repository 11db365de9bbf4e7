#!/usr/bin/env python3
"""The other side of the comparison: the threegate-v1 profile of toolgate, in Python.

Written from the description of that profile, for measuring against. It is not a validator to rely on.

usage: threegate_check.py FOLDER --variant plain|pyyaml|tuned

`plain` reads the front matter line by line, `pyyaml` with libyaml; `tuned` is `plain` with a scan
for forbidden content that is written for speed. All scan for the token shapes of toolgate and for the
main families of overrides, also in compatibility forms, between other signs, and in base64.

Prints `ready`, then answers lines on standard input: `round` checks every document of the folder
once, reading it from disk, and prints the nanoseconds that took; `verdicts` prints one line a
document, `accept NAME` or `reject NAME`, and then `end`.
"""

import base64
import json
import keyword
import re
import sys
import time
import unicodedata
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
# Token shapes: alphabet, shortest, longest, prefixes. The same facts as in the screen of toolgate.
ALPHABETS = {
    "hex": "[0-9a-fA-F]",
    "uuid": "[0-9a-fA-F-]",
    "upper": "[0-9A-Z]",
    "alnum": "[0-9A-Za-z]",
    "url": "[0-9A-Za-z_-]",
    "dotted": "[0-9A-Za-z_.-]",
    "base64": "[0-9A-Za-z+/=%]",
}
SHAPES = [
    ("upper", 16, 20, "AKIA ASIA ABIA ACCA"),
    ("alnum", 20, 255, "ghp_ gho_ ghu_ ghs_ ghr_ sk-"),
    ("url", 22, 255, "github_pat_"),
    ("dotted", 18, 300, "glpat- gldt- glrt- glptt- glcbt- gloas- glsoat- glft- glimt- glagent-"),
    ("url", 18, 60, "GR1348941"),
    ("alnum", 24, 60, "ATBB hf_ api_org_ r8_ npm_"),
    ("base64", 40, 400, "ATATT3 ATCTT3 sntrys_"),
    ("url", 16, 255, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxe- xapp-"),
    ("base64", 16, 400, "xoxd-"),
    ("dotted", 16, 255, "xoxe."),
    ("base64", 24, 120, "hooks.slack.com/services/ hooks.slack.com/workflows/"),
    ("base64", 40, 200, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"),
    ("uuid", 32, 200, "webhook.office.com/webhookb2/"),
    ("alnum", 16, 255, "sk_live_ rk_live_ sk_test_ rk_test_"),
    ("base64", 20, 120, "whsec_"),
    ("url", 30, 45, "AIza"),
    ("url", 20, 60, "GOCSPX- dckr_pat_ dckr_oat_ sq0atp- sb_secret_"),
    ("dotted", 20, 2000, "ya29."),
    ("url", 40, 200, "1//0"),
    ("url", 20, 255, "sk-ant- sk-or- sk-proj- sk-svcacct- sk-admin-"),
    ("alnum", 24, 120, "gsk_"),
    ("alnum", 24, 200, "xai-"),
    ("alnum", 24, 80, "pplx-"),
    ("alnum", 20, 60, "fw_"),
    ("url", 16, 400, "pypi-AgE"),
    ("hex", 32, 64, "rubygems_ dop_v1_ doo_v1_ dor_v1_"),
    ("alnum", 32, 32, "cio"),
    ("url", 30, 80, "HRKU-"),
    ("dotted", 40, 100, "SG."),
    ("url", 40, 120, "xkeysib-"),
    ("hex", 32, 32, "key- SK shpat_ shpca_ shppa_ shpss_"),
    ("url", 30, 60, "sq0csp- figd_ figo_ fo1_ FLWSECK-"),
    ("url", 56, 80, "EAAA"),
    ("uuid", 32, 34, "dapi"),
    ("alnum", 32, 60, "lin_api_ ntn_"),
    ("alnum", 43, 43, "secret_"),
    ("uuid", 50, 70, "PMAK-"),
    ("url", 32, 60, "glsa_"),
    ("base64", 32, 400, "glc_"),
    ("url", 20, 300, "hvs. hvb. hvr."),
    ("alnum", 24, 24, "s."),
    ("upper", 40, 70, "AGE-SECRET-KEY-1"),
    ("base64", 40, 100, "AccountKey= SharedAccessKey="),
    ("base64", 43, 100, "sig="),
    ("url", 120, 200, "v1.0-"),
    ("alnum", 36, 60, "dp.pt. dp.ct. dp.sa."),
    ("dotted", 36, 80, "dp.st."),
    ("base64", 60, 2000, "fm1_ fm2_"),
    ("hex", 32, 60, "sbp_ bkua_"),
    ("dotted", 30, 70, "pscale_tkn_ pscale_pw_ pscale_oauth_"),
    ("upper", 24, 30, "NRAK-"),
    ("url", 28, 40, "NRII-"),
    ("hex", 40, 80, "sntryu_"),
    ("url", 100, 2000, "sl. sl.u."),
    ("url", 20, 120, "tskey-"),
    ("hex", 40, 40, "pul-"),
    ("url", 30, 100, "CCIPAT_"),
    ("base64", 60, 4000, "ops_eyJ"),
    ("alnum", 30, 60, "ddapp_"),
    ("dotted", 79, 79, "pat"),
    ("alnum", 50, 60, "EZAK"),
    ("url", 40, 60, "duffel_live_ tk-us-"),
    ("alnum", 20, 400, "EAACEdEose0cBA"),
    ("alnum", 28, 28, "aio_"),
    ("alnum", 36, 36, "pnu_"),
    ("alnum", 60, 80, "rdme_"),
    ("dotted", 40, 70, "tfp_"),
    ("base64", 40, 4000, "b3BlbnNzaC1rZXktdjE"),
]
OTHER_SECRETS = (
    r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"\b[0-9]{8,10}:AA[0-9A-Za-z_-]{32,36}",
    r"://[^\s/:@]+:[^\s/:@]+@",
    r"(?i)\b(?:password|passwd|pwd|secret|token|api[_-]?key)['\"]?\s*[=:]\s*['\"]?(?=[^\s'\"]*[0-9])[^\s'\"]{6,}",
)
# Overrides are searched for in the letters alone, so that spacing and signs do not hide them.
PHRASES = (
    "(?:ignore|disregard|forget|override|bypass|neglect|skip)(?:all|any|the|your|my|these|those|of)*"
    "(?:previous|prior|above|earlier|preceding|former|foregoing|original|system)(?:and)?"
    "(?:instructions?|prompts?|rules|directions|guidelines|commands|orders|policy|policies|messages)",
    "(?:donotfollow|stopfollowing|paynoattentionto)(?:all|any|the|your)*(?:previous|prior|above)?(?:instructions|rules)",
    "youarenow(?:dan|indevelopermode|unrestricted|jailbroken|nolongerbound)",
    "(?:reveal|print|show|repeat|output)(?:me)?your(?:system|hidden)(?:prompt|instructions)",
    "(?:paste|enter|send|share|provide)your(?:token|password|apikey|credentials)to(?:verify|confirm|continue)",
    "(?:run|execute)(?:this|thefollowing)(?:command|script|code)to(?:fix|repair|resolve|solve|continue|proceed)",
    "(?:skip|bypass)theapproval|approveautomatically|markasapproved|disablethe(?:sandbox|policy|gate)",
    "(?:donottell|donotinform|withouttelling|withoutasking)the(?:user|operator|human)",
)


def usual_pattern(alphabet, shortest, longest, prefix):
    return rf"\b{re.escape(prefix)}{ALPHABETS[alphabet]}{{{shortest},{longest}}}"


# As such lists are usually written: one pattern a rule, each bounded by words.
USUAL = [
    re.compile(usual_pattern(alphabet, shortest, longest, prefix))
    for alphabet, shortest, longest, prefixes in SHAPES
    for prefix in prefixes.split()
]
USUAL += [re.compile(pattern) for pattern in OTHER_SECRETS]
USUAL_PHRASES = [re.compile(phrase) for phrase in PHRASES]
# The same, tuned for CPython: a pattern is tried only where its prefix stands, which `in` finds fast;
# phrases are one pattern, which is tried only when one of their first words is there.
TUNED = [
    (prefix, re.compile(usual_pattern(alphabet, shortest, longest, prefix)))
    for alphabet, shortest, longest, prefixes in SHAPES
    for prefix in prefixes.split()
]
TUNED_OTHER = [(("PRIVATE KEY",), 0), (("eyJ",), 1), ((":AA",), 2), (("://",), 3)]
TUNED_OTHER += [(("pass", "pwd", "secret", "token", "key"), 4)]
TUNED_OTHER = [(words, re.compile(OTHER_SECRETS[number])) for words, number in TUNED_OTHER]
TUNED_PHRASES = re.compile("|".join(PHRASES))
NOT_LETTERS = re.compile("[^a-z]+")
BASE64_RUN = re.compile("[A-Za-z0-9+/_-]{20,}")
INVISIBLE = dict.fromkeys((*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0xAD))


def plain_text(text):
    """Compatibility forms made plain, what cannot be seen taken out."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(INVISIBLE)


def decoded_runs(text):
    """What the base64 runs of a text decode to, where that can be read."""
    for run in BASE64_RUN.findall(text):
        try:
            decoded = base64.b64decode(run + "=" * (-len(run) % 4), altchars=None).decode()
        except ValueError:
            continue
        if decoded.isprintable():
            yield decoded


def scan_usual(text):
    for layer in (text, *decoded_runs(text)):
        layer = plain_text(layer)
        if any(pattern.search(layer) for pattern in USUAL):
            return True
        letters = NOT_LETTERS.sub("", layer.lower())
        if any(phrase.search(letters) for phrase in USUAL_PHRASES):
            return True
    return False


def scan_tuned(text):
    for layer in (text, *decoded_runs(text)):
        layer = plain_text(layer)
        lowered = layer.lower()
        for prefix, pattern in TUNED:
            if prefix in layer and pattern.search(layer):
                return True
        for words, pattern in TUNED_OTHER:
            if any(word in layer or word in lowered for word in words) and pattern.search(layer):
                return True
        if TUNED_PHRASES.search(NOT_LETTERS.sub("", lowered)):
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
