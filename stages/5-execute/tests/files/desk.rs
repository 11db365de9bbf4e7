//! A workspace of its own for each test, and calls that were decided about as they stand.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use call::{
    AbsolutePath, Actor, Arguments, Change, Confinement, Content, Done, Effect, Effects, Errand, Expected,
    Fault, Judge, Moment, PathPlace, Reach, Reason, ReasonCode, RunCaps, Sha256,
};
use execute::files::Files;
use execute::place::Locator;
use serde_json::{Value, json};
use tempfile::TempDir;

/// `ws` is the workspace and the root, `out` is not.
pub(crate) struct Desk {
    _folder: Option<TempDir>,
    pub(crate) base: PathBuf,
    pub(crate) locator: Arc<Locator>,
    pub(crate) files: Files,
    pub(crate) denied: Denied,
    pub(crate) walls: Confinement,
    pub(crate) cancelled: AtomicBool,
}

/// A policy that denies what has one of these components.
#[derive(Default)]
pub(crate) struct Denied(pub(crate) Vec<&'static str>);

impl Judge for Denied {
    fn allows(&self, effect: &Effect) -> Result<(), Reason> {
        let Effect::Read { path, .. } = effect else { panic!("only reads are asked about") };
        let PathPlace::Below { path, .. } = &path.place else {
            panic!("only places below a root are asked about")
        };
        if path.components().any(|name| self.0.contains(&name)) {
            return Err(Reason {
                code: ReasonCode::PATH_DENIED,
                message: "denied".to_owned(),
                rule: None,
                remedy: None,
            });
        }
        Ok(())
    }
}

pub(crate) fn walls() -> Confinement {
    Confinement {
        max_file_chars: 8000,
        lane: None,
        sandbox_required: false,
        max_runtime_seconds: None,
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    }
}

pub(crate) fn actor() -> Actor {
    Actor {
        agent: "scribe".parse().unwrap(),
        session: "s-1".parse().unwrap(),
        skills: call::SkillChain::default(),
        context: call::CallContext::Agent,
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        Self { _folder: Some(folder), ..Self::at(&base) }
    }

    /// Where nothing waits for a disk, so that more happens in less time.
    pub(crate) fn in_memory() -> Self {
        let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return Self::new() };
        let base = folder.path().canonicalize().unwrap();
        Self { _folder: Some(folder), ..Self::at(&base) }
    }

    /// On a disk that is there already.
    pub(crate) fn at(base: &Path) -> Self {
        for folder in ["ws", "ws/.toolgate", "out"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        let path = |name: &str| AbsolutePath::parse(base.join(name).to_str().unwrap()).unwrap();
        let locator = Arc::new(Locator::new(&path("ws"), &[path("ws")], &path("ws/.toolgate")).unwrap());
        Self {
            _folder: None,
            base: base.to_owned(),
            files: Files::new(Arc::clone(&locator)),
            locator,
            denied: Denied::default(),
            walls: walls(),
            cancelled: AtomicBool::new(false),
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), content).unwrap();
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.path(path)).unwrap()).unwrap()
    }

    pub(crate) fn link(&self, path: &str, target: &str) {
        let absolute = target.strip_prefix('@').map(|target| self.path(target));
        symlink(absolute.as_deref().unwrap_or(Path::new(target)), self.path(path)).unwrap();
    }

    /// The names in a folder but the home's, sorted.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(path))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != ".toolgate")
            .collect();
        names.sort();
        names
    }

    /// The effects of a call, as stage 1 gives them.
    pub(crate) fn effects(&self, tool: &str, arguments: &Value) -> Effects {
        let path = arguments["path"].as_str().unwrap().to_owned();
        let text = |name: &str| arguments[name].as_str().unwrap_or_default().as_bytes().to_owned();
        let effect = match tool {
            "list_files" | "search_files" => Effect::Read { path, reach: Reach::Below },
            "read_file" | "diff" => Effect::Read { path, reach: Reach::Itself },
            "write_file" => {
                let content = match arguments["content_base64"].as_str() {
                    Some(base64) => data_encoding::BASE64.decode(base64.as_bytes()).unwrap(),
                    None => text("content"),
                };
                let change = Change::Content {
                    sha256: Sha256::of(&content),
                    bytes: content.len() as u64,
                    binary: false,
                    create_dirs: arguments["create_dirs"] == json!(true),
                };
                Effect::Write { path, change }
            }
            "edit_file" => {
                let change = Change::Edit {
                    old: Sha256::of(&text("old")),
                    new: Sha256::of(&text("new")),
                    bytes: text("new").len() as u64,
                    binary: text("new").contains(&0),
                    all: arguments["all"] == json!(true),
                };
                Effect::Write { path, change }
            }
            "delete_file" => Effect::Delete { path },
            other => panic!("no tool {other}"),
        };
        Effects::new(vec![effect]).located(&*self.locator)
    }

    /// A call that is decided about and run at once.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Result<Done, Fault> {
        self.run(tool, arguments, &self.effects(tool, arguments), None)
    }

    /// A call that was decided about before.
    pub(crate) fn run(
        &self,
        tool: &str,
        arguments: &Value,
        effects: &Effects,
        expected: Option<&Expected>,
    ) -> Result<Done, Fault> {
        self.run_with(&self.denied, tool, arguments, effects, expected)
    }

    /// With a policy of one's own.
    pub(crate) fn run_with(
        &self,
        judge: &dyn Judge,
        tool: &str,
        arguments: &Value,
        effects: &Effects,
        expected: Option<&Expected>,
    ) -> Result<Done, Fault> {
        let name = tool.parse().unwrap();
        let arguments = arguments_of(arguments);
        let errand = Errand {
            tool: &name,
            arguments: &arguments,
            actor: &actor(),
            effects,
            walls: &self.walls,
            expected,
            judge,
            now: Moment::from_civil((2026, 11, 17), (12, 0, 0)).unwrap(),
            cancelled: &self.cancelled,
        };
        match tool {
            "list_files" => self.files.list_files(&errand),
            "read_file" => self.files.read_file(&errand),
            "search_files" => self.files.search_files(&errand),
            "diff" => self.files.diff(&errand),
            "write_file" => self.files.write_file(&errand),
            "edit_file" => self.files.edit_file(&errand),
            "delete_file" => self.files.delete_file(&errand),
            other => panic!("no tool {other}"),
        }
    }

    /// The class of the fault of a call.
    pub(crate) fn fails(&self, tool: &str, arguments: &Value) -> String {
        self.call(tool, arguments).unwrap_err().class().to_owned()
    }
}

pub(crate) fn arguments_of(arguments: &Value) -> Arguments {
    Arguments::from(arguments.as_object().unwrap().clone())
}

/// What was asked for, of a text.
pub(crate) fn shown(done: &Done) -> &str {
    let Content::Text(text) = &done.content else { panic!("no text: {done:?}") };
    done.excerpt.map_or(text.as_str(), |excerpt| excerpt.span.of(text).unwrap())
}

pub(crate) fn data(done: &Done) -> &Value {
    let Content::Data(data) = &done.content else { panic!("no data: {done:?}") };
    data
}
