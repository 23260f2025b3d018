use constraint_runtime::prelude::*;

mod wires {
    use constraint_runtime::prelude::*;

    constraint! { x + lenght**y }
}

fn main() {
    let _ = constraint!(x + lenght**y + 2*);
    core::mem::drop(constraint!(|a: Point2| norm(a) == length + widht));
    constraint! { sine(x) + cosine(y) }
}
