//! A part for systems of other crates: a `macro_rules!` that writes the whole `system!`.

#[doc(hidden)]
pub use constraint_runtime;

/// Writes a system that knows what a `Pendulum` is.
#[macro_export]
macro_rules! with_pendulum {
    ($(#[$attribute:meta])* pub struct $name:ident $parameters:tt $($rest:tt)*) => {
        $crate::constraint_runtime::system! {
            $(#[$attribute])*
            pub struct $name $parameters
            part Pendulum { hook: Vector2, m: Real, l: Real } {
                particle bob: Point2 { mass: m }
                constraint rod: norm(bob - hook) == l;
                let below = hook - [0, l];
            }
            $($rest)*
        }
    };
}

with_pendulum! {
    /// Here, too.
    pub struct Clock { m: Real = 1, g: Real = 9.81 }
    pendulum: Pendulum { hook: [0, 0], m: m, l: 1 }
    gravity [0, -g];
}
