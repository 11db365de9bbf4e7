//! Every rule that the files of a policy are held to, as one table.
//!
//! `docs/rules.md` is generated from this table.

call::rules! {
    // Any file of a policy.
    POLICY_TOO_LARGE = "PO001" Error "a file of the policy holds at most 8 MiB of UTF-8 text";
    POLICY_SYNTAX = "PO002" Error "a file of the policy can be parsed";
    UNKNOWN_KEY = "PO003" Error "every key of `policy.toml` and every top-level key of a manifest is known";
    MISSING_KEY = "PO004" Error "every required key is given";
    WRONG_TYPE = "PO005" Error "a value has the type that its key asks for";
    OUT_OF_RANGE = "PO006" Error "a number lies in its range, a word is one of its choices";

    // Entries of lists.
    BAD_PATH_ENTRY = "PO010" Error "an entry of a list of paths is a folder, a file or a glob";
    BAD_HOST_ENTRY = "PO011" Error "an entry of a list of hosts is an origin, `host`, `host:port` or `*.domain`";
    REPEATED_ENTRY = "PO012" Warning "an entry stands in a list once";
    SHADOWED_ENTRY = "PO013" Warning "an entry adds something to the entries around it";
    NEVER_MATCHES = "PO014" Warning "a rule can match something";

    // `policy.toml`.
    ROOT_DENIED = "PO020" Error "no root is denied as a whole";
    NO_ROOTS = "PO021" Warning "there is a root, or no file can be read";
    WIDE_ROOT = "PO022" Warning "a root is neither `/` nor a home folder";
    NETWORK_WITHOUT_LIST = "PO023" Error "an enabled network has a list of hosts";
    UNKNOWN_TOOL_NAME = "PO024" Warning "a tool that is named is one that the gate has or that a mapping describes";
    UNUSED_WITH_READ_ONLY = "PO025" Warning "what is set has an effect";
    DATABASE_DENIED = "PO026" Error "a database lies at no path that is denied, and not in the gate's home";
    EMPTY_POLICY = "PO027" Error "`policy.toml` says something";

    // `PERMISSIONS.json`.
    NAME_NOT_FOLDER = "PO040" Error "a manifest has the name of its folder";
    BAD_VERSION = "PO041" Error "the version is a semantic version";
    SANDBOX_NEEDED = "PO042" Error "a skill of high or critical risk requires the sandbox";
    SKILL_NETWORK_WITHOUT_LIST = "PO043" Error "a skill with network has a list of hosts";
    LOW_TIER_NETWORK = "PO044" Error "a skill of low risk has no network";
    RUNTIME_ABOVE_TIER = "PO045" Error "the run time is at most what the risk tier allows: 60, 120, 300, 600 s";
    DENY_PATH_MISSING = "PO046" Warning "`deny_paths` names `~/.ssh`, `~/.aws`, `~/.config`, `/etc`, `/var` and `/proc`";
    TOOL_ON_BOTH_LISTS = "PO047" Warning "a tool is allowed or denied, not both";
    UNKNOWN_NESTED_KEY = "PO048" Warning "nested keys of a manifest are known";
    OUTSIDE_CEILING = "PO049" Warning "what a skill lists lies within what the home allows";

    // `policies/*.cedar`.
    CEDAR_SYNTAX = "PO060" Error "an organisation policy is Cedar, nested no deeper than 64 levels, with at most 1,024 operators";
    CEDAR_INVALID = "PO061" Error "an organisation policy fits the schema";
    CEDAR_ID = "PO062" Error "ids of organisation policies are given once";
    CEDAR_TEMPLATE = "PO063" Error "organisation policies are not templates";
    CEDAR_IMPOSSIBLE = "PO064" Error "an organisation policy can apply to something";
    CEDAR_APPROVAL = "PO065" Error "`@approval(\"required\")` stands on a `forbid` that an approval lifts";
    CEDAR_NOT_READ = "PO066" Error "what lies in `policies` is read: files whose names end with `.cedar`";

    // `tools/*.toml`.
    BAD_MAPPING = "PO080" Error "a mapping says of every argument of a tool what it is for";
}
