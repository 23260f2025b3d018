use constraint_runtime::prelude::*;

fn main() {
    let _ = constraint!(x^2 + cosine(y));
}
