//! Archives that are fetched, unpacked and started at once.

use call::Span;

use super::keeping::file_name;
use super::{Judge, Source};
use crate::act::program::{Origin, Program, Runs};

impl Judge<'_> {
    /// `curl … | tar xz && ./install.sh`: what was fetched in an archive and is started at once.
    pub(super) fn unpack(
        &mut self,
        program: &Program<'_>,
        source: Option<Source>,
        span: Span,
        mention: bool,
    ) {
        if !self.is_line() {
            return;
        }
        let (name, arguments) = (program.name(), program.arguments());
        if UNPACKERS.contains(&name) {
            let piped = source.is_some_and(|source| source.origin == Origin::Elsewhere);
            let kept = arguments.iter().any(|word| self.files.contains(&file_name(&word.text)));
            let folder = arguments
                .iter()
                .zip(arguments.iter().skip(1))
                .find(|(flag, _)| matches!(&*flag.text, "-C" | "-d" | "--directory"));
            if piped || kept {
                self.unpacked = Some(folder.map_or(String::new(), |(_, folder)| folder.text.clone()));
            }
            return;
        }
        let Some(folder) = self.unpacked.clone() else { return };
        if matches!(name, "cd" | "pushd") {
            // From here on everything lies in what was unpacked, if it was unpacked there.
            let to = arguments.first().map_or("", |word| &*word.text);
            if folder.is_empty() || to.trim_end_matches('/') == folder.trim_end_matches('/') {
                self.unpacked = Some(".".to_owned());
            }
            return;
        }
        let started = match program.runs() {
            Runs::File(file) => Some(file),
            Runs::Input | Runs::Line(_) | Runs::Code(_) | Runs::Nothing => program.words.first(),
        };
        if started.is_some_and(|word| is_started_from(&word.text, &folder)) {
            self.report("download_then_run", span, mention);
        }
    }
}

/// Programs that unpack archives.
const UNPACKERS: &[&str] = &["tar", "bsdtar", "gtar", "unzip", "cpio", "7z", "7za", "unar", "bsdcpio", "pax"];

/// Is this a file out of an archive that was unpacked into `folder`, and made to be started? In a folder that
/// is not told, files of the workspace lie beside it, so that only what installs something counts.
fn is_started_from(path: &str, folder: &str) -> bool {
    let relative = !path.starts_with(['/', '~', '$', '-']) && path.contains('/');
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    const INSTALLS: &[&str] =
        &["install", "setup", "bootstrap", "init", "update", "upgrade", "payload", "deploy"];
    let installs = INSTALLS.iter().any(|start| stem.starts_with(start)) || matches!(stem, "run" | "start");
    let script = [".sh", ".bash", ".py", ".pl", ".rb", ".js"].iter().any(|ending| name.ends_with(ending));
    // The usual way to build what was fetched as source.
    let builds = matches!(stem, "configure" | "gradlew" | "mvnw" | "autogen" | "waf");
    match folder {
        "" => installs && (relative || script),
        "." => (relative && !builds) || (installs && script),
        folder => {
            let below = path
                .trim_start_matches("./")
                .strip_prefix(folder.trim_start_matches("./").trim_end_matches('/'));
            below.is_some_and(|below| below.starts_with('/')) && !builds
        }
    }
}
