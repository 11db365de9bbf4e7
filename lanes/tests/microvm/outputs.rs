//! What a program leaves behind, however it is meant.

use lanes::{Jail, Lane as _};

use crate::kit::{python, search, works};

const PROGRAM: &str = r#"
import os, socket
os.symlink('/etc/shadow', '/out/link'); os.symlink('.', '/out/self'); os.mkfifo('/out/pipe')
open('/out/one', 'w').write('x'); os.link('/out/one', '/out/two'); open('/out/good', 'w').write('y')
socket.socket(socket.AF_UNIX).bind('/out/socket')
os.mkdir('/out/folder'); os.symlink('..', '/out/folder/up'); os.mkdir('/out/empty')
for name in ['-rf', 'a\nb', '\x1b[2J', 'a\\b', 'n' * 255, '\u202egpj.exe', ' ok ', '.hidden', 'ü']:
    open('/out/' + name, 'w')
open(b'/out/\xff', 'w')
open('/out/closed', 'w').write('x'); os.chmod('/out/closed', 0)
os.mkdir('/out/dir'); open('/out/dir/in', 'w').write('z'); os.chmod('/out/dir', 0)
os.truncate(os.open('/out/sparse', os.O_CREAT | os.O_WRONLY), 3 << 20)
os.makedirs('/out/' + '/'.join('d' * 20)); open('/out/' + 'd/' * 16 + 'deep', 'w').write('w')
"#;

/// The same program in the jail and in a machine: the same is taken, and the same is refused for the same.
#[test]
fn a_machine_takes_what_the_jail_takes() {
    let job = python(PROGRAM);
    let folder = tempfile::tempdir().unwrap();
    let jailed = Jail::new(search()).run(&job, folder.path()).unwrap();
    let ran = works(&job);
    assert_eq!(ran.ran.artifacts, jailed.artifacts);
    assert_eq!(ran.ran.unwanted, jailed.unwanted);
    assert_eq!(ran.ran.unwanted.len(), 15, "{:?}", ran.ran.unwanted);
    assert_eq!(ran.output("sparse").len(), 3 << 20);
}
