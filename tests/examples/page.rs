//! The page of the tracks, tried in headless Chromium; skipped, and said so, where there is none.

#[path = "../../examples/track_page.rs"]
mod track_page;

use std::path::Path;
use std::process::Command;

/// Names that Chromium goes by.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    BROWSERS.into_iter().find(runs)
}

fn page() -> String {
    let path = track_page::write().expect("the page is written");
    std::fs::read_to_string(path).expect("the page is text")
}

#[test]
fn the_page_is_one_file_without_network() {
    let page = page();
    for foreign in [
        "http:",
        "https:",
        "src=",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "<link",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let main = track_page::main();
    assert!(main.is_ok(), "{main:?}");
}

#[test]
fn every_track_moves_and_can_be_dragged_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: none of {BROWSERS:?} is installed, so the page was not opened");
        return;
    };
    page();
    let file = Path::new("target/tracks.html")
        .canonicalize()
        .expect("the page");
    let profile = std::env::temp_dir().join(format!("track-page-{}", std::process::id()));
    let output = Command::new(browser)
        .args(["--headless", "--disable-gpu", "--no-sandbox", "--dump-dom"])
        .args(["--virtual-time-budget=60000", "--window-size=1200,1400"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}#check", file.display()))
        .output()
        .expect("the browser runs");
    _ = std::fs::remove_dir_all(&profile);
    let dom = String::from_utf8_lossy(&output.stdout);
    let report = dom.split_once("<pre id=\"report\">").map(|(_, rest)| rest);
    let report = report
        .and_then(|rest| rest.split_once("\ndone"))
        .map(|(report, _)| report);
    let Some(report) = report else {
        panic!(
            "the page did not finish its check:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    assert_eq!(report.matches(": energy").count(), 13, "{report}");
    assert_eq!(report.matches(": dragged").count(), 13, "{report}");
    assert!(
        report.lines().all(|line| line.starts_with("ok ")),
        "{report}"
    );
}
