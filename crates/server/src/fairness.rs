//! Limits concurrent requests, and queues the rest fairly.
//!
//! Each class of requests (reads, writes) has a number of seats. When all are taken, every client has its own queue
//! and the queues take turns, so that a client with a thousand requests does not block another with one. A single client
//! gets only most of the seats. Queues and waiting times are bounded; beyond that, clients get 429.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::Limits;

/// The seats of one class of requests.
#[derive(Debug)]
pub(crate) struct Seats {
    state: Mutex<State>,
    /// How many seats one client may take.
    share: usize,
    queue: usize,
    patience: Duration,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// How many seats each client has.
    taken: HashMap<Arc<str>, usize>,
    waiting: HashMap<Arc<str>, VecDeque<oneshot::Sender<Seat>>>,
    /// Clients with queued requests, the next one first.
    turns: VecDeque<Arc<str>>,
}

/// A seat; released when dropped.
#[derive(Debug)]
pub(crate) struct Seat(Option<Taken>);

#[derive(Debug)]
struct Taken {
    seats: Arc<Seats>,
    client: Arc<str>,
}

impl Seats {
    pub(crate) fn new(seats: usize, limits: &Limits) -> Arc<Self> {
        Arc::new(Seats {
            state: Mutex::new(State {
                free: seats,
                taken: HashMap::new(),
                waiting: HashMap::new(),
                turns: VecDeque::new(),
            }),
            share: (seats - seats / 4).max(1),
            queue: limits.queue,
            patience: limits.patience,
        })
    }

    /// A seat for a client; `None` if it has too many queued requests or waits too long.
    pub(crate) async fn take(self: &Arc<Self>, client: &str) -> Option<Seat> {
        let turn = {
            let mut state = self.lock();
            let client: Arc<str> = client.into();
            if state.free > 0 && state.taken_by(&client) < self.share {
                return Some(state.seat(self, &client));
            }
            let queue = state.waiting.entry(Arc::clone(&client)).or_default();
            if queue.len() >= self.queue {
                return None;
            }
            let (sender, turn) = oneshot::channel();
            queue.push_back(sender);
            if queue.len() == 1 {
                state.turns.push_back(client);
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
    fn taken_by(&self, client: &str) -> usize {
        self.taken.get(client).copied().unwrap_or_default()
    }

    /// Hands out a free seat.
    fn seat(&mut self, seats: &Arc<Seats>, client: &Arc<str>) -> Seat {
        self.free -= 1;
        *self.taken.entry(Arc::clone(client)).or_default() += 1;
        Seat(Some(Taken {
            seats: Arc::clone(seats),
            client: Arc::clone(client),
        }))
    }

    fn release(&mut self, client: &str) {
        self.free += 1;
        if let Some(taken) = self.taken.get_mut(client) {
            *taken -= 1;
            if *taken == 0 {
                self.taken.remove(client);
            }
        }
    }

    /// Hands free seats to the next clients. Those that gave up are skipped; those with their share have to wait.
    fn hand_out(&mut self, seats: &Arc<Seats>) {
        let mut tries = self.turns.len();
        while self.free > 0
            && tries > 0
            && let Some(client) = self.turns.pop_front()
        {
            if self.taken_by(&client) >= seats.share {
                self.turns.push_back(client);
                tries -= 1;
                continue;
            }
            let Some(queue) = self.waiting.get_mut(&client) else {
                continue;
            };
            let next = queue.pop_front();
            if queue.is_empty() {
                drop(self.waiting.remove(&client));
            } else {
                self.turns.push_back(Arc::clone(&client));
            }
            tries = self.turns.len();
            if let Some(next) = next
                && let Err(mut seat) = next.send(self.seat(seats, &client))
            {
                // Nobody took it. It must not release itself: that would lock again.
                seat.0 = None;
                self.release(&client);
            }
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(Taken { seats, client }) = &self.0 {
            let mut state = seats.lock();
            state.release(client);
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
