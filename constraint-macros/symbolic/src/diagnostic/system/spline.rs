//! Splines.

use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `cubic_spline(x, [0, 1, 2], [0, 1])`
    spline_of_unlike_lists(found: usize, expected: usize): "this list has {found} entries, and the one before {expected}" =>
        "write one value for each point";
    /// `cubic_spline(x, [0], [1])`
    spline_of_few_points: "a spline needs at least two points" => "write more points";
    /// `cubic_spline(x, [0, 1, …], …)` through thousands
    spline_of_many_points(found: usize, most: usize):
        "this spline has {found} points; at most {most} are supported" =>
        "omit points where the curve is nearly straight";
    /// `cubic_spline(x, p, q)`
    spline_of_no_list: "a spline takes two lists of numbers" =>
        "write the positions of the points, then their values, as in `cubic_spline(x, [0, 1, 2], [0, 1, 0])`";
    /// `cubic_spline(x, [0, a, 2], [0, 1, 0])`
    spline_at_no_number: "the positions of a spline's points must be numbers known at compile time" =>
        "write a number; the values at the points may be parameters";
    /// `monotone_spline(x, [0, 1], [0, a])`
    spline_of_no_numbers: "the values of a monotone spline must be numbers known at compile time" =>
        "write numbers, or a `cubic_spline`, whose values may be parameters";
    /// `periodic_spline(x, [0, 1, 2], [0, 1, 3])`
    spline_not_closed: "a periodic spline must end where it begins" =>
        "repeat the first value as the last; the period is from the first point to the last";
    /// `cubic_spline(x, [0, 2, 1], [0, 1, 0])`
    spline_not_ascending: "the points of a spline must be in ascending order" =>
        "write each point once, after the smaller ones";
}
