//! Limits what clients hold at once, and queues the rest fairly.
//!
//! There is a number of units: seats of requests, or kilobytes of memory. When a client cannot have what it needs, it waits
//! in its own queue, and the queues take turns, so that a client with a thousand requests does not block another with one.
//! A client may hold at most a multiple of what is still free, so that any number of clients who never give back leave
//! something to the next one. Queues and waiting times are bounded; beyond that, clients get 429.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::Limits;

/// How much more than is free a client may hold: alone three quarters of all, beside another one three sevenths.
const TIMES: usize = 3;

/// The units of one class of requests.
#[derive(Debug)]
pub(crate) struct Seats {
    state: Mutex<State>,
    /// How many times what is free one client may hold.
    times: usize,
    queue: usize,
    patience: Duration,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// How many units each client has.
    taken: HashMap<Arc<str>, usize>,
    waiting: HashMap<Arc<str>, VecDeque<Waiting>>,
    /// Clients with queued requests, the next one first.
    turns: VecDeque<Arc<str>>,
}

/// A request that waits for units.
#[derive(Debug)]
struct Waiting {
    units: usize,
    turn: oneshot::Sender<Seat>,
}

/// Units that somebody holds; released when dropped.
#[derive(Debug)]
pub(crate) struct Seat(Option<Taken>);

#[derive(Debug)]
struct Taken {
    seats: Arc<Seats>,
    client: Arc<str>,
    units: usize,
}

impl Seats {
    pub(crate) fn new(seats: usize, limits: &Limits) -> Arc<Self> {
        Seats::with(seats, TIMES, limits.queue, limits.patience)
    }

    /// Units without a bound on queues.
    pub(crate) fn pool(units: usize, patience: Duration) -> Arc<Self> {
        Seats::with(units, TIMES, usize::MAX, patience)
    }

    /// The same, where one client may hold everything.
    pub(crate) fn shared_pool(units: usize, patience: Duration) -> Arc<Self> {
        Seats::with(units, usize::MAX, usize::MAX, patience)
    }

