//! Room of sixgate-evidence.
