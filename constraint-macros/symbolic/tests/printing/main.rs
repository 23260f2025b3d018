//! Formulas as text, LaTeX and MathML.

mod c;
mod compiler;
mod exports;
mod formulas;
mod javascript;
mod reading_back;
