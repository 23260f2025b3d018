//! No library: the tests of this package read what is exported as WGSL.
