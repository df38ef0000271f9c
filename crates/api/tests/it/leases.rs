//! What a worker leaves behind when its process is told to stop.

use service::jobs::Worker;
use service::mail::Mailer;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use store::mails::Mail;
use testkit::on_both_engines;
use tokio::sync::{Notify, oneshot};

/// A mail server that takes a mail and says nothing more, which keeps the job in work.
#[derive(Debug)]
struct Silent {
    reached: Arc<Notify>,
    let_go: Mutex<Receiver<()>>,
}

impl Silent {
    /// The mailer, and what ends its silence when it is dropped.
    fn new() -> (Arc<Silent>, Sender<()>) {
        let (end, let_go) = channel();
        (Arc::new(Silent { reached: Arc::default(), let_go: Mutex::new(let_go) }), end)
    }
}

impl Mailer for Silent {
    fn send(&self, _: &str, _: &Mail) -> io::Result<()> {
        self.reached.notify_one();
        let _ = self.let_go.lock().unwrap().recv();
        Err(io::Error::other("the mail server said nothing"))
    }
}

on_both_engines! {
    async fn a_job_in_work_is_handed_back_when_its_worker_stops(app: App) {
        // A key that was sent in the clear is worth a mail, and the sweep is what sends it.
        assert_eq!(app.get("/v1/account").plain().send().await.problem(), "403 https_required -");
        let (mailer, _end) = Silent::new();
        let reached = Arc::clone(&mailer.reached);
        let ending = app.sibling_with(|parts| parts.mailer = mailer).await;
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let worker = tokio::spawn(Worker::new(ending.service.clone()).run(Box::pin(stopped)));
        reached.notified().await;

        app.run_jobs().await;
        assert_eq!(app.mails().len(), 0, "as long as the lease holds, nobody else does the work");

        stop.send(()).unwrap();
        worker.await.unwrap();
        // The clock stands still, so this is no lease that ended by itself.
        app.run_jobs().await;
        assert_eq!(app.mails().len(), 1, "another worker takes the job at once");
    }
}
