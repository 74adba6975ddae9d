//! Room of sixgate-engine.
