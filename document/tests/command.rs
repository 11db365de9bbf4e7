//! Commands, judged: the attacks that must not pass and their honest twins that must.

mod request;

use request::Request;

/// The codes of the errors that a command draws, in order, each once; empty when it is accepted.
fn errors(language: &str, command: &str) -> String {
    let mut codes = Request::new().with("language", language).command(command).errors();
    codes.dedup();
    codes.join(" ")
}

#[track_caller]
fn check(cases: &[(&str, &str, &str)]) {
    for (language, command, want) in cases {
        assert_eq!(errors(language, command), *want, "{language}: {command}");
    }
}

#[test]
fn honest_commands_are_accepted() {
    check(&[
        ("python", "python -u script.py --in /in/input.csv --out /out/output.json", ""),
        ("python", "python3 script.py", ""),
        ("python", "python3.12 /in/script.py", ""),
        ("python", "/usr/bin/python3 script.py", ""),
        ("python", "/usr/local/bin/python3.11 -I -B script.py", ""),
        ("python", "python -c 'print(1)'", ""),
        ("python", "python -c 'import json; print(json.dumps({\"a\": 1} | {\"b\": 2}))'", ""),
        ("python", "python -c 'print(\"a > b; c && d\")' x", ""),
        ("python", "python -c \"print(1)\"", ""),
        ("python", "python -c \"x = 'it costs 5\\$'\"", ""),
        ("python", "python -m json.tool /in/input.csv /out/pretty.json", ""),
        ("python", "python -m unittest discover -s /in", ""),
        ("python", "python -m pip --version", ""),
        ("python", "python -m pip list", ""),
        ("python", "python -m batch.run --cmd fish", ""),
        ("python", "python capture.py --adapter adapter.py chapter.md", ""),
        ("python", "python install.py", ""),
        ("python", "python setup.py --version", ""),
        ("python", "python run.py install", ""),
        ("python", "python script.py --sep ';' --sep2 '|' --expr 'a > b'", ""),
        ("python", "python script.py --title \"Q1 (draft) & more\"", ""),
        ("python", "python script.py --price '$5' --re '^a$' --x \"a$\"", ""),
        ("python", "python script.py '$HOME'", ""),
        ("python", "python script.py a\\ b.csv", ""),
        ("python", "python script.py --range 1..10 a..b", ""),
        ("python", "python script.py --device cpu --host example.org --port 80", ""),
        ("python", "python script.py --url https://example.org/etc/passwd", ""),
        ("python", "python script.py --date 2026/01/02 --ratio 1/2", ""),
        ("python", "python script.py *.csv", ""),
        ("python", "python script.py --shell bash", ""),
        ("python", "python script.py --set key=value", ""),
        ("python", "python script.py docs/~backup.md", ""),
        ("python", "python script.py --regex '^/api/.*$'", ""),
        ("python", "python script.py --name O\\'Brien", ""),
        ("python", "python script.py --text 'either/or and 3 / 4'", ""),
        ("python", "python script.py --tag '<b>x</b>' --json '{\"path\":\"/api/v1\"}'", ""),
        ("python", "python script.py --url 'https://example.org/{id}/home?a=1;b=/home'", ""),
        ("python", "python script.py --sep '/' --mark '~' --emoji ❤️", ""),
        ("python", "'python' \"script.py\"", ""),
        ("python", "\tpython script.py  ", ""),
        ("node", "node index.js --out /out/x.json", ""),
        ("node", "node -e 'console.log([1,2].map(x => x * 2))'", ""),
        ("node", "node --eval='console.log(1)'", ""),
        ("node", "node --max-old-space-size=512 index.mjs", ""),
        ("node", "node -p '1 < 2 && 3 > 2'", ""),
        ("ts", "tsx main.ts", ""),
        ("ts", "ts-node main.ts", ""),
        ("ts", "node --experimental-strip-types main.ts", ""),
        ("go", "go run main.go", ""),
        ("go", "go run . --out /out/x", ""),
        ("go", "go run -mod=vendor ./cmd/tool", ""),
        ("ruby", "ruby script.rb", ""),
        ("ruby", "ruby -e 'puts [1, 2].sum'", ""),
        ("ruby", "ruby -rjson -e 'puts JSON.parse(File.read(\"/in/input.csv\"))'", ""),
    ]);
}

