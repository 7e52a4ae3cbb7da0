//! The seat of the request that a thread works on. While it waits for a webhook it gives the seat back and takes a place
//! among those who wait, so that webhooks that hang hold nobody who needs none.

use std::cell::RefCell;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::fairness::{Seat, Seats};

thread_local! {
    static CURRENT: RefCell<Option<Working>> = const { RefCell::new(None) };
}

/// What a request holds while it is worked on.
#[derive(Debug)]
pub(crate) struct Working {
    /// The class of its seat.
    pub(crate) seats: Arc<Seats>,
    /// Places for those who wait.
    pub(crate) places: Arc<Seats>,
    /// Who asks.
    pub(crate) client: Arc<str>,
    /// Nothing for work that needs no seat.
    pub(crate) seat: Option<Seat>,
}

/// Too many requests of this client wait for webhooks.
#[derive(Debug)]
pub(crate) struct Busy;

/// Does the work of a request on this thread; also gives the seat that it holds afterwards.
pub(crate) fn enter<T>(working: Option<Working>, work: impl FnOnce() -> T) -> (T, Option<Seat>) {
    let _left = Left;
    CURRENT.set(working);
    let done = work();
    (done, CURRENT.take().and_then(|working| working.seat))
}

/// Leaves the thread as it was, even if the work panics.
struct Left;

impl Drop for Left {
    fn drop(&mut self) {
        drop(CURRENT.take());
    }
}

/// Waits for somebody else without the seat of this thread's request. Unwinds with [`Busy`] if too many requests of its
/// client wait; whoever entered the work catches that.
pub(crate) fn wait<T>(runtime: &Handle, wait: impl FnOnce() -> T) -> T {
    let Some(mut working) = CURRENT.take() else {
        return wait();
    };
    let Some(place) = working.places.try_take(&working.client, 1) else {
        drop(working);
        std::panic::resume_unwind(Box::new(Busy));
    };
    let had_seat = working.seat.take().is_some();
    let waited = wait();
    if had_seat {
        let seat = runtime.block_on(working.seats.take(&working.client));
        // What has come this far continues: the number of places is limited.
        working.seat = seat.or(Some(place));
    }
    CURRENT.set(Some(working));
    waited
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn seats(count: usize) -> Arc<Seats> {
        Seats::new(count, &Limits::default())
    }

    fn working(seats: &Arc<Seats>, places: &Arc<Seats>) -> Option<Working> {
        Some(Working {
            seats: Arc::clone(seats),
            places: Arc::clone(places),
            client: "one".into(),
            seat: seats.try_take("one", 1),
        })
    }

    #[test]
    fn a_seat_is_free_while_its_request_waits() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let runtime = runtime.expect("it starts");
        let (seats, places) = (seats(1), seats(1));
        let other = || seats.try_take("other", 1).is_some();
        let ((), seat) = enter(working(&seats, &places), || {
            assert!(!other(), "it is taken");
            wait(runtime.handle(), || {
                assert!(other() && places.try_take("other", 1).is_none());
            });
            assert!(!other(), "it is taken again");
            assert!(places.try_take("other", 1).is_some());
        });
        assert!(seat.is_some());
        wait(runtime.handle(), || {
            assert!(!other(), "nothing is entered any more");
        });
    }

    #[test]
    fn too_many_do_not_wait() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("it starts");
        let (seats, places) = (seats(1), seats(1));
        let _place = places.try_take("other", 1);
        let left = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            enter(working(&seats, &places), || {
                wait(runtime.handle(), || panic!("nobody is called"))
            })
        }));
        assert!(left.is_err_and(|why| why.is::<Busy>()));
        assert!(seats.try_take("other", 1).is_some());
    }
}
