//! Holds no code: each benchmark is a program of its own.
