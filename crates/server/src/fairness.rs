//! Limits concurrent requests, and queues the rest fairly.
//!
//! Each class of requests (reads, writes) has a number of seats. When all are taken, every client has its own queue
//! and the queues take turns, so that a client with a thousand requests does not block another with one. Queues and
//! waiting times are bounded; beyond that, clients get 429.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Limits on concurrent requests and on their duration.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests that read.
    pub reads: usize,
    /// Requests that write.
    pub writes: usize,
    /// How many requests of one client may queue.
    pub queue: usize,
    /// How long they may queue.
    pub patience: Duration,
    /// The largest body.
    pub body: usize,
    /// The memory for the bodies and answers of all requests together.
    pub memory: usize,
    /// Connections; more wait to be accepted.
    pub connections: usize,
    /// How long a body may take to arrive, and a request to be answered.
    pub request: Duration,
    /// How long a connection may take for TLS and for the headers of a request.
    pub headers: Duration,
    /// How long a client may take to read nothing of an answer before it is cut.
    pub stall: Duration,
    /// The shortest default duration of a watch; the longest is twice as long.
    pub watch: Duration,
    /// How long running requests may take when the server stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            reads: 400,
            writes: 200,
            queue: 200,
            patience: Duration::from_secs(15),
            body: 3 * 1024 * 1024,
            memory: 512 * 1024 * 1024,
            connections: 20_000,
            request: Duration::from_secs(60),
            headers: Duration::from_secs(32),
            stall: Duration::from_secs(30),
            watch: Duration::from_secs(1800),
            drain: Duration::from_secs(5),
        }
    }
}

/// The seats of one class of requests.
#[derive(Debug)]
pub(crate) struct Seats {
    state: Mutex<State>,
    queue: usize,
    patience: Duration,
}

#[derive(Debug)]
struct State {
    free: usize,
    waiting: HashMap<String, VecDeque<oneshot::Sender<Seat>>>,
    /// Clients with queued requests, the next one first.
    turns: VecDeque<String>,
}

/// A seat; released when dropped.
#[derive(Debug)]
pub(crate) struct Seat(Arc<Seats>);

impl Seats {
    pub(crate) fn new(seats: usize, limits: &Limits) -> Arc<Self> {
        Arc::new(Seats {
            state: Mutex::new(State {
                free: seats,
                waiting: HashMap::new(),
                turns: VecDeque::new(),
            }),
            queue: limits.queue,
            patience: limits.patience,
        })
    }

    /// A seat for a client; `None` if it has too many queued requests or waits too long.
    pub(crate) async fn take(self: &Arc<Self>, client: &str) -> Option<Seat> {
        let turn = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Some(Seat(Arc::clone(self)));
            }
            let queue = state.waiting.entry(client.to_owned()).or_default();
            if queue.len() >= self.queue {
                return None;
            }
            let (sender, turn) = oneshot::channel();
            queue.push_back(sender);
            if queue.len() == 1 {
                state.turns.push_back(client.to_owned());
            }
            turn
        };
        match tokio::time::timeout(self.patience, turn).await {
            Ok(Ok(seat)) => Some(seat),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Hands a seat to the next client. Those that gave up are skipped.
    fn release(&mut self, seats: &Arc<Seats>) {
        while let Some(client) = self.turns.pop_front() {
            let Some(queue) = self.waiting.get_mut(&client) else {
                continue;
            };
            let next = queue.pop_front();
            if queue.is_empty() {
                drop(self.waiting.remove(&client));
            } else {
                self.turns.push_back(client);
            }
            match next.map(|next| next.send(Seat(Arc::clone(seats)))) {
                Some(Ok(())) => return,
                // Nobody took the seat: it is still the one being released.
                Some(Err(seat)) => std::mem::forget(seat),
                None => {}
            }
        }
        self.free += 1;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.lock().release(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(seats: usize) -> Arc<Seats> {
        let limits = Limits {
            queue: 2,
            patience: Duration::from_secs(600),
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
