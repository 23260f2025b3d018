//! Formulas as text, LaTeX and MathML; programs in other languages; names of temporaries.

#[path = "../common/bound.rs"]
mod bound;
mod c;
mod compiler;
mod exports;
mod formulas;
mod headings;
mod javascript;
mod python;
mod reading_back;
mod rounds;
mod temporaries;
