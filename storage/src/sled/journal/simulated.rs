//! A disk that a test makes up.
