//! Names converted to identifiers of Rust.

use super::is_keyword;

/// `d.x` and `r#Type` as `d_x` and `type_`.
pub(crate) fn snake(name: &str) -> String {
    // Most names need no conversion.
    let plain = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_');
    if name.bytes().all(plain) && !is_keyword(name) {
        return name.to_owned();
    }
    let mut snake = String::with_capacity(name.len() + 1);
    for letter in name.trim_start_matches("r#").chars() {
        match letter {
            'a'..='z' | '0'..='9' | '_' => snake.push(letter),
            '.' | '[' => snake.push('_'),
            ']' => {}
            letter => snake.extend(letter.to_lowercase()),
        }
    }
    if is_keyword(&snake) {
        snake.push('_');
    }
    snake
}
