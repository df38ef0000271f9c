//! The shell process that owns a cluster.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use crate::ROLE;
use crate::programs::{Programs, read};

/// Reads orders from its input and answers each with a line. At the end of its input it stops the cluster and
/// deletes the folder. SIGQUIT is PostgreSQL's immediate shutdown.
const SCRIPT: &str = r#"
folder=$1; bin=$2; shift 2
"$bin/initdb" --pgdata "$folder/data" --username tickmark --auth trust --encoding UTF8 --locale C \
    --no-sync --no-instructions >"$folder/log" 2>&1 </dev/null || echo "initdb failed"
stop() { [ -z "$server" ] || { kill -QUIT "$server"; wait "$server"; }; server=; }
while read -r order; do
    case $order in
        start) "$bin/postgres" -D "$folder/data" -k "$folder" "$@" >>"$folder/log" 2>&1 </dev/null & server=$! ;;
        stop) stop ;;
    esac
    echo done
done
stop
rm -rf "$folder"
"#;

/// How long a start may take on a busy machine, in steps of `STEP`.
const STEPS_MAX: u32 = 6_000;
const STEP: Duration = Duration::from_millis(10);

const USUAL: &[&str] = &[
    "listen_addresses=",
    "max_connections=1000",
    "shared_buffers=32MB",
    "max_wal_size=256MB",
    // Tests that provoke a deadlock need not wait a second for it.
    "deadlock_timeout=50ms",
];

#[derive(Debug)]
pub(crate) struct Supervisor {
    shell: Child,
    /// Taken only when this is dropped.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Supervisor {
    pub(crate) fn start(programs: &Programs, folder: &Path, port: u16, settings: &[String]) -> Supervisor {
        let mut command = programs.command("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(folder).arg(programs.path(""));
        command.arg("-p").arg(port.to_string());
        for setting in USUAL.iter().copied().chain(settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        // Its own process group, so that an interrupt at the terminal ends us and not the shell, which then
        // sees the end of the pipe and cleans up.
        command.process_group(0).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = command.spawn().expect("a shell starts");
        let orders = shell.stdin.take();
        let answers = BufReader::new(shell.stdout.take().expect("the output is a pipe"));
        let mut supervisor = Supervisor { shell, orders, answers, folder: folder.to_owned() };
        supervisor.restart();
        supervisor
    }

    pub(crate) fn restart(&mut self) {
        self.order("start");
        let status = self.folder.join("data/postmaster.pid");
        for _ in 0..STEPS_MAX {
            if read(&status).lines().any(|line| line.trim() == "ready") {
                return;
            }
            std::thread::sleep(STEP);
        }
        panic!("PostgreSQL did not start as {ROLE}: {}", read(&self.folder.join("log")));
    }

    pub(crate) fn stop(&mut self) {
        self.order("stop");
    }

    fn order(&mut self, order: &str) {
        let orders = self.orders.as_mut().expect("the pipe is open until this is dropped");
        writeln!(orders, "{order}").expect("the shell runs");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the shell answers");
        assert_eq!(answer.trim(), "done", "{}", read(&self.folder.join("log")));
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.orders.take());
        // It ends by itself now; without this it would stay a zombie until we end.
        let _ = self.shell.wait();
    }
}
