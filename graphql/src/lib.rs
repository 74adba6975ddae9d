//! Room of sixgate-graphql.
