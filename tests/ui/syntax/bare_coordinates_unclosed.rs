use constraint_runtime::prelude::*;

fn main() {
    let _ = constraint!(|x, y x + y);
}