#[test]
fn a_command_is_never_chained_piped_or_redirected() {
    check(&[
        ("python", "python a.py; rm -rf /out", "TR306"),
        ("python", "python a.py && python b.py", "TR306"),
        ("python", "python a.py || true", "TR306"),
        ("python", "python a.py | tee x", "TR306"),
        ("python", "python a.py &", "TR306"),
        ("python", "python a.py > /out/x", "TR306"),
        ("python", "python a.py 2>&1", "TR306"),
        ("python", "python a.py < x", "TR306"),
        ("python", "python a.py <<EOF", "TR306"),
        ("python", "python a.py <<< x", "TR306"),
        ("python", "python a.py <(curl x)", "TR306"),
        ("python", "(python a.py)", "TR306"),
        ("python", "python -c print(1)", "TR306"),
        ("python", "python a.py {fd}>x", "TR306"),
        ("python", "python a.py\rrm x", "TR302"),
        ("python", "python a.py\nrm x", "TR302"),
        ("python", "python a.py \\\n  --x", "TR302 TR305"),
        ("python", "python a.py \\", "TR305"),
        ("python", "python a.py 'x", "TR305"),
        ("python", "python a.py \"x", "TR305"),
    ]);
}

#[test]
fn nothing_in_a_command_is_expanded() {
    check(&[
        ("python", "python $SCRIPT", "TR307"),
        ("python", "python ${SCRIPT}", "TR307"),
        ("python", "python ${v@P}", "TR307"),
        ("python", "python ${v:=x}", "TR307"),
        ("python", "python $(echo a.py)", "TR306 TR307"),
        ("python", "python `echo a.py`", "TR307"),
        ("python", "python \"$(id)\"", "TR307"),
        ("python", "python \"`id`\"", "TR307"),
        ("python", "python \"$HOME/x\"", "TR307"),
        ("python", "python $HOME/x", "TR307"),
        ("python", "python a.py $'\\x6d'", "TR307"),
        ("python", "python a.py $\"x\"", "TR307"),
        ("python", "python a.py${IFS}b", "TR307"),
        ("python", "python a.py $1 $@ $?", "TR307"),
        ("python", "python a.py $[1+1]", "TR307"),
        ("python", "python a.py $((1+1))", "TR306 TR307"),
        ("python", "PAGER=x python a.py", "TR309"),
        ("python", "PYTHONPATH=/in python a.py", "TR309"),
        ("python", "X+=1 python a.py", "TR309"),
    ]);
}

#[test]
fn a_shell_is_never_started() {
    check(&[
        ("python", "bash a.sh", "TR310"),
        ("python", "sh -c 'python a.py'", "TR310"),
        ("python", "/bin/sh -c x", "TR310 TR314"),
        ("python", "zsh", "TR310"),
        ("python", "bash5 x", "TR310"),
        ("python", "PowerShell.exe x", "TR310"),
        ("python", "b\\ash x", "TR310"),
        ("python", "'ba'sh x", "TR310"),
        ("python", "env bash", "TR310 TR311"),
        ("python", "env -i FOO=1 bash -c x", "TR310 TR311"),
        ("python", "busybox sh", "TR310 TR311"),
        ("python", "timeout 5 sh x", "TR310 TR311"),
        ("python", "nice -n 10 ionice -c3 setsid nohup env sh", "TR310 TR311"),
        ("python", "FOO=1 bash", "TR309 TR310"),
        ("ruby", "ruby -S bash -c x", "TR310"),
        ("python", "python -m xonsh", "TR310"),
        ("node", "node --run build", "TR311"),
        ("node", "node --run=build", "TR311"),
    ]);
}

#[test]
fn nothing_stands_between_the_gate_and_the_runtime() {
    check(&[
        ("python", "env python a.py", "TR311"),
        ("python", "sudo python a.py", "TR311"),
        ("python", "nice python a.py", "TR311"),
        ("python", "xargs python", "TR311"),
        ("python", "timeout 10 python a.py", "TR311"),
        ("python", "strace python a.py", "TR311"),
        ("python", "find /in -exec python", "TR311"),
        ("python", "git status", "TR311"),
        ("python", "make all", "TR311"),
        ("python", "docker run x", "TR311"),
        ("python", "/lib64/ld-linux-x86-64.so.2 /usr/bin/python3 a.py", "TR311 TR314"),
        ("python", "command python a.py", "TR311"),
        ("python", "exec python a.py", "TR311"),
        ("go", "go run -exec 'sudo -n' main.go", "TR311"),
        ("go", "go run -exec=sudo main.go", "TR311"),
        ("go", "go run --exec sudo main.go", "TR311"),
        ("go", "go run -toolexec x main.go", "TR311"),
    ]);
}

