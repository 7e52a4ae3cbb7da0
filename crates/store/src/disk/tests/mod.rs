//! Disks that fail: without power, without room, and with errors.

mod power;
mod room;
