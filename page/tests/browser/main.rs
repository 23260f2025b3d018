//! The page, tried in headless Chromium as a reader would: one command, `cargo test --manifest-path page/Cargo.toml`.
//!
//! It builds the page first, and says what it needs where that is missing.

mod chromium;
mod export;
mod help;
mod models;
mod picture;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use constraint_runtime::Stabilization;
use constraint_symbolic::call::calls;
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

use self::chromium::Browser;

/// Steps of this length, so many seconds long.
const STEP: f64 = 1.0 / 512.0;
const UNTIL: f64 = 10.0;

/// From a key to the first picture of the motion, in ms.
const LATENCY: f64 = 50.0;

/// The page, built once.
fn page() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        let built = Command::new(env!("CARGO_BIN_EXE_page"))
            .output()
            .expect("the builder runs");
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        package
            .parent()
            .expect("the repository")
            .join("target/constraint.html")
    })
}

/// The numbers in a list.
fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect()
}

#[test]
fn it_is_one_small_file_without_network() {
    let text = std::fs::read_to_string(page()).expect("the page is text");
    assert!(text.len() <= 1_500_000, "{} bytes", text.len());
    println!("{} bytes", text.len());
    for foreign in ["src=", "@import", "fetch(", "XMLHttpRequest", "<link"] {
        assert!(!text.contains(foreign), "{foreign}");
    }
    // Links lead to the project, and to nothing else.
    let mut lines = include_str!("../../../Cargo.toml").lines();
    let stated = lines.find_map(|line| line.strip_prefix("repository = \""));
    let project = format!("href=\"{}", stated.expect("an address").trim_matches('"'));
    let links = text.matches(&project).count();
    assert!(links > 0 && text.matches("https:").count() == links);
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=parabola");
    let mut requests = browser.requests.iter();
    assert!(requests.all(|it| {
        ["file:", "about:", "blob:", "data:"]
            .iter()
            .any(|own| it.starts_with(own))
    }));
}

#[test]
fn every_example_moves_without_a_complaint() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "");
    let names = browser.evaluate("Object.keys(EXAMPLES)");
    for name in names
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        browser.open(page(), &format!("example={name}"));
        let state = browser.evaluate(
            "[app.editor.list.children.length, field('refused').hidden, app.model?.title]",
        );
        println!("{name}: {state}");
        assert_eq!(state[0], 0, "{name} has mistakes");
        let text = browser.evaluate("app.editor.text");
        let text = text.as_str().unwrap_or_default();
        assert!(
            !text.contains("```") && !text.contains("///\n    pub struct"),
            "{name} shows the code of a test"
        );
        let refused = browser.evaluate("field('refused').textContent");
        assert_eq!(state[1], true, "{name}: {refused}");
        browser.wait("app.run.steps > 3 || app.stopped");
        let [kept, drift] =
            ["!app.stopped", "app.run.drift() < 1e-6"].map(|it| browser.evaluate(it));
        assert_eq!((kept, drift), (true.into(), true.into()), "{name}");
        // As many bars as hold it hold a truss; all else is elsewhere after a while.
        let moved = browser.evaluate(
            "(() => { const run = new Run(app.system, 0, ...app.start, stepSize());
             for (let i = 0; i < 20 && run.step(); i++);
             return run.steps < 20 ? -1 : largest(run.q.map((x, k) => x - app.start[0][k])); })()",
        );
        let moved = moved.as_f64().unwrap_or(f64::NAN);
        assert!(
            moved > 1e-9 || (name == "truss" && moved >= 0.0),
            "{name}: {moved}"
        );
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn the_readmes_models_move_as_rust_moves_them() {
    let mut browser = Browser::new([1200, 900]);
    let texts = [
        include_str!("models.rs"),
        include_str!("../../../constraint-runtime/src/curve/tracks.rs"),
    ];
    let texts = texts.map(|text| calls(text.parse().expect("Rust")));
    let here: Vec<String> = texts
        .iter()
        .flatten()
        .map(|it| undocumented(&it.body))
        .collect();
    for name in models::NAMES.into_iter().chain(models::TRACKS) {
        browser.open(page(), &format!("example={name}"));
        let text = browser.evaluate("app.editor.text");
        let there = calls(text.as_str().unwrap_or_default().parse().expect("tokens"));
        // Documentation may differ, the model may not.
        assert!(
            here.contains(&undocumented(&there[0].body)),
            "{name} is another model here"
        );
        let start = browser.evaluate("app.start");
        let [q, v] = [0, 1].map(|k| numbers(&start[k]));
        let moved = browser.evaluate(&format!(
            "(() => {{ const run = new Run(app.system, 0, app.start[0], app.start[1], {STEP}), all = [];
             while (run.steps < {UNTIL} / {STEP} - 1 && run.step()) all.push(run.q.concat(run.v));
             return all.filter((_, i) => i % 64 === 63); }})()"
        ));
        let expected = models::motion(name, [&q, &v], [STEP, UNTIL], Stabilization::default());
        let expected: Vec<&Vec<f64>> = expected.iter().skip(63).step_by(64).collect();
        let moved: Vec<Vec<f64>> = moved
            .as_array()
            .into_iter()
            .flatten()
            .map(numbers)
            .collect();
        assert!(
            moved.len() >= expected.len() - 1 && !moved.is_empty(),
            "{name}: {} states",
            moved.len()
        );
        let mut worst = 0.0_f64;
        for (moved, expected) in moved.iter().zip(&expected) {
            assert_eq!(moved.len(), expected.len());
            let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            let apart = moved
                .iter()
                .zip(expected.iter())
                .map(|(a, b)| (a - b).abs());
            worst = apart.fold(worst, |most, apart| most.max(apart / size));
        }
        println!("{name}: {worst:.1e} apart in {} states", expected.len());
        assert!(worst <= 1e-12, "{name}: {worst:e}");
    }
}

