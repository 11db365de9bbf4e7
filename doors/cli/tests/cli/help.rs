//! Help, version, completions and manual pages.

use crate::door::Door;

#[test]
fn help_and_version_are_what_was_asked_for() {
    let door = Door::new();
    insta::assert_snapshot!(door.run(&["--version"]).all(), @"
    exit 0
    toolgate 0.1.0
    ---
    ");
    insta::assert_snapshot!(door.run(&["-h"]).all(), @r#"
    exit 0
    A gate in front of the tools of AI agents

    Usage: toolgate <COMMAND>

    Commands:
      demo         Play an agent's morning with the real gate, in a folder of its own
      check        Check Tool Request and Tool Result documents
      new          Write a new request document that passes all but the approval
      run          Run an approved request document in its lane, and write the result document
      init         Make a home for the gate, with a safe policy
      call         Put one tool call through the gate
      pending      List what waits for a person
      approve      Agree to what waits: look at exactly what will happen, and sign it
      deny         Refuse what waits
      grant        Look at what people agreed to for a while, and take it back
      policy       Look at the policy, test it, and put it in force
      ledger       Look at the record, and prove things about it
      screen       Say what a text carries that it should not
      doctor       Try what this machine has to run code in, and say how to get the rest
      lanes        Build what programs run in
      mcp          The gate as an MCP server, for agents
      proxy        The gate in front of other MCP servers
      completions  Print a completion script for a shell
      man          Print the manual page
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Examples:
      toolgate demo                        see the gate at work
      toolgate check requests/             check every document in a folder
      toolgate new --slug stats --purpose "Summarise the survey" ...
      toolgate init                        make a home with a safe policy
      toolgate call read_file --purpose look --args '{"path": "README.md"}' --dry-run
      toolgate help check                  all that `check` can do
    ---
    "#);
    insta::assert_snapshot!(door.run(&["check", "-h"]).all(), @"
    exit 0
    Check Tool Request and Tool Result documents

    Usage: toolgate check [OPTIONS] <PATH>...

    Arguments:
      <PATH>...  Files, folders (every `*.md` below, hidden ones left out), or `-` for standard input

    Options:
          --profile <PROFILE>  Which rules the documents are held to [default: strict] [possible values:
                               strict, threegate-v1]
          --format <FORMAT>    How to answer [default: text] [possible values: text, json]
          --quarantine <DIR>   Move rejected files to this folder, with the reasons beside them
          --watch              Go on checking what arrives in the folders, until interrupted
          --explain-profile    Show where the profiles part for each document
          --jobs <N>           How many documents are checked at once [default: one for each core]
      -h, --help               Print help (see more with '--help')

    Examples:
      toolgate check TR-20260209-160501Z-stats.md
      toolgate check --format json requests/ results/
      toolgate check --watch --quarantine quarantine/ drop/
      cat request.md | toolgate check -

    Exit codes: 0 all accepted, 2 at least one rejected, 3 at least one could not be checked
    ---
    ");
    insta::assert_snapshot!(door.run(&["new", "-h"]).all(), @r#"
    exit 0
    Write a new request document that passes all but the approval

    Usage: toolgate new [OPTIONS]

    Options:
          --slug <SLUG>
              The last part of the id: lower-case letters, digits and hyphens
          --purpose <PURPOSE>
              What it is for, in one sentence
          --language <LANGUAGE>
              python, node, ts, go or ruby
          --command <COMMAND>
              The command line to run, for the ERA backend
          --backend <BACKEND>
              Where it runs [possible values: era, monty]
          --code <FILE>
              The file with the Python code to run, for the monty backend
          --inputs-json <FILE>
              A file with a JSON object: the inputs of the code
          --result <TEXT>
              What the value of the code means
          --input <FILE>
              A file that the program reads, as `/in/<name>`; may be repeated
          --output <PATH[=DESCRIPTION]>
              A file that the program writes, below `/out`; may be repeated
          --allow <HOST[:PORT]>
              A host that the program may reach; may be repeated
          --cpu <CORES>
              Cores [default: 1]
          --memory-mb <MB>
              Memory, in megabytes [default: 512]
          --time-sec <SECONDS>
              Time, in seconds [default: 60]
          --constraint <TEXT>
              A further promise, in words; may be repeated
          --risk <RISK>
              low, medium or high
          --justification <JUSTIFICATION>
              Why the risk is what it is
          --sensitivity <SENSITIVITY>
              public, internal or confidential
          --network-rationale <NETWORK_RATIONALE>
              Why the network is needed
          --requested-by <REQUESTED_BY>
              Who asks: human or core_draft [default: human]
          --from <REQUEST>
              Start from this request: everything that no flag changes is taken over
          --dir <DIR>
              Where to write it; the file is named after the id [default: .]
          --stdout
              Print the document instead of writing a file
          --format <FORMAT>
              How to answer [default: text] [possible values: text, json]
      -h, --help
              Print help (see more with '--help')

    Examples:
      toolgate new --slug stats --purpose "Summarise the survey" --language python \
          --command "python /in/stats.py /in/survey.csv /out/summary.json" \
          --input stats.py --input survey.csv --output "/out/summary.json=Mean and median" \
          --risk low --justification "Reads one file, writes one" --sensitivity internal
      toolgate new --backend monty --code add.py --inputs-json numbers.json --slug add ...
      toolgate new                         asks for everything, on a terminal
    ---
    "#);
    insta::assert_snapshot!(door.run(&["completions", "-h"]).all(), @"
    exit 0
    Print a completion script for a shell

    Usage: toolgate completions <SHELL>

    Arguments:
      <SHELL>  The shell [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help  Print help

    Examples:
      toolgate completions bash > ~/.local/share/bash-completion/completions/toolgate
      toolgate completions fish > ~/.config/fish/completions/toolgate.fish
    ---
    ");
    insta::assert_snapshot!(door.run(&["man", "-h"]).all(), @"
    exit 0
    Print the manual page

    Usage: toolgate man [OPTIONS]

    Options:
          --out <DIR>  Write one page a command into this folder instead
      -h, --help       Print help

    Examples:
      toolgate man | man -l -
      toolgate man --out ~/.local/share/man/man1
    ---
    ");
}

#[test]
fn every_command_has_examples() {
    let door = Door::new();
    for command in ["check", "new", "draft", "completions", "man"] {
        for flag in ["-h", "--help"] {
            let ran = door.run(&[command, flag]);
            assert_eq!(ran.code, Some(0));
            assert!(ran.stdout.contains("\nExamples:\n  "), "{command} {flag}: {}", ran.stdout);
        }
    }
}

#[test]
fn completions_know_the_commands_in_every_shell() {
    let door = Door::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = door.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        for word in ["check", "new", "quarantine", "threegate-v1"] {
            let known = ran.stdout.contains(word) || shell == "elvish" || shell == "powershell";
            assert!(known, "{shell} does not know {word}");
        }
    }
}

#[test]
fn there_is_a_manual_page_and_one_for_each_command() {
    let door = Door::new();
    let ran = door.run(&["man"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains(".TH toolgate 1"), "{}", ran.stdout);
    let ran = door.run(&["man", "--out", "pages/man1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let names = door.names("pages/man1");
    for name in
        ["toolgate.1", "toolgate-check.1", "toolgate-new.1", "toolgate-man.1", "toolgate-completions.1"]
    {
        assert!(names.iter().any(|other| other == name), "{names:?}");
    }
    door.write("file", "");
    insta::assert_snapshot!(door.run(&["man", "--out", "file"]).all(), @"
    exit 3
    ---
    error: manual pages in `file`: file exists

    hint: `--out` names a folder that can be written to
    ");
}
