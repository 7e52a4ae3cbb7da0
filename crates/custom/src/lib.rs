//! Custom resources: what the API server says to a definition (CRD) and to objects of it, on every kind of write and on read.
//!
//! Knows definitions, plans and the order of a request; no transport, store, clock or files.
