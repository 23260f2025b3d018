//! Formulas as text, LaTeX and MathML; programs in other languages; names of temporaries.

mod c;
mod compiler;
mod exports;
mod formulas;
mod headings;
mod javascript;
mod reading_back;
mod temporaries;
