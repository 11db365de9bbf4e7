//! Every rule that documents are held to, as one table.
//!
//! Codes are promises: a code keeps its meaning for ever, a retired one is never used again.
//! `docs/rules.md` is generated from this table, and `tests/corpus/` holds at least one document
//! that keeps each rule and one that does not.

pub use call::Rule;

call::rules! {
    // The document as a whole.
    TOO_LARGE = "TR001" Error "a request holds at most 256 KiB, a result at most 1 MiB";
    CONTROL_CHARACTER = "TR002" Error "a document holds no control characters but tabs and line ends";
    BYTE_ORDER_MARK = "TR003" Warning "a document begins without a byte order mark";
    FRONT_MATTER_MISSING = "TR004" Error "a document begins with front matter between two `---` lines";
    FRONT_MATTER_OPEN = "TR005" Error "the front matter is closed by a `---` line";
    FRONT_MATTER_YAML = "TR006" Error "the front matter is YAML, nested no deeper than 8 levels";
    FRONT_MATTER_MAPPING = "TR007" Error "the front matter is one mapping with plain text keys";
    DUPLICATE_KEY = "TR008" Error "a key is given once";
    ANCHOR_OR_ALIAS = "TR009" Error "YAML anchors and aliases are not used";
    MERGE_KEY = "TR010" Error "YAML merge keys are not used";
    YAML_TAG = "TR011" Error "YAML tags are not used";
    SECOND_FRONT_MATTER = "TR012" Error "a document has one block of front matter";
    UNKNOWN_KEY = "TR013" Warning "every key is one that the specification names";
    MISSING_KEY = "TR014" Error "every required key is given";
    WRONG_SHAPE = "TR015" Error "a value is text, a list or a mapping as its key asks";
    UNSEEN_CHARACTER = "TR016" Error "values hold no control, invisible or bidirectional control characters";

    // The front matter of a request, key by key.
    REQUEST_TYPE = "TR101" Error "`request_type` is `tool_request`";
    SCHEMA_VERSION = "TR102" Error "`schema_version` is `1`";
    REQUEST_ID = "TR103" Error "`request_id` has the form `TR-YYYYMMDD-HHMMSSZ-slug` with a real date and time";
    REQUEST_ID_FILE = "TR104" Error "`request_id` equals the name of a file that begins with `TR-`";
    TIME_FORM = "TR105" Error "times are real and written `YYYY-MM-DDTHH:MM:SSZ`";
    TIME_FUTURE = "TR106" Error "times do not lie in the future";
    TIME_ORDER = "TR107" Error "a request is approved after it was created";
    REQUESTED_BY = "TR108" Error "`requested_by` is `human` or `core_draft`";
    APPROVED_BY_EMPTY = "TR109" Error "`approved_by` names the person who approved";
    APPROVED_UTC_EMPTY = "TR110" Error "`approved_utc` says when the request was approved";
    APPROVED_BY_AGENT = "TR111" Error "`approved_by` is never the agent itself";
    APPROVED_BY_LOOKALIKE = "TR112" Error "`approved_by` does not mix scripts that look alike within a word";
    PURPOSE = "TR113" Error "`purpose` is one line of 1 to 300 characters";
    BACKEND = "TR114" Error "`backend` is `ERA` or `monty`";
    LANGUAGE = "TR115" Error "`language` is `python`, `node`, `ts`, `go` or `ruby`";
    LANGUAGE_SHELL = "TR116" Error "`language` is not a shell";
    NETWORK = "TR117" Error "`network` is `none` or `allowlist`";
    ALLOWLIST_EMPTY = "TR118" Error "`network: allowlist` names at least one host";
    ALLOWLIST_UNUSED = "TR119" Error "`network: none` comes without hosts";
    ALLOWLIST_FORM = "TR120" Error "an allow-list entry is `host` or `host:port`";
    ALLOWLIST_WILDCARD = "TR121" Error "a wildcard covers the subdomains of one registrable domain";
    ALLOWLIST_ADDRESS = "TR122" Error "an allow-list entry is not this machine, a private, link-local or reserved address";
    ALLOWLIST_LOCAL_NAME = "TR123" Warning "an allow-list entry is a name of the public internet";
    CPU_LIMIT = "TR124" Error "`cpu_limit` is a number above 0 and at most 64";
    MEMORY_LIMIT = "TR125" Error "`memory_limit_mb` is a whole number from 1 to 1048576";
    TIME_LIMIT = "TR126" Error "`time_limit_sec` is a whole number from 1 to 86400";
    INPUT_NAME = "TR127" Error "an input's name is a plain file name";
    INPUT_TWICE = "TR128" Error "an input is declared once";
    INPUT_DIGEST = "TR129" Error "every input has a `sha256` of 64 hexadecimal digits";
    OUTPUT_PATH = "TR130" Error "an expected output lies below `/out`";
    OUTPUT_DESCRIPTION = "TR131" Warning "an expected output has a description";
    OUTPUT_TWICE = "TR132" Warning "an expected output is declared once";
    MONTY_FILES = "TR133" Error "a `monty` request declares no files";
    MONTY_LANGUAGE = "TR134" Error "a `monty` request is written in `python`";
    MONTY_NETWORK = "TR135" Error "a `monty` request uses no network";

    // The sections.
    SECTION_MISSING = "TR201" Error "every required section is there";
    SECTION_ORDER = "TR202" Error "sections stand in their order";
    SECTION_TWICE = "TR203" Error "a section stands once";
    SECTION_UNKNOWN = "TR204" Error "level 2 headings are those of the sections, written exactly";
    HEADING_LOOKALIKE = "TR205" Error "no line looks like a heading without being one";
    INPUT_NOT_LISTED = "TR206" Error "every declared input is listed under `## Input Files` with its place `/in/<name>`";
    INPUT_NOT_DECLARED = "TR207" Error "every file under `## Input Files` is declared in `inputs`";
    INPUT_DIGEST_DIFFERS = "TR208" Error "a digest under `## Input Files` is the declared one";
    OUTPUT_NOT_LISTED = "TR209" Error "every path of `outputs_expected` is listed under `## Output Expectations`";
    OUTPUT_NOT_DECLARED = "TR210" Error "every path under `## Output Expectations` is in `outputs_expected`, where that is given";
    OUTPUT_LISTED_OUTSIDE = "TR211" Error "paths under `## Output Expectations` lie below `/out`";
    RISK_LABEL_MISSING = "TR212" Error "`## Risk Assessment` has its four labels";
    RISK_LABEL_TWICE = "TR213" Error "a label of `## Risk Assessment` is given once";
    RISK_VALUE = "TR214" Error "a label of `## Risk Assessment` has a value that it allows";
    RISK_UNDERSTATED = "TR215" Warning "a request that uses the network is not of low risk";
    MONTY_OUTPUT_FILE = "TR216" Warning "a `monty` request lists no files under `## Output Expectations`";

    // The command.
    COMMAND_EMPTY = "TR301" Error "`## Command` holds a command";
    COMMAND_LINES = "TR302" Error "`## Command` holds one line";
    COMMAND_FENCED = "TR303" Error "the command is plain text, not fenced";
    COMMAND_UNSEEN = "TR304" Error "the command holds no control, invisible or bidirectional control characters";
    COMMAND_QUOTING = "TR305" Error "every quote in the command is closed, and nothing is escaped at its end";
    COMMAND_OPERATOR = "TR306" Error "the command has no chaining, pipe, redirection, background, subshell or here-document";
    COMMAND_EXPANSION = "TR307" Error "the command has no variable or substitution that a shell would expand";
    COMMAND_PATTERN = "TR308" Warning "characters that a shell would expand are quoted";
    COMMAND_ASSIGNMENT = "TR309" Error "the command begins with a program, not with an assignment";
    COMMAND_SHELL = "TR310" Error "the program is not a shell";
    COMMAND_WRAPPER = "TR311" Error "the program does not start another program";
    COMMAND_PROGRAM = "TR312" Error "the program belongs to the declared language";
    COMMAND_INSTALL = "TR313" Error "the command installs or fetches no packages";
    COMMAND_HOST_PATH = "TR314" Error "paths lie below `/in` or `/out`, or are the interpreter's own";
    COMMAND_PARENT_PATH = "TR315" Error "paths have no `..` component";
    COMMAND_DEVICE = "TR316" Error "the command uses no device and asks for no privilege";
    COMMAND_UNDECLARED = "TR317" Warning "files that the command names are declared inputs";

    // Code for the Monty interpreter.
    CODE_EMPTY = "TR401" Error "`## Code` holds a program";
    CODE_FENCED = "TR402" Error "the code is plain text, not fenced";
    CODE_NAMES = "TR403" Warning "the code does without names that reach outside the interpreter";
    CODE_BIDI = "TR404" Error "the code holds no bidirectional control characters";
    INPUTS_JSON = "TR405" Error "`## Inputs (JSON)` is a JSON object";
    INPUTS_JSON_KEY = "TR406" Error "keys of `## Inputs (JSON)` are Python identifiers and not keywords";
    INPUTS_JSON_TWICE = "TR407" Error "a key of `## Inputs (JSON)` is given once";
    INPUTS_JSON_FENCED = "TR408" Error "`## Inputs (JSON)` is plain text, not fenced";

    // Anywhere in a document.
    SECRET = "TR501" Error "a document carries no secrets";
    OVERRIDE = "TR502" Error "a document carries no instruction overrides";

    // The original validator, where it differs.
    V1_SECTIONS = "TR902" Error "threegate-v1: headings are there as whole lines and in order";
    V1_METACHARACTER = "TR903" Error "threegate-v1: the command line has none of the characters `;&|<>)`, backtick and `$(`";
    V1_INSTALL = "TR904" Error "threegate-v1: the command line has none of `pip install`, `npm install` and `apt`";
    V1_FENCED = "TR905" Error "threegate-v1: command and code have no code fence";

    // Results.
    RESULT_TYPE = "TS101" Error "`result_type` is `tool_result`";
    RESULT_ID = "TS102" Error "`result_id` has the form `TS-<time>-<request id>`, and equals the name of a file that begins with `TS-`";
    RESULT_REQUEST_ID = "TS103" Error "`request_id` is a request id";
    RESULT_TEXT = "TS104" Error "`executor` and `backend` are given";
    RESULT_NUMBER = "TS105" Error "`exit_code` is a whole number and `runtime_sec` a number from 0";
    RESULT_NETWORK = "TS106" Error "`network_used` is `none` or `allowlist`, and `none` comes without destinations";
    RESULT_ARTIFACT = "TS107" Error "an artifact lies below `/out` or is a stream file, and has a `sha256`";
    RESULT_DIGEST = "TS108" Error "a digest is 64 hexadecimal digits";
    RESULT_EXIT_REASON = "TS109" Error "`exit_reason` is one that the specification names";
    RESULT_SECTION = "TS201" Error "sections are there, once, and in their order";
    RESULT_OUTPUTS = "TS202" Error "`## Outputs` and `artifacts` agree";
    RESULT_STREAM_LENGTH = "TS203" Error "a stream section holds at most 200 lines of output";
    RESULT_SAFETY_LABEL = "TS204" Error "`## Safety Notes` has its three labels";
    RESULT_PAYLOAD = "TS501" Error "a result carries nothing made to be run";
    RESULT_INSTRUCTION = "TS502" Error "a result claims no change of policy and gives no instructions";
}
