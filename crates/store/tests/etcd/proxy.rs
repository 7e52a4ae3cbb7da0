//! A connection to etcd that can be cut, muted or slowed.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Forwards bytes between a port of its own and another.
pub(crate) struct Proxy {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    open: Vec<TcpStream>,
    port: u16,
    cut: bool,
    mute: bool,
    bytes_per_second: Option<u32>,
}

impl Proxy {
    pub(crate) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let own = listener.local_addr().expect("it is bound").port();
        let state = Arc::<Mutex<State>>::default();
        lock(&state).port = port;
        let shared = Arc::clone(&state);
        // It ends with the test's process.
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let target = {
                    let state = lock(&shared);
                    (!state.cut).then_some(state.port)
                };
                if let Some(port) = target {
                    let _ = connect(&near, port, &shared);
                }
            }
        });
        Self { port: own, state }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Breaks all connections and accepts no new ones.
    pub(crate) fn cut(&self) {
        let mut state = lock(&self.state);
        state.cut = true;
        for stream in state.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn heal(&self) {
        lock(&self.state).cut = false;
    }

    /// Connects to another port from now on.
    pub(crate) fn turn_to(&self, port: u16) {
        self.cut();
        lock(&self.state).port = port;
        self.heal();
    }

    /// Keeps connections but drops their data.
    pub(crate) fn mute(&self) {
        lock(&self.state).mute = true;
    }

    /// Lets no connection carry more than that, in either direction.
    pub(crate) fn slow(&self, bytes_per_second: u32) {
        lock(&self.state).bytes_per_second = Some(bytes_per_second);
    }
}

fn connect(near: &TcpStream, port: u16, state: &Arc<Mutex<State>>) -> std::io::Result<()> {
    let far = TcpStream::connect(("127.0.0.1", port))?;
    for (from, to) in [(near, &far), (&far, near)] {
        let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
        lock(state).open.push(from.try_clone()?);
        let state = Arc::clone(state);
        thread::spawn(move || {
            let mut buffer = [0; 4_096];
            let mut free = Instant::now();
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                let (mute, rate) = {
                    let state = lock(&state);
                    (state.mute, state.bytes_per_second)
                };
                if let Some(rate) = rate {
                    let takes =
                        Duration::from_secs(1) * u32::try_from(count).expect("at most a buffer") / rate;
                    free = free.max(Instant::now()) + takes;
                    thread::sleep(free.saturating_duration_since(Instant::now()));
                }
                if !mute && to.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
    }
    Ok(())
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
