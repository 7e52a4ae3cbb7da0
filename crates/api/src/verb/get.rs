//! `GET` of one object.