    fn with(units: usize, times: usize, queue: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Seats {
            state: Mutex::new(State {
                free: units,
                taken: HashMap::new(),
                waiting: HashMap::new(),
                turns: VecDeque::new(),
            }),
            times,
            queue,
            patience,
        })
    }

    /// A seat for a client; `None` if it has too many queued requests or waits too long.
    pub(crate) async fn take(self: &Arc<Self>, client: &str) -> Option<Seat> {
        self.take_many(client, 1).await
    }

    /// The same for several units.
    pub(crate) async fn take_many(self: &Arc<Self>, client: &str, units: usize) -> Option<Seat> {
        let turn = {
            let mut state = self.lock();
            let client: Arc<str> = client.into();
            let queued = state.queued(&client);
            if queued == 0 && state.fits(&client, units, self.times) {
                return Some(state.seat(self, &client, units));
            }
            if queued >= self.queue {
                return None;
            }
            state.enqueue(client, units)
        };
        match tokio::time::timeout(self.patience, turn).await {
            Ok(Ok(seat)) => Some(seat),
            _ => None,
        }
    }

    /// Units that are free now.
    pub(crate) fn try_take(self: &Arc<Self>, client: &str, units: usize) -> Option<Seat> {
        let mut state = self.lock();
        let client: Arc<str> = client.into();
        state
            .fits(&client, units, self.times)
            .then(|| state.seat(self, &client, units))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn taken_by(&self, client: &str) -> usize {
        self.taken.get(client).copied().unwrap_or_default()
    }

    /// Whether a client may take this many more units now.
    fn fits(&self, client: &str, units: usize, times: usize) -> bool {
        let wanted = self.taken_by(client).saturating_add(units);
        units <= self.free && wanted <= self.free.saturating_mul(times)
    }

    /// How many requests of a client wait; those that gave up are removed.
    fn queued(&mut self, client: &str) -> usize {
        self.waiting.get_mut(client).map_or(0, |queue| {
            queue.retain(|waiting| !waiting.turn.is_closed());
            queue.len()
        })
    }

    fn enqueue(&mut self, client: Arc<str>, units: usize) -> oneshot::Receiver<Seat> {
        let (turn, receiver) = oneshot::channel();
        if !self.waiting.contains_key(&client) {
            self.turns.push_back(Arc::clone(&client));
        }
        let queue = self.waiting.entry(client).or_default();
        queue.push_back(Waiting { units, turn });
        receiver
    }

    /// Hands out free units.
    fn seat(&mut self, seats: &Arc<Seats>, client: &Arc<str>, units: usize) -> Seat {
        self.free -= units;
        *self.taken.entry(Arc::clone(client)).or_default() += units;
        Seat(Some(Taken {
            seats: Arc::clone(seats),
            client: Arc::clone(client),
            units,
        }))
    }

    fn release(&mut self, client: &str, units: usize) {
        self.free += units;
        if let Some(taken) = self.taken.get_mut(client) {
            *taken -= units;
            if *taken == 0 {
                self.taken.remove(client);
            }
        }
    }

    /// Hands free units to the next clients. Those that gave up are skipped; those with their share have to wait.
    fn hand_out(&mut self, seats: &Arc<Seats>) {
        let mut passed = 0;
        while self.free > 0
            && passed < self.turns.len()
            && let Some(client) = self.turns.pop_front()
        {
            let is_served = self.serve(seats, &client);
            if self.queued(&client) == 0 {
                self.waiting.remove(&client);
            } else {
                self.turns.push_back(client);
                passed += 1;
            }
            if is_served {
                passed = 0;
            }
        }
    }

    /// Gives the first request of a client its units; `false` if it has to wait.
    fn serve(&mut self, seats: &Arc<Seats>, client: &Arc<str>) -> bool {
        let Some(next) = self.waiting.get_mut(client).and_then(VecDeque::pop_front) else {
            return false;
        };
        if !self.fits(client, next.units, seats.times) {
            if let Some(queue) = self.waiting.get_mut(client) {
                queue.push_front(next);
            }
            return false;
        }
        if let Err(mut seat) = next.turn.send(self.seat(seats, client, next.units)) {
            // Nobody took it. It must not release itself: that would lock again.
            seat.0 = None;
            self.release(client, next.units);
        }
        true
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(Taken { seats, client, units }) = &self.0 {
            let mut state = seats.lock();
            state.release(client, *units);
            state.hand_out(seats);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(seats: usize) -> Arc<Seats> {
        let limits = Limits {
            queue: 2,
            patience: Duration::from_mins(10),
            ..Limits::default()
        };
        Seats::new(seats, &limits)
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let seats = seats(1);
        let first = seats.take("many").await.expect("a seat is free");
        let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
        let mut tasks = Vec::new();
        for client in ["many", "many", "few"] {
            let (seats, sender) = (Arc::clone(&seats), sender.clone());
            tasks.push(tokio::spawn(async move {
                let seat = seats.take(client).await;
                let _ = sender.send((client, seat.is_some()));
            }));
            tokio::task::yield_now().await;
        }
        assert!(seats.take("many").await.is_none(), "its queue is full");
        drop(first);
        for task in tasks {
            task.await.expect("it does not panic");
        }
        drop(sender);
        let mut seen = Vec::new();
        while let Some(turn) = order.recv().await {
            seen.push(turn);
        }
        assert_eq!(seen, [("many", true), ("few", true), ("many", true)]);
    }

    #[tokio::test]
    async fn nobody_gets_all_seats() {
        let seats = seats(4);
        let mut greedy = Vec::new();
        for _ in 0..3 {
            greedy.extend(seats.take("greedy").await);
        }
        let more = tokio::spawn({
            let seats = Arc::clone(&seats);
            async move { seats.take("greedy").await }
        });
        tokio::task::yield_now().await;
        let modest = seats.take("modest").await;
        assert!(modest.is_some(), "a seat was left");
        drop(modest);
        tokio::task::yield_now().await;
        assert!(!more.is_finished(), "it has its share");
        greedy.pop();
        assert!(more.await.is_ok_and(|seat| seat.is_some()));
    }

    #[test]
    fn those_who_never_give_back_leave_something() {
        let seats = seats(200);
        let mut held = Vec::new();
        for (number, expected) in [150, 38, 9].into_iter().enumerate() {
            let client = format!("greedy{number}");
            let before = held.len();
            held.extend(std::iter::from_fn(|| seats.try_take(&client, 1)));
            assert_eq!(held.len() - before, expected);
        }
        assert!(seats.try_take("modest", 1).is_some());
        assert!(
            seats.try_take("greedy0", 1).is_none(),
            "it has more than its share"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn units_are_handed_out_as_they_become_free() {
        let pool = Seats::pool(10, Duration::from_secs(1));
        let large = pool.try_take("one", 7).expect("it is free");
        assert!(pool.take_many("two", 4).await.is_none(), "it waits in vain");
        let (small, waited) = tokio::join!(pool.take_many("two", 3), async {
            let waiting = pool.take_many("three", 4);
            tokio::pin!(waiting);
            let early = tokio::time::timeout(Duration::from_millis(1), &mut waiting).await;
            assert!(early.is_err());
            drop(large);
            waiting.await
        });
        assert!(small.is_some() && waited.is_some());
        assert!(pool.try_take("four", 4).is_none() && pool.try_take("four", 3).is_some());
    }

    #[tokio::test]
    async fn a_seat_passes_over_those_who_gave_up() {
        let seats = seats(1);
        let first = seats.take("a").await.expect("a seat is free");
        let given_up = tokio::spawn({
            let seats = Arc::clone(&seats);
            async move { seats.take("b").await.is_some() }
        });
        tokio::task::yield_now().await;
        given_up.abort();
        let _ = given_up.await;
        drop(first);
        assert!(seats.take("c").await.is_some());
    }
}
