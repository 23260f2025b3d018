//! Arrays, their indices, and the ranges that indices run over.

use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `force p [0, 1];`
    index_with_comma: "an index is one number" =>
        "write `bead[i]` for an element, and `:` before a vector, as in `force p: [0, 1];`";
    /// `particle bead[4][4][4][4]: Point2`
    too_many_indices(most: usize): "a name has at most {most} indices" =>
        "number the elements of the last two in a row, as in `[4*i + j]`";
    /// `m: [3; 4]`
    array_type: "expected the type of the elements" =>
        "write `[Real; 8]`, `[Vector3; 8]` or `[[Real; 4]; 8]`";
    /// `m: [Real]`
    array_without_length(ty: &str): "this array has no length" =>
        "write the number of elements, as in `[{ty}; 8]`";
    /// `bead[x % 2]`
    remainder_of_no_whole: "`%` takes integers known at compile time" =>
        "use numbers and the indices of `for`, as in `(i + 1) % 8`";
    /// `bead[i % 0]`
    remainder_by(by: i64): "the remainder of a division by {by} is undefined" =>
        "divide by an integer greater than zero";
    /// `for i of 1..8`
    expected_range(usage: &str): "expected a range" => "write `{usage}`, or `0..=7`";
    /// `sum(p)`
    sum_without_range: "a sum needs an index and its range" => "write `sum(i in 0..8: term)`";
    /// `coordinate theta[i in 0..8];`
    index_for_length(word: &str): "an array of `{word}` is declared by its length" =>
        "write only the length, as in `{word} u[8]`";
    /// `bead[N]` with an undeclared N
    unknown_count(name: &str): "`{name}` is not declared" =>
        "write a number, or declare it, as in `const {name} = 8;`";
    /// `const N = 2*m;` with a field m, `particle p[x]: Point2` before `coordinate x;`
    not_counted(name: &str): "the value of `{name}` is not known at compile time" =>
        "write a number, or a `const`, as in `const N = 8;`";
    /// `mass: m[i]` without a `for` over i
    unknown_index(name: &str): "`{name}` is not declared" =>
        "declare it as an index, as in `for {name} in 0..8 {{ … }}` or `particle p[{name} in 0..8]`";
    /// `bead[x]`
    index_not_constant: "an index must be an integer known at compile time" =>
        "write a number, or the index of a `for`";
    /// `constraint link[-1]: …`
    index_negative(index: i64): "there is no element {index}" => "the indices begin at 0";
    /// `x[0]` of a number
    index_of_single: "this is not an array" => "remove the index";
    /// `at(wheel[1], r)` of one wheel
    index_of_body(name: &str): "`{name}` is one body, not several" =>
        "remove the index, or declare several, as in `body {name}[4]: …`";
    /// `norm(bead)` of an array
    array_as_value(name: &str, len: usize): "`{name}` has {len} elements" =>
        "write one of them, as in `{name}[0]`, or `{name}[i]` within a `for`";
    /// `particle bead[0]: Point2`, `coordinate x[-1]`
    bad_count: "the number of elements must be an integer from 1 to 100000" =>
        "write it as a number, as in `bead[8]`";
    /// `particle bob[1]: Point3` after `particle bob[0]: Point2`
    elements_of_two_kinds(name: &str, is: &str, found: &str):
        "this element of `{name}` is {found}, but each of those before is {is}" =>
        "choose another name";
    /// `grid[1]` with three elements where `grid[0]` has four
    unlike_lengths(name: &str, length: usize, first: usize):
        "`{name}` has length {length} here, but those before have length {first}" =>
        "declare the same number in each";
    /// `let a = [[1, 2], [1, 2, 3]];`
    unlike_entries(found: &str, first: &str): "this entry is {found}, but the first is {first}" =>
        "write entries of one kind";
    /// `let a = [];`
    empty_list: "this list has no entries" => "write them, as in `[1, 2, 3, 4]`";
    /// `for i in 8..0`
    range_backwards(start: i64, end: i64): "this range runs backwards" => "write `{end}..{start}`";
    /// `for i in 0..x`
    bound_not_constant: "the bounds of a range must be integers known at compile time" =>
        "write a number";
    /// `fn` within `for`, and other declarations that cannot be repeated
    declaration_in_for(word: &str): "`{word}` cannot be repeated" => "declare it before the `for`";
    /// `constraint link: …` within `for`
    repeated_without_index(name: &str, index: &str): "every repetition would have the name `{name}`" =>
        "write `{name}[{index}]`";
    /// `m: [Real; 4] = [1, 2]`
    default_length(found: usize, expected: usize):
        "this list has {found} entries, but the array has {expected} elements" =>
        "write as many entries, or one value for all";
}

/// `bead[8]` of eight
pub fn index_out_of_range(range: SourceRange, index: i64, len: usize) -> Diagnostic {
    let help = match len {
        0 => "it has no elements yet".to_owned(),
        _ => format!("the indices are 0 to {}", len - 1),
    };
    helped(
        range,
        format!("there is no element {index} among {len}"),
        help,
    )
}

/// `bead[1][2]` of an array with one index, `wheel[0][1]`
pub fn more_indices(range: SourceRange, name: &str, indices: usize) -> Diagnostic {
    let (count, brackets) = match indices {
        1 => ("one index", "[4][4]"),
        2 => ("two indices", "[4][4][4]"),
        _ => ("three indices", ""),
    };
    let help = match brackets {
        "" => "remove this one".to_owned(),
        _ => format!("remove this one, or declare another, as in `{name}{brackets}`"),
    };
    helped(range, format!("`{name}` has {count}"), help)
}

/// `particle bob[2] = …` before `bob[1]`
pub fn index_out_of_order(range: SourceRange, expected: &[usize]) -> Diagnostic {
    let (element, help) = match expected {
        [only] => (only.to_string(), "declare the elements in order, from 0"),
        _ => (
            expected.iter().map(|i| format!("[{i}]")).collect(),
            "declare the elements in order, from 0, with the last index varying fastest",
        ),
    };
    helped(
        range,
        format!("element {element} must be declared first"),
        help,
    )
}

/// `particle bob[2][0]: …` after `bob[1]`
pub fn other_indices(range: SourceRange, name: &str, indices: usize) -> Diagnostic {
    let (count, brackets) = match indices {
        1 => ("one index", "[i]"),
        2 => ("two indices", "[i][j]"),
        _ => ("three indices", "[i][j][k]"),
    };
    helped(
        range,
        format!("the earlier elements of `{name}` have {count}"),
        format!("write `{name}{brackets}`"),
    )
}

/// A default of another shape than a vector parameter, or than the elements of an array.
pub fn default_shape(range: SourceRange, expected: usize, lengths: &[usize]) -> Diagnostic {
    let element = match expected {
        1 => "a number",
        2 => "`[0, 1]`",
        _ => "`[0, 0, 1]`",
    };
    let help = match lengths {
        [] => format!("write {element}"),
        [length] => format!("write {element} for all elements, or a list of {length}"),
        [length, ..] => format!("write {element} for all elements, or a list of {length} lists"),
    };
    helped(
        range,
        "this default does not have the shape of its type",
        help,
    )
}
