//! Room of sixgate-workflows.
