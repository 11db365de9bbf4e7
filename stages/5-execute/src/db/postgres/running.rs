//! Waiting for a server, and for no longer than anybody wants to.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use call::Fault;
use tokio_postgres::CancelToken;

use super::Patience;
use super::connect::Route;

/// Runs something with a server on a thread of its own: whoever calls may be on a thread that must not wait.
pub(super) fn with_server<T, A>(
    route: &Route,
    patience: &Patience<'_>,
    work: impl FnOnce(Arc<Mutex<Option<CancelToken>>>) -> A + Send,
) -> Result<T::Out, Fault>
where
    A: Future<Output = Result<T, Fault>>,
    T: Finish,
    T::Out: Send,
{
    let failed = |why: &str| Fault::failed("resources", format!("no connection can be made: {why}"));
    thread::scope(|scope| {
        let working = thread::Builder::new().spawn_scoped(scope, || until_done(route, patience, work));
        let working = working.map_err(|error| failed(&error.to_string()))?;
        working.join().unwrap_or_else(|_| Err(failed("the thread for it ended")))
    })
}

/// Runs something with a server, until it is done, time is up or nobody wants it any more. The server is told
/// to stop then.
fn until_done<T, A>(
    route: &Route,
    patience: &Patience<'_>,
    work: impl FnOnce(Arc<Mutex<Option<CancelToken>>>) -> A,
) -> Result<T::Out, Fault>
where
    A: Future<Output = Result<T, Fault>>,
    T: Finish,
{
    patience.check()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Fault::failed("resources", format!("no connection can be made: {error}")))?;
    let answer = runtime.block_on(async {
        let token = Arc::new(Mutex::new(None));
        let finished = unless_over(work(Arc::clone(&token)), patience).await;
        if matches!(finished, Err(Fault::Cancelled | Fault::TimedOut { .. })) {
            let token = token.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(token) = token {
                let _ = tokio::time::timeout(Duration::from_secs(2), route.stop(token)).await;
            }
        }
        finished?.finish(patience).await
    });
    // A name that is still being looked up is left behind.
    runtime.shutdown_background();
    answer
}

/// What is left to do once there is an answer. Nobody's wish interrupts it.
pub(super) trait Finish {
    type Out;
    async fn finish(self, patience: &Patience<'_>) -> Result<Self::Out, Fault>;
}

/// What is done, unless it is over before.
async fn unless_over<T>(
    work: impl Future<Output = Result<T, Fault>>,
    patience: &Patience<'_>,
) -> Result<T, Fault> {
    let (mut work, mut over) = (pin!(work), pin!(until_over(patience)));
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(finished) => Poll::Ready(finished),
        Poll::Pending => over.as_mut().poll(context).map(Err),
    })
    .await
}

async fn until_over(patience: &Patience<'_>) -> Fault {
    loop {
        if let Err(over) = patience.check() {
            return over;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
