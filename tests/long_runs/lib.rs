//! Holds no code: the runs are in the test.
