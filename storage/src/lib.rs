//! Room of sixgate-storage.
