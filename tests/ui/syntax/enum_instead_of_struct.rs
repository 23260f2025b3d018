use constraint_runtime::prelude::*;

constraint! {
    pub enum Wire { X }
    |x, y| x + y
}

fn main() {}
