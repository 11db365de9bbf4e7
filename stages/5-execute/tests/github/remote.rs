//! A git remote with rules of its own, and the objects that are made before a branch is.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Refuses whatever would move the protected branch, and says so in a file.
const HOOK: &str = "#!/bin/sh\nif [ \"$1\" = refs/heads/main ]; then echo \"$@\" >> refused; exit 1; fi\n";

pub(crate) struct Remote {
    folder: TempDir,
}

impl Remote {
    /// With one commit on `main` and one on `develop`.
    pub(crate) fn new() -> Self {
        let remote = Self { folder: TempDir::new().unwrap() };
        for name in ["objects", "remote"] {
            let path = remote.folder.path().join(name);
            run(Command::new("git").args(["init", "-q", "--bare", "-b", "main"]).arg(&path), None);
        }
        remote.git(&["config", "receive.denyNonFastForwards", "true"], None);
        let tree = {
            let readme = remote.object("hello\n");
            let script = remote.object("#!/bin/sh\n");
            let link = remote.object("README.md");
            let tools = remote.make_tree(&format!("100755 blob {script}\trun.sh\n"));
            remote.make_tree(&format!(
                "100644 blob {readme}\tREADME.md\n120000 blob {link}\tlink\n100644 blob {readme}\told.txt\n040000 tree {tools}\ttools\n"
            ))
        };
        let commit = remote.commit(&tree, "first", &[]);
        remote.push(&format!("{commit}:refs/heads/main")).unwrap();
        remote.push(&format!("{commit}:refs/heads/develop")).unwrap();
        let hook = remote.path("remote").join("hooks/update");
        std::fs::write(&hook, HOOK).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
        remote
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Asks the remote.
    pub(crate) fn git(&self, words: &[&str], input: Option<&[u8]>) -> String {
        let output = run(Command::new("git").arg("--git-dir").arg(self.path("remote")).args(words), input);
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// The commit that a branch is at.
    pub(crate) fn head(&self, branch: &str) -> Option<String> {
        let name = format!("refs/heads/{branch}");
        let found = self.git(&["for-each-ref", "--format=%(refname) %(objectname)"], None);
        found
            .lines()
            .find_map(|line| line.split_once(' ').filter(|(known, _)| *known == name))
            .map(|(_, sha)| sha.to_owned())
    }

    pub(crate) fn branches(&self) -> Vec<String> {
        let found = self.git(&["for-each-ref", "--format=%(refname:short)"], None);
        found.lines().map(str::to_owned).collect()
    }

    /// What the remote's own rules refused.
    pub(crate) fn refused(&self) -> bool {
        self.path("remote").join("refused").exists()
    }

    /// Objects are made apart from the remote, which gets them with a push that is never forced.
    pub(crate) fn objects(&self, words: &[&str], input: Option<&[u8]>) -> Option<String> {
        let index = self.path("index");
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(self.path("objects")).env("GIT_INDEX_FILE", index).args(words);
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "forge")
                .env(format!("GIT_{who}_EMAIL"), "forge@localhost");
        }
        let output = attempt(&mut command, input);
        output
            .status
            .success()
            .then(|| String::from_utf8(output.stdout).unwrap().trim_end_matches('\n').to_owned())
    }

    pub(crate) fn push(&self, what: &str) -> Option<String> {
        let to = self.path("remote");
        self.objects(&["push", "-q", path(&to), what], None)
    }

    pub(crate) fn object(&self, content: &str) -> String {
        self.objects(&["hash-object", "-w", "--stdin"], Some(content.as_bytes())).unwrap()
    }

    fn make_tree(&self, lines: &str) -> String {
        self.objects(&["mktree"], Some(lines.as_bytes())).unwrap()
    }

    pub(crate) fn commit(&self, tree: &str, message: &str, parents: &[&str]) -> String {
        let mut words = vec!["commit-tree", tree, "-m", message];
        for parent in parents {
            words.extend(["-p", parent]);
        }
        self.objects(&words, None).unwrap()
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(command: &mut Command, input: Option<&[u8]>) -> Output {
    let output = attempt(command, input);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn attempt(command: &mut Command, input: Option<&[u8]>) -> Output {
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git is needed");
    child.stdin.take().unwrap().write_all(input.unwrap_or_default()).unwrap();
    child.wait_with_output().unwrap()
}
