//! `GET` of many objects with `watch`.