/// The tokens of a model without its documentation and visibilities.
fn undocumented(tokens: &TokenStream) -> String {
    let is_documentation = |token: &TokenTree| matches!(token, TokenTree::Group(it) if it.stream().to_string().starts_with("doc"));
    let mut text = String::new();
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(it)
                if it.as_char() == '#' && tokens.peek().is_some_and(is_documentation) =>
            {
                tokens.next();
            }
            TokenTree::Ident(it) if it == "pub" => {}
            TokenTree::Group(group) => {
                let inside = undocumented(&group.stream());
                text += &format!("{:?}({})", group.delimiter(), inside.trim_end_matches(','));
            }
            other => text += &other.to_string(),
        }
    }
    text
}

#[test]
fn a_key_is_a_motion_at_once() {
    let mut browser = Browser::new([1400, 1000]);
    let mut slow = Vec::new();
    for name in models::NAMES {
        browser.open(page(), &format!("example={name}"));
        browser.evaluate("app.editor.field.focus()");
        let mut best = f64::INFINITY;
        for _ in 0..25 {
            let shown = browser.evaluate("document.documentElement.dataset.shown");
            browser.press(" ");
            browser.wait(&format!(
                "document.documentElement.dataset.shown !== {shown}"
            ));
            let latency = browser.evaluate("Number(document.documentElement.dataset.latency)");
            best = best.min(latency.as_f64().unwrap_or(f64::INFINITY));
        }
        println!("{name}: {best:.1} ms");
        if best > LATENCY {
            slow.push((name, best));
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}

/// Six hinges in a ring: by the closed form of its turn (`examples/bricard.rs`), energy stays in the one freedom it has, and
/// its tilt grows as that says.
#[test]
fn bricards_ring_turns() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=bricard");
    let told = browser.evaluate(
        "(() => { const run = new Run(app.system, 0, ...app.start, 0.01), tilt = () => {
             // The height of the first link's x axis is the sine of its tilt.
             const [i, j, k, w] = run.q.slice(3, 7);
             return Math.asin(2 * (i * k - j * w));
         };
         const before = [tilt(), sum(run.energies())];
         for (let i = 0; i < 40; i++) if (!run.step()) return null;
         return [...before, tilt(), sum(run.energies()), run.drift()]; })()",
    );
    let told = numbers(&told);
    assert_eq!(told.len(), 5, "it does not move: {told:?}");
    assert!((told[0] - 0.4).abs() < 1e-9, "{told:?}");
    // t = ∫ √(I(β)/(2 E)) dβ from the tilt that it began at, which Simpson's rule finds to 1e-12.
    let slowness = |tilt: f64| (ring_inertia(tilt) / (2.0 * told[1])).sqrt();
    let (n, h) = (400, (told[2] - told[0]) / 800.0);
    let pair = |i: i32| {
        let at = |i: i32| slowness(told[0] + h * f64::from(i));
        at(2 * i) + 4.0 * at(2 * i + 1) + at(2 * i + 2)
    };
    let time = (0..n).map(pair).sum::<f64>() * h / 3.0;
    assert!(
        (time - 0.4).abs() < 1e-5,
        "{time} in the closed form: {told:?}"
    );
    assert!(
        (told[3] / told[1] - 1.0).abs() < 1e-6 && told[4] < 1e-9,
        "{told:?}"
    );
}

