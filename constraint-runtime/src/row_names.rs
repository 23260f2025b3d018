//! Names of very many constraint rows, created at compile time, or on demand if there are too many for that.
//!
//! Input: families of names, `link[1]` to `link[1023]` as one. Output: the names, in order. Written out, they would
//! make the expansion grow with the system.

use alloc::format;

/// Constraints whose names differ only in their index.
#[derive(Clone, Copy, Debug)]
pub struct RowFamily {
    /// The text before the brackets.
    pub base: &'static str,
    /// True if there are brackets.
    pub indexed: bool,
    /// The index of the first constraint.
    pub first: usize,
    /// How many constraints.
    pub length: usize,
    /// The text after the brackets, row by row of one constraint.
    pub suffixes: &'static [&'static str],
}

/// A name in a field of `L` bytes.
type Name<const L: usize> = ([u8; L], usize);

/// The names of all rows of the families, each with its length.
pub const fn row_names<const L: usize, const M: usize>(families: &[RowFamily]) -> [Name<L>; M] {
    let mut names = [([0; L], 0); M];
    let (mut row, mut f) = (0, 0);
    while f < families.len() {
        let (family, mut i) = (&families[f], 0);
        while i < family.length {
            let mut s = 0;
            while s < family.suffixes.len() {
                names[row] = name(family, family.first + i, family.suffixes[s]);
                row += 1;
                s += 1;
            }
            i += 1;
        }
        f += 1;
    }
    names
}

const fn name<const L: usize>(family: &RowFamily, index: usize, suffix: &str) -> Name<L> {
    let mut name = append(([0; L], 0), family.base.as_bytes());
    if family.indexed {
        name = append(name, b"[");
        name = append_number(name, index);
        name = append(name, b"]");
    }
    append(name, suffix.as_bytes())
}

const fn append<const L: usize>(mut name: Name<L>, text: &[u8]) -> Name<L> {
    let mut i = 0;
    while i < text.len() {
        name.0[name.1] = text[i];
        name.1 += 1;
        i += 1;
    }
    name
}

const fn append_number<const L: usize>(name: Name<L>, number: usize) -> Name<L> {
    let digit = [b'0' + (number % 10) as u8];
    let name = match number / 10 {
        0 => name,
        rest => append_number(name, rest),
    };
    append(name, &digit)
}

/// The names as text.
pub const fn as_strings<const L: usize, const M: usize>(
    names: &'static [Name<L>; M],
) -> [&'static str; M] {
    let mut texts = [""; M];
    let mut row = 0;
    while row < M {
        let (bytes, length) = &names[row];
        if let Ok(text) = core::str::from_utf8(bytes.split_at(*length).0) {
            texts[row] = text;
        }
        row += 1;
    }
    texts
}

/// The name of a row. It is needed only for error messages and may live as long as they do.
#[cold]
pub fn row_name(families: &[RowFamily], row: usize) -> Option<&'static str> {
    let mut rest = row;
    for family in families {
        let suffixes = family.suffixes;
        let rows = family.length * suffixes.len();
        if rest >= rows {
            rest -= rows;
            continue;
        }
        let (base, suffix) = (family.base, suffixes[rest % suffixes.len()]);
        let name = if family.indexed {
            let index = family.first + rest / suffixes.len();
            format!("{base}[{index}]{suffix}")
        } else {
            format!("{base}{suffix}")
        };
        return Some(name.leak());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILIES: [RowFamily; 2] = [
        RowFamily {
            base: "anchor",
            indexed: false,
            first: 0,
            length: 1,
            suffixes: &[""],
        },
        RowFamily {
            base: "link",
            indexed: true,
            first: 9,
            length: 2,
            suffixes: &[".x", ".y"],
        },
    ];
    const NAMES: &[Name<10>; 5] = &row_names(&FAMILIES);

    #[test]
    fn names_of_families_are_spelled_out_in_order() {
        let names = [
            "anchor",
            "link[9].x",
            "link[9].y",
            "link[10].x",
            "link[10].y",
        ];
        assert_eq!(as_strings(NAMES), names);
        for (row, name) in names.into_iter().enumerate() {
            assert_eq!(row_name(&FAMILIES, row), Some(name));
        }
        assert_eq!(row_name(&FAMILIES, names.len()), None);
    }
}
