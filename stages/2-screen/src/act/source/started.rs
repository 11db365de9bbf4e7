//! Programs that start another one which prints the environment: `os.system("env")`, `check_output(["printenv"])`.

use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use crate::act::compiled;

/// One that is started.
pub(super) struct Started {
    pub(super) span: Span,
    /// It prints where its starter does, and nobody takes up what it says.
    pub(super) shows: bool,
}

/// Every place where such a program is started, in order.
pub(super) fn find(text: &str) -> Vec<Started> {
    static STARTS: OnceLock<Option<Regex>> = OnceLock::new();
    static TAKES: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"\b(?:os\.|subprocess\.|Kernel\.|child_process\.|cp\.)?(?:(?P<shows>system|exec[lv]\w*|spawn[lv]\w*|run|call|check_call|passthru)|check_output|getoutput|popen2?|Popen|execSync|execFileSync|spawnSync|spawn|exec|execFile|shell_exec|exec\.Command|capture2e?)\s*\(\s*(?:\[\s*[fbru]?["'`](?:/\w+){0,3}/?(?:env|printenv)["'`]\s*,?\s*\]|[fbru]?["'`](?:/\w+){0,3}/?(?:env|printenv|set|export -p|declare -[xp]|cat /proc/self/environ)(?:\s*\|[^"'`\n]{0,80})?["'`]\s*(?:\)|,\s*(?:\[\s*\]|\[\s*["'`]\w+["'`]\s*\]|\{|\(|\w+\s*[=:]|["'`]\w+["'`]\s*\))))"#;
    let Some(starts) =
        compiled(&STARTS, pattern).filter(|_| memchr::memmem::find(text.as_bytes(), b"env").is_some())
    else {
        return Vec::new();
    };
    let takes = compiled(&TAKES, r"capture_output|stdout|PIPE|DEVNULL|stdio\s*:\s*.?pipe");
    let one = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        let end = text.floor_char_boundary(all.end().saturating_add(120));
        let rest = text.get(all.end()..end).unwrap_or_default();
        let rest = rest.split(['\n', ';']).next().unwrap_or_default();
        let taken =
            takes.is_some_and(|takes| takes.is_match(all.as_bytes()) || takes.is_match(rest.as_bytes()));
        let inherits = rest.contains("inherit");
        let shows = (captures.name("shows").is_some() && !taken) || inherits;
        Some(Started { span: Span::new(all.start(), all.end()), shows })
    };
    starts.captures_iter(text.as_bytes()).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_program_that_prints_the_environment_is_told_from_one_that_sets_it() {
        let cases: [(&str, Option<bool>); 14] = [
            // program, does it show the environment?
            ("os.system('env')", Some(true)),
            ("os.system(\"printenv | sort\")", Some(true)),
            ("subprocess.run(['env'])", Some(true)),
            ("subprocess.run('env', shell=True)", Some(true)),
            ("os.execvp('env', ['env'])", Some(true)),
            ("execSync('env', {stdio: 'inherit'})", Some(true)),
            ("execSync('env').toString()", Some(false)),
            ("subprocess.check_output('env')", Some(false)),
            ("subprocess.run(['env'], capture_output=True)", Some(false)),
            ("subprocess.run(['env', 'CI=1', 'make'])", None),
            ("os.system('env CI=1 make')", None),
            ("subprocess.run(['make'], env=env)", None),
            ("run('environment')", None),
            ("config.set('env')", None),
        ];
        for (text, want) in cases {
            assert_eq!(find(text).first().map(|started| started.shows), want, "{text}");
        }
    }
}