/// I(β) of six links of mass 1, inertia 0.1 and length 1, by differences of the first link's places: ½ I β̇² is their energy.
fn ring_inertia(tilt: f64) -> f64 {
    let axes = |tilt: f64| {
        let (sin, cos) = tilt.sin_cos();
        let x = [cos, 0.0, sin];
        let (down, along) = f64::atan2(-cos, 2.0 * sin).sin_cos();
        let y = [along / 2.0, along * 0.75_f64.sqrt(), down];
        let z = [
            x[1] * y[2] - x[2] * y[1],
            x[2] * y[0] - x[0] * y[2],
            x[0] * y[1] - x[1] * y[0],
        ];
        [x, y, z]
    };
    let h = 1e-4;
    let [before, after] = [-h, h].map(|h| axes(tilt + h));
    let slope = |k: usize, i: usize| (after[k][i] - before[k][i]) / (2.0 * h);
    let center = [
        slope(2, 1) / 3.0_f64.sqrt() - slope(2, 0) / 2.0,
        slope(2, 1) / 2.0,
    ];
    let speed = center[0].powi(2) + center[1].powi(2);
    // Σ |ė|² = 2 |ω|²
    let spin: f64 = (0..9).map(|i| slope(i / 3, i % 3).powi(2)).sum::<f64>() / 2.0;
    6.0 * (speed + 0.1 * spin)
}

