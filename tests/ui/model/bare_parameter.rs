use constraint_runtime::prelude::*;

fn main() {
    let circle = constraint!(|x, y| x^2 + y^2 == length^2);
    let _: SMatrix<f64, 1, 2> = circle.jacobian(0.0, &[0.0, 1.0].into());
}
