//! The help: its models are models, and keyboards reach it.

use serde_json::json;

use crate::chromium::Browser;
use crate::page;

/// Every text of the help is one of the language; the statements together are one system.
#[test]
fn the_texts_of_the_help_are_models() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "");
    let answers = browser.evaluate(
        "(async () => {
         const texts = [...document.querySelectorAll('#help code[data-model]')].map((it) => it.textContent);
         const statements = [...document.querySelectorAll('#help code[data-statement]')].map((it) => it.textContent);
         texts.push(`system! { struct All { m: Real = 1, l: Real = 1, g: Real = 9.81, k: Real = 1 } ${statements.join(' ')} }`);
         const answers = [];
         for (const text of texts) answers.push([text, statements.length, (await app.engine.ask('motion', text)).messages]);
         return answers; })()",
    );
    let answers = answers.as_array().cloned().unwrap_or_default();
    assert!(answers.len() >= 7 && answers[0][1].as_u64() >= Some(12));
    for answer in answers {
        assert_eq!(answer[2], json!([]), "{}", answer[0]);
    }
    // One of them is tried.
    browser.evaluate(
        "field('help').showModal(), document.querySelector('#help dt:last-of-type button').click()",
    );
    browser.wait("app.editor.text.includes('struct Pendulum') && app.model.name === 'Pendulum' && app.run !== null");
    assert_eq!(
        browser.evaluate("[field('help').open, app.example].join()"),
        "false,"
    );
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn the_help_opens_and_closes_by_keys_and_fits() {
    let mut browser = Browser::new([1440, 1000]);
    browser.open(page(), "");
    let is_open = "field('help').open";
    // A question mark in the text is a letter.
    browser.evaluate("app.editor.field.focus()");
    browser.press("?");
    assert_eq!(browser.evaluate(is_open), false);
    assert_eq!(browser.evaluate("app.editor.text.includes('?')"), true);
    browser.evaluate("field('help-open').focus()");
    browser.press("?");
    assert_eq!(browser.evaluate(is_open), true);
    // A dialog with a name, which holds the focus and fits the window.
    let dialog = browser.evaluate(
        "(() => { const help = field('help'), box = help.getBoundingClientRect();
         return [help.matches(':modal'), field(help.getAttribute('aria-labelledby')).textContent, help.contains(document.activeElement),
             box.top >= 0 && box.bottom <= innerHeight, help.scrollHeight - help.clientHeight]; })()",
    );
    assert_eq!(dialog.to_string(), "[true,\"The language\",true,true,0]");
    browser.press_named("Escape", 27);
    assert_eq!(browser.evaluate(is_open), false);
    assert_eq!(browser.evaluate("document.activeElement.id"), "help-open");
    // On a phone it scrolls down, not sideways.
    browser.resize([390, 844]);
    browser.evaluate("field('help-open').click()");
    let wide = browser.evaluate("[field('help').scrollWidth - field('help').clientWidth, document.documentElement.scrollWidth - document.documentElement.clientWidth]");
    assert_eq!(wide.to_string(), "[0,0]");
    browser.evaluate("field('help-close').click()");
    assert_eq!(browser.evaluate(is_open), false);
    // The same for the list of formats.
    browser.evaluate("field('export').open = true");
    let wide = browser
        .evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(wide, 0);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