/// Another text has nothing of the example before it: its weight pulls down, whichever way that example's did.
#[test]
fn another_text_begins_afresh() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=rod");
    let told = "[app.settings, field('note').textContent !== '', fieldOf(app.model), app.example]";
    let before = browser.evaluate(told);
    assert_eq!(before[3], "rod");
    // Spaces are no other text.
    browser.evaluate("app.editor.field.focus()");
    browser.press(" ");
    browser.wait("app.editor.text !== EXAMPLES.rod.text && field('busy').hidden");
    assert_eq!(browser.evaluate(told), before);
    let write = |browser: &mut Browser, text: &str| {
        let shown = browser.evaluate("document.documentElement.dataset.shown");
        browser.evaluate(&format!(
            "app.editor.text = {text:?}; app.editor.field.focus()"
        ));
        browser.press(" ");
        browser.wait(&format!(
            "document.documentElement.dataset.shown !== {shown}"
        ));
    };
    write(&mut browser, "y == x^2");
    let after = browser.evaluate(told);
    assert_eq!(after.to_string(), "[{},false,[0,-9.81],null]");
    assert_eq!(
        browser.evaluate("[app.model.coordinates, axisNames(app.model)].join()"),
        "x,y,x,y"
    );
    let label = browser.evaluate("field('settings').textContent.includes('gravity along −y')");
    assert_eq!(label, true);
    // What was undone is as it was.
    let text = browser.evaluate("EXAMPLES.rod.text");
    write(&mut browser, text.as_str().unwrap_or_default());
    assert_eq!(browser.evaluate(told), before);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn mistakes_stand_at_their_tokens() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=rod");
    browser.evaluate("app.editor.text = 'constraint! { struct Rod { length: Real } |x, y| x + lenght*y^(x) }'; app.editor.field.focus()");
    browser.press(" ");
    browser.wait("app.editor.list.children.length > 0");
    let marked =
        browser.evaluate("[...document.querySelectorAll('mark')].map((it) => it.textContent)");
    assert_eq!(marked[0], "lenght", "{marked}");
    let told = browser.evaluate("app.editor.list.textContent");
    let told = told.as_str().unwrap_or_default();
    assert!(
        told.contains("`lenght` is not declared") && told.contains("did you mean `length`?"),
        "{told}"
    );
    let said = browser.evaluate("[field('summary').getAttribute('aria-live'), field('summary').textContent, app.editor.field.ariaInvalid]");
    assert_eq!(said[0], "polite");
    assert!(
        said[1]
            .as_str()
            .is_some_and(|it| it.contains("`lenght` is not declared")),
        "{said}"
    );
    // The message leads to its token.
    browser.evaluate("app.editor.list.querySelector('button').click()");
    let chosen = browser.evaluate(
        "app.editor.text.slice(app.editor.field.selectionStart, app.editor.field.selectionEnd)",
    );
    assert_eq!(chosen, "lenght");
    // A bracket without its partner is a mistake as well, and what is mended moves again.
    browser.evaluate("app.editor.text = 'x^2 + (y'; app.editor.field.focus(); app.editor.field.setSelectionRange(8, 8)");
    browser.press(" ");
    browser.wait("app.editor.list.textContent.includes('has no')");
    browser.press(")");
    browser.wait("app.editor.list.children.length === 0 && app.model.title === 'constraint'");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_bead_is_dragged_to_a_new_start_and_remembered() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=circle");
    browser.evaluate("play(false)");
    let places = browser.evaluate(
        "(() => { const box = view.canvas.getBoundingClientRect(), ratio = view.canvas.width / box.width;
         const at = (point) => { const [x, y] = view.pixel(point); return [box.left + x / ratio, box.top + y / ratio]; };
         return [at(app.run.q), at([-0.6, 0.8])]; })()",
    );
    let [from, to] = [0, 1].map(|k| numbers(&places[k]));
    browser.drag([from[0], from[1]], [to[0], to[1]]);
    browser.wait("app.dragged === null");
    let state = browser.evaluate("[app.run.q, app.run.v, app.run.drift()]");
    let (q, v) = (numbers(&state[0]), numbers(&state[1]));
    assert!(
        (q[0] + 0.6).abs() < 0.02 && (q[1] - 0.8).abs() < 0.02,
        "{q:?}"
    );
    assert!(
        v == [0.0, 0.0] && state[2].as_f64().is_some_and(|it| it < 1e-14),
        "{state}"
    );
    // The address says it all: another reader sees the same.
    let address = browser.evaluate("location.hash.slice(1)");
    let address = address.as_str().unwrap_or_default().to_owned();
    browser.open(page(), &address);
    let start = browser.evaluate("app.start[0]");
    assert_eq!(numbers(&start), q);
}

