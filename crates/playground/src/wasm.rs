//! The functions that the page calls. The page writes a request into [`input`]'s buffer, calls [`answer`], and reads as
//! many bytes as it says from [`output`].

#![allow(
    unsafe_code,
    reason = "exported names only: nothing here has an unsafe block, and no other crate defines these names"
)]

use std::cell::RefCell;

use crate::Session;

#[derive(Default)]
struct State {
    session: Session,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    // WebAssembly of the page has one thread.
    static STATE: RefCell<State> = RefCell::default();
}

/// Makes room for a request of this many bytes, and returns where to write it.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    STATE.with_borrow_mut(|state| {
        let request = String::from_utf8_lossy(&state.input);
        state.output = state.session.answer(&request);
        state.output.len()
    })
}

/// Where the last answer is, until the next call of any function.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}
