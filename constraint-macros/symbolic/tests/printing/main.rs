//! Formulas as text, LaTeX and MathML.

mod formulas;
mod reading_back;
