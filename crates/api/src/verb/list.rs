//! `GET` of many objects.
