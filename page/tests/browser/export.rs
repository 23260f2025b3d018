//! Files that the page saves, and the address that it shares.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::chromium::Browser;
use crate::{numbers, page};

/// A folder for downloads, which ends with the test.
struct Downloads(PathBuf);

impl Downloads {
    fn of(browser: &mut Browser, name: &str) -> Downloads {
        let folder = std::env::temp_dir().join(format!("page-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let asked = json!({ "behavior": "allow", "downloadPath": folder });
        browser.call("Browser.setDownloadBehavior", asked);
        Downloads(folder)
    }

    /// The bytes of a file, once it is complete.
    fn file(&self, name: &str) -> Vec<u8> {
        let since = Instant::now();
        loop {
            match fs::read(self.0.join(name)) {
                Ok(bytes) if !bytes.is_empty() => return bytes,
                _ => sleep(Duration::from_millis(20)),
            }
            let is_late = since.elapsed() > Duration::from_secs(20);
            assert!(!is_late, "{name} is not in {:?}", names(&self.0));
        }
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|it| it.path()).collect()
}

/// The table has the states of the motion: its last row is the state in the page, its energies those of a pendulum.
#[test]
fn the_motion_is_saved_as_a_table() {
    let mut browser = Browser::new([1400, 1000]);
    let downloads = Downloads::of(&mut browser, "table");
    browser.open(page(), "example=circle");
    browser.wait("app.run.t > 0.3");
    let state = browser.evaluate(
        "(() => { play(false); field('save-csv').click(); return [app.run.t, ...app.run.q, ...app.run.v]; })()",
    );
    let table = String::from_utf8(downloads.file("circle.csv")).expect("text");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("t,x,y,v_x,v_y,T,V,drift,lambda C[0]"));
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|it| it.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(rows[rows.len() - 1][..5], numbers(&state)[..]);
    assert_eq!(rows[0][..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    for (i, row) in rows.iter().enumerate() {
        assert!((row[0] - 0.002 * i as f64).abs() < 1e-12, "{row:?}");
        // Released at the height of the pivot: T + V = 0, and C = x² + y² − 1.
        assert!((row[5] + row[6]).abs() < 1e-9 && (row[6] - 9.81 * row[2]).abs() < 1e-12);
        assert!(row[7] <= 4e-15 && (row[1].hypot(row[2]) - 1.0).abs() < 1e-14);
        // 2 λ q is the force of the rod, m v² − m g y towards the pivot.
        assert!(
            (2.0 * row[8] + 2.0 * row[5] - 9.81 * row[2]).abs() < 1e-9,
            "{row:?}"
        );
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// A long motion keeps every second state, then every fourth: as far apart as before, and from the start on.
#[test]
fn long_motions_become_tables_of_bounded_length() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=circle");
    let rows = browser.evaluate(
        "(() => { play(false); restart(app.start);
         for (let i = 0; i < 10 * MOST_ROWS; i++) forward();
         const { rows, stride } = app.log, gaps = rows.slice(1).map((it, i) => it.t - rows[i].t);
         return [rows.length, stride, rows[0].t, Math.min(...gaps), Math.max(...gaps), app.run.t - rows.at(-1).t]; })()",
    );
    let [length, stride, first, least, most, rest] = numbers(&rows)[..] else {
        panic!("{rows}");
    };
    assert!(
        (2000.0..=4000.0).contains(&length) && stride == 16.0 && first == 0.0,
        "{rows}"
    );
    assert!(
        (least - 0.032).abs() < 1e-9 && (most - 0.032).abs() < 1e-9 && rest < 0.032,
        "{rows}"
    );
}

/// The SVG draws what the canvas draws: shown as an image, both have nearly the same pixels.
#[test]
fn the_picture_is_saved_as_svg_and_png() {
    let mut browser = Browser::new([1400, 1000]);
    let downloads = Downloads::of(&mut browser, "picture");
    for name in ["four-bar", "hoop", "racket"] {
        browser.open(page(), &format!("example={name}"));
        browser.wait("app.run.t > 0.2");
        let differs = browser.evaluate(
            "(async () => {
             play(false); app.show = { velocity: true, force: true };
             const svg = pictureSvg(), { width, height } = view.canvas, pixels = async (source) => {
                 const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
                 const image = new Image();
                 image.src = URL.createObjectURL(source);
                 await image.decode();
                 pen.drawImage(image, 0, 0, width, height);
                 return pen.getImageData(0, 0, width, height).data;
             };
             const [a, b] = [await pixels(new Blob([svg], { type: 'image/svg+xml' })), await pixels(await picturePng())];
             let different = 0, drawn = 0;
             for (let i = 0; i < a.length; i += 4) {
                 const apart = (k) => Math.abs(a[i + k] - b[i + k]) > 100;
                 different += apart(0) || apart(1) || apart(2);
                 drawn += Math.min(b[i], b[i + 1], b[i + 2]) < 155;
             }
             const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
             return [different, drawn, parsed.querySelector('parsererror') === null, parsed.querySelectorAll('path').length]; })()",
        );
        let [different, drawn] = [0, 1].map(|k| differs[k].as_f64().unwrap_or(f64::NAN));
        assert!(
            drawn > 300.0 && different < 0.2 * drawn,
            "{name}: {differs}"
        );
        assert!(
            differs[2] == true && differs[3].as_u64() > Some(5),
            "{name}: {differs}"
        );
    }
    browser.evaluate("field('save-svg').click(), field('save-png').click()");
    assert!(downloads.file("racket.svg").starts_with(b"<svg xmlns="));
    assert!(downloads.file("racket.png").starts_with(b"\x89PNG"));
    browser.wait("field('state').textContent.startsWith('Saved racket.')");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The shared address shows another reader the same text, settings and arrows.
#[test]
fn the_address_is_copied_with_text_and_settings() {
    let mut browser = Browser::new([1400, 1000]);
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.call("Browser.grantPermissions", permissions);
    browser.open(page(), "text=y == x^2/4&settings={\"mass\":3}");
    browser.evaluate("field('show-acceleration').click(); view.canvas.focus()");
    browser.call("Page.bringToFront", json!({}));
    let copied = browser.evaluate(
        "(async () => { field('share').click(); while (!field('state').textContent) await new Promise((done) => setTimeout(done, 10));
         return [await navigator.clipboard.readText(), location.href, field('state').textContent]; })()",
    );
    assert_eq!(copied[0], copied[1]);
    assert!(
        copied[2]
            .as_str()
            .is_some_and(|it| it.starts_with("Copied the address")),
        "{copied}"
    );
    let address = copied[0].as_str().unwrap_or_default();
    let fragment = address.split_once('#').map_or("", |it| it.1).to_owned();
    browser.open(page(), &fragment);
    let seen = browser.evaluate("[app.editor.text, app.settings.mass, isShown('acceleration')]");
    assert_eq!(seen.to_string(), "[\"y == x^2/4\",3,true]");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