/// The tracks of the plane: their beads go where the pointer is put, and stand there.
#[test]
fn beads_are_dragged_along_every_track() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "");
    let names = browser.evaluate("Object.keys(EXAMPLES)");
    let mut tracks = 0;
    for name in names
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        browser.open(page(), &format!("example={name}"));
        let is_plane = browser.evaluate("app.model?.kind === 'curve' && app.model.dimension === 2");
        if is_plane != Value::Bool(true) {
            continue;
        }
        tracks += 1;
        browser.evaluate("play(false)");
        let places = browser.evaluate(
            "(() => { const box = view.canvas.getBoundingClientRect(), ratio = view.canvas.width / box.width;
             const { domain: [start, end], position } = app.system;
             const at = (s) => { const [x, y] = view.pixel(position(s)); return [box.left + x / ratio, box.top + y / ratio]; };
             return [at(app.run.q[0]), at(start + 0.3 * (end - start))]; })()",
        );
        let [from, to] = [0, 1].map(|k| numbers(&places[k]));
        browser.drag([from[0], from[1]], [to[0], to[1]]);
        browser.wait("app.dragged === null");
        let away = browser.evaluate(&format!(
            "(() => {{ const box = view.canvas.getBoundingClientRect(), ratio = view.canvas.width / box.width;
             const [x, y] = view.pixel(app.system.position(app.run.q[0]));
             return Math.hypot(box.left + x / ratio - {}, box.top + y / ratio - {}) + Math.abs(app.run.v[0]); }})()",
            to[0], to[1]
        ));
        assert!(
            away.as_f64().is_some_and(|it| it < 2.0),
            "{name}: {away} px"
        );
    }
    assert!(tracks >= 13, "{tracks} tracks");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn what_follows_is_read_by_keyboard() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=parabola");
    browser.wait("document.querySelectorAll('#steps li math').length >= 8");
    let titles =
        browser.evaluate("[...document.querySelectorAll('#steps h3')].map((it) => it.textContent)");
    assert!(
        titles[0]
            .as_str()
            .is_some_and(|it| it.starts_with("Constraint")),
        "{titles}"
    );
    browser.evaluate("field('tab-derivation').focus()");
    for (tab, word) in [
        ("rust", "fn particle_force"),
        ("c", "static inline void constraint_particle_force"),
        ("javascript", "function particle_force"),
        ("python", "def particle_force"),
        ("latex", "documentclass"),
    ] {
        browser.press_named("ArrowRight", 39);
        browser.wait(&format!("field('code').textContent.includes({word:?})"));
        let focused = browser.evaluate("document.activeElement.id");
        assert_eq!(focused, format!("tab-{tab}"));
    }
    let costs = browser.evaluate("field('costs').textContent");
    assert!(
        costs
            .as_str()
            .is_some_and(|it| it.contains("particle_force 11")),
        "{costs}"
    );
    // Arrows move the bead, space plays and pauses.
    browser.evaluate("play(true); view.canvas.focus()");
    browser.press(" ");
    browser.wait("app.playing === false");
    let before = browser.evaluate("app.run.q[0]");
    browser.press_named("ArrowRight", 39);
    let after = browser.evaluate("app.run.q[0]");
    assert!(after.as_f64() > before.as_f64(), "{before} {after}");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The examples are grouped by physics, each once; the list is a column on wide screens, and closed above the equation on
/// narrow ones.
#[test]
fn the_list_of_examples_leaves_room_for_the_equation() {
    let mut browser = Browser::new([1400, 700]);
    browser.open(page(), "example=helix");
    let groups = browser
        .evaluate("[...document.querySelectorAll('#list h2')].map((it) => it.textContent).join()");
    assert_eq!(
        groups,
        "Beads on wires,Pendulums,Chains,Linkages,Rigid bodies,Robots,Tracks"
    );
    let titles =
        browser.evaluate("[...document.querySelectorAll('#list a')].map((it) => it.textContent)");
    let titles: Vec<&str> = titles
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut distinct = titles.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), titles.len(), "{titles:?}");
    let is_seen = "(() => { const link = document.querySelector('#list a[aria-current]').getBoundingClientRect();
         return field('examples-list').open && link.top >= 0 && link.bottom <= innerHeight && scrollY === 0; })()";
    assert_eq!(
        browser.evaluate(is_seen),
        true,
        "the last example is out of sight"
    );
    let title = browser.evaluate("document.title");
    assert!(
        title
            .as_str()
            .is_some_and(|it| it.starts_with("Constrained dynamics: "))
    );

    browser.resize([390, 844]);
    browser.open(page(), "");
    let seen = browser.evaluate(
        "[field('examples-list').open, field('text').getBoundingClientRect().top, document.documentElement.scrollWidth - document.documentElement.clientWidth,
          field('current').textContent, app.editor.text, fieldOf(app.model)]",
    );
    assert_eq!(seen[0], false);
    assert!(seen[1].as_f64().is_some_and(|it| it < 280.0), "{seen}");
    assert_eq!(seen[2], 0, "it scrolls sideways");
    assert_eq!(seen[3], ": Bead on a parabola");
    // The README's first equation, with y upwards.
    assert!(include_str!("../../../README.md").contains("constraint!(y == x^2/100)"));
    assert_eq!(seen[4], "y == x^2/100");
    assert_eq!(numbers(&seen[5]), [0.0, -9.81]);
    // The first key of the keyboard skips the list, and the address stays that of the model.
    let address = browser.evaluate("location.hash");
    browser.press_named("Tab", 9);
    assert_eq!(browser.evaluate("document.activeElement.id"), "skip");
    browser.press("\r");
    assert_eq!(browser.evaluate("document.activeElement.id"), "text");
    assert_eq!(browser.evaluate("location.hash"), address);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
