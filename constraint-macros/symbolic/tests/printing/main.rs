//! Formulas as text, LaTeX and MathML.

mod c;
mod compiler;
mod formulas;
mod javascript;
mod reading_back;
mod told;
