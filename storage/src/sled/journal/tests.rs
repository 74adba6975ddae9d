//! What survives.