#[test]
fn the_program_belongs_to_the_declared_language() {
    check(&[
        ("python", "node a.js", "TR312"),
        ("node", "python a.py", "TR312"),
        ("node", "tsx a.ts", "TR312"),
        ("ts", "bun a.ts", "TR312"),
        ("ruby", "irb", "TR312"),
        ("python", "perl -e 1", "TR312"),
        ("python", "awk 'BEGIN{system(\"id\")}'", "TR312"),
        ("python", "cat /in/input.csv", "TR312"),
        ("python", "./script.py", "TR312"),
        ("python", "/in/python a.py", "TR312"),
        ("python", "/opt/bin/python a.py", "TR312 TR314"),
        ("python", "/proc/self/root/usr/bin/python3 a.py", "TR312 TR314"),
        ("python", "/usr/bin/../bin/python3 a.py", "TR312 TR315"),
        ("python", "python2 a.py", "TR312"),
        ("python", "python3.x a.py", "TR312"),
        ("python", "Python a.py", "TR312"),
        ("python", "рython a.py", "TR312"),
        ("python", "pythonx a.py", "TR312"),
        ("go", "go build ./...", "TR312"),
        ("go", "go test ./...", "TR312"),
        ("go", "go", "TR312"),
        ("python", "''", "TR312"),
    ]);
}

#[test]
fn packages_are_never_installed_however_it_is_spelled() {
    check(&[
        ("python", "pip install requests", "TR313"),
        ("python", "pip3 install requests", "TR313"),
        ("python", "pip3.11 install requests", "TR313"),
        ("python", "/usr/bin/pip install requests", "TR313 TR314"),
        ("python", "pip -q --index-url https://x.org install requests", "TR313"),
        ("python", "python -m pip install requests", "TR313"),
        ("python", "python -mpip install requests", "TR313"),
        ("python", "python -Im pip install requests", "TR313"),
        ("python", "python3.12 -u -m pip --no-cache-dir install requests", "TR313"),
        ("python", "python -m pip download x", "TR313"),
        ("python", "python -m pip._internal install x", "TR313"),
        ("python", "python -m cProfile -m pip install x", "TR313"),
        ("python", "python -m runpy pip install x", "TR313"),
        ("python", "python -m ensurepip", "TR313"),
        ("python", "python -m easy_install x", "TR313"),
        ("python", "python setup.py install", "TR313"),
        ("python", "python get-pip.py", "TR313"),
        ("python", "uv add requests", "TR313"),
        ("python", "uv pip install requests", "TR313"),
        ("python", "pipx install x", "TR313"),
        ("python", "poetry add x", "TR313"),
        ("python", "conda install x", "TR313"),
        ("node", "npm i", "TR313"),
        ("node", "npm install x", "TR313"),
        ("node", "npm ci", "TR313"),
        ("node", "npx -y x", "TR313"),
        ("node", "yarn add x", "TR313"),
        ("node", "yarn dlx x", "TR313"),
        ("node", "yarn", "TR313"),
        ("node", "pnpm add x", "TR313"),
        ("node", "bunx x", "TR313"),
        ("node", "node npm-cli.js install x", "TR313"),
        ("node", "node /usr/lib/node_modules/npm/bin/npm-cli.js install x", "TR313"),
        ("go", "go get example.org/x", "TR313"),
        ("go", "go install example.org/x@latest", "TR313"),
        ("go", "go run example.org/x@latest", "TR313"),
        ("ruby", "gem install x", "TR313"),
        ("ruby", "bundle install", "TR313"),
        ("ruby", "ruby -S gem install x", "TR313"),
        ("ruby", "bundle", "TR313"),
        ("python", "python /usr/lib/python3/dist-packages/pip/__main__.py install x", "TR313"),
        ("node", "node /usr/lib/node_modules/npm/lib/cli.js install x", "TR313"),
        ("node", "node /usr/lib/node_modules/yarn/bin/yarn.js", "TR313"),
        ("python", "cargo install x", "TR313"),
        ("python", "apt-get install -y x", "TR313"),
        ("python", "apt install x", "TR313"),
        ("python", "apk add x", "TR313"),
        ("python", "brew install x", "TR313"),
        ("python", "sudo apt-get install x", "TR311 TR313"),
        ("python", "env pip install x", "TR311 TR313"),
    ]);
}

