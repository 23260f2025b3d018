//! One mistake, one message: every file under `ui/` is one mistake, its `.stderr` is what the user reads.

#[test]
fn mistakes_are_reported_at_their_tokens_in_our_own_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/syntax/*.rs");
    cases.compile_fail("tests/ui/model/*.rs");
    cases.compile_fail("tests/ui/curve/*.rs");
    cases.compile_fail("tests/ui/system/*.rs");
    cases.compile_fail("tests/ui/runtime/*.rs");
}

#[test]
fn messages_hold_nothing_but_our_own_text() {
    for folder in ["syntax", "model", "curve", "system"] {
        let files = std::fs::read_dir(format!("tests/ui/{folder}")).expect("the folder of cases");
        for file in files {
            let path = file.expect("a file").path();
            if path
                .extension()
                .is_none_or(|extension| extension != "stderr")
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            for foreign in [
                "error[E",
                "warning:",
                "= help: consider",
                "panicked",
                "expected one of",
            ] {
                assert!(
                    !text.contains(foreign),
                    "{} has `{foreign}`",
                    path.display()
                );
            }
        }
    }
}
