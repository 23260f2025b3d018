//! Formulas as text, LaTeX and MathML.

mod c;
mod formulas;
mod javascript;
mod reading_back;
