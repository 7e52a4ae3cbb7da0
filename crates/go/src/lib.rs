//! Reads Go API packages from source alone.
