//! Holds no code: the files beside it are mistakes.