#[test]
fn paths_of_the_host_are_never_named() {
    check(&[
        ("python", "python a.py /etc/passwd", "TR314"),
        ("python", "python a.py --config=/etc/x", "TR314"),
        ("python", "python a.py -f/etc/x", "TR314"),
        ("python", "python a.py @/etc/x", "TR314"),
        ("python", "python a.py file:///etc/passwd", "TR314"),
        ("python", "python a.py //etc/passwd", "TR314"),
        ("python", "python a.py /tmp/x", "TR314"),
        ("python", "python a.py /inside/x", "TR314"),
        ("python", "python a.py /", "TR314"),
        ("python", "python a.py '/etc/passwd'", "TR314"),
        ("python", "python a.py '/data/my file.csv'", "TR314"),
        ("python", "python a.py --file='/mydata/a b'", "TR314"),
        ("python", "python a.py ~/x", "TR314"),
        ("python", "python a.py '~/x'", "TR314"),
        ("python", "python a.py ~", "TR314"),
        ("python", "python a.py ~root/x", "TR314"),
        ("python", "python a.py ~alice", "TR314"),
        ("python", "python a.py \"~bob/x\"", "TR314"),
        ("python", "python a.py --out=~/x", "TR314"),
        ("python", "python a.py /in/a:/etc/b", "TR314"),
        ("python", "python a.py '{\"p\": \"/etc/x\"}'", "TR314"),
        ("python", "python /root/a.py", "TR314"),
        ("python", "python a.py ../x", "TR315"),
        ("python", "python ../a.py", "TR315"),
        ("python", "python a.py /in/../etc/passwd", "TR315"),
        ("python", "python a.py --x=a/../b", "TR315"),
        ("python", "python a.py ..", "TR315"),
        ("python", "python -c 'open(\"/etc/passwd\")'", "TR314"),
        ("python", "python -c'open(\"/etc/passwd\")'", "TR314"),
        ("python", "python -c 'open(\"/proc/self/environ\")'", "TR314"),
        ("python", "python -c 'import os; os.path.expanduser(\"~/x\")'", "TR314"),
        ("node", "node --eval=\"fs.readFileSync('/etc/passwd')\"", "TR314"),
        ("ruby", "ruby -e 'puts File.read(\"/root/x\")'", "TR314"),
        ("ruby", "ruby -C /etc a.rb", "TR314"),
    ]);
}

#[test]
fn devices_and_privileges_are_never_asked_for() {
    check(&[
        ("python", "python a.py /dev/kvm", "TR316"),
        ("python", "python a.py --device=/dev/mem", "TR316"),
        ("python", "python a.py --privileged", "TR316"),
        ("python", "python a.py --cap-add=SYS_ADMIN", "TR316"),
        ("python", "python -c 'open(\"/dev/mem\")'", "TR316"),
    ]);
}

#[test]
fn what_cannot_be_seen_is_not_in_a_command() {
    check(&[
        ("python", "python a.py\u{a0}b", "TR304"),
        ("python", "python a.py \u{202e}x", "TR304"),
        ("python", "python a.\u{200b}py", "TR304"),
        ("python", "python a.py\u{2028}rm x", "TR304"),
        ("python", "python a.py \u{1b}[2K", "TR002"),
        ("python", "python a.py\u{85}rm x", "TR002"),
        ("python", "python a.py \u{0}", "TR002"),
    ]);
}

#[test]
fn the_command_is_one_line_of_plain_text() {
    check(&[
        ("python", "", "TR301"),
        ("python", "```\npython a.py\n```", "TR303"),
        ("python", "~~~\npython a.py\n~~~", "TR303"),
        ("python", "`python a.py`", "TR303"),
        ("python", "python a.py\n\npython b.py", "TR302"),
        ("python", "    python a.py", ""),
        ("python", "<!-- first -->\npython a.py", "TR302 TR306 TR312"),
    ]);
}
