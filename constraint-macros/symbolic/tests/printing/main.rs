//! Formulas as text, LaTeX and MathML.

mod formulas;
mod javascript;
mod reading_back;
