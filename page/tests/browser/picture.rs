//! Arrows, bars, trails, steps, the phase portrait and the motion without projection.

use constraint_runtime::Stabilization;

use crate::chromium::Browser;
use crate::{models, numbers, page};

/// Newton: on a particle of mass m the constraints push with m a less its weight. The arrows of the acceleration come
/// from differences of places, those of the force from λ.
#[test]
fn arrows_of_force_and_acceleration_obey_newton() {
    let mut browser = Browser::new([1400, 1000]);
    // A pendulum of 1 m and 1 kg at 2 m/s: its rod pulls with m g cos φ + m v²/l.
    browser.open(page(), "example=circle");
    let arrows = browser.evaluate(
        "(() => { play(false); const arrows = arrowsOf({ t: 0, q: [0.6, -0.8], v: [1.6, 1.2], h: 0.002 });
         return [...arrows.velocity[0], ...arrows.force[0]]; })()",
    );
    let pull = 9.81 * 0.8 + 4.0;
    let expected = [1.6, 1.2, -0.6 * pull, 0.8 * pull];
    for (found, expected) in numbers(&arrows).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{arrows}");
    }
    // By equations, with time, in a system, on a track: places, mass and gravity as the examples have them.
    for (name, mass, gravity) in [
        ("parabola", 2.0, [0.0, -9.81, 0.0]),
        ("hoop", 1.0, [0.0, 0.0, -9.81]),
        ("held", 2.0, [0.0, -10.0, 0.0]),
        ("ring", 1.0, [0.0, -9.81, 0.0]),
        ("helix", 1.0, [0.0, -9.81, 0.0]),
    ] {
        browser.open(page(), &format!("example={name}"));
        browser.wait("app.run.steps > 40 || app.stopped");
        let arrows = browser.evaluate(
            "(() => { play(false); const { acceleration: [a], force: [f] } = arrowsOf(app.run); return [a, f]; })()",
        );
        let [acceleration, force] = [0, 1].map(|k| numbers(&arrows[k]));
        let size = force.iter().fold(mass, |most: f64, x| most.max(x.abs()));
        assert!(
            size > 0.1 && force.len() == acceleration.len(),
            "{name}: {arrows}"
        );
        for k in 0..force.len() {
            let left = mass * (acceleration[k] - gravity[k]) - force[k];
            assert!(
                left.abs() < 1e-4 * size,
                "{name}: {left} N left of {arrows}"
            );
        }
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// A chain that hangs at rest: every link is pulled, the upper ones by more.
#[test]
fn bars_show_tension_by_colour_and_width() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=hanging");
    let bars = browser.evaluate(
        "(() => { play(false); toggle('force');
         restart([app.start[0].map((_, k) => (k % 2 === 0 ? 0 : -0.25 * (k + 1))), app.start[1].map(() => 0)]);
         const styleOf = barStyles(1), bars = [...app.pins, ...app.links];
         return bars.map((bar) => { const { ink, width } = styleOf(bar); return [ink === inks.accent, width]; }); })()",
    );
    let bars: Vec<_> = bars.as_array().into_iter().flatten().collect();
    assert_eq!(bars.len(), 8);
    assert!(bars.iter().all(|bar| bar[0] == true), "{bars:?}");
    // Link i carries 8 − i beads; the width grows with the force from that of none.
    let widths: Vec<f64> = bars.iter().filter_map(|bar| bar[1].as_f64()).collect();
    for (i, width) in widths.iter().enumerate() {
        let carried = (8 - i) as f64 / 8.0;
        let expected = widths[7] + (widths[0] - widths[7]) * (carried - 1.0 / 8.0) / (7.0 / 8.0);
        assert!(
            (width - expected).abs() < 1e-9 && widths[0] > widths[7],
            "{widths:?}"
        );
    }
    // The lower boom of a truss is pressed, the upper one pulled.
    browser.open(page(), "example=truss");
    let booms = browser.evaluate(
        "(() => { const styleOf = barStyles(1), inkOf = (low) => {
             const pins = app.pins.filter(({ centre }) => Math.abs(centre[1] - low) < 0.1);
             return pins.sort((a, b) => styleOf(b).width - styleOf(a).width).map((it) => styleOf(it).ink)[0];
         };
         return [inkOf(0) === inks.warm, inkOf(1) === inks.accent]; })()",
    );
    assert_eq!(booms.to_string(), "[true,true]");
}

#[test]
fn toggles_change_the_picture_and_the_address() {
    let mut browser = Browser::new([1400, 1000]);
    // Trails are off from three points on; arrows are on for one.
    for (name, pressed) in [
        ("circle", "velocity,force,trails"),
        ("angles", "trails"),
        ("hanging", ""),
        ("hexapod", ""),
    ] {
        browser.open(page(), &format!("example={name}"));
        let shown = browser.evaluate(
            "SHOWN.filter((it) => field(`show-${it}`).getAttribute('aria-pressed') === 'true').join()",
        );
        assert_eq!(shown, pressed, "{name}");
    }
    // No row acts on the bobs that angles place.
    browser.open(page(), "example=angles");
    assert_eq!(browser.evaluate("field('show-force').disabled"), true);
    browser.open(page(), "example=circle");
    let count = "(() => { play(false); draw();
         const { width, height } = view.canvas;
         const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
         copy.drawImage(view.canvas, 0, 0);
         const { data } = copy.getImageData(0, 0, width, height);
         let count = 0;
         // The orange of the light scheme, below the legend.
         for (let i = 4 * 60 * width; i < data.length; i += 4) count += data[i] === 200 && data[i + 1] === 80 && data[i + 2] === 10;
         return count; })()";
    browser.wait("app.run.t > 0.1");
    assert!(
        browser.evaluate(count).as_u64() > Some(20),
        "no arrow of the force"
    );
    browser.evaluate("field('show-force').click()");
    assert_eq!(browser.evaluate(count), 0);
    // Another reader sees the same.
    let address = browser.evaluate("location.hash.slice(1)");
    browser.open(page(), address.as_str().unwrap_or_default());
    assert_eq!(
        browser.evaluate("field('show-force').getAttribute('aria-pressed')"),
        "false"
    );
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_step_advances_by_one_picture_while_paused() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=circle");
    browser.evaluate("field('again').click(); play(true)");
    browser.wait("app.run.steps > 5");
    let times = browser.evaluate(
        "new Promise((tell) => { field('step').click(); const first = app.run.t; field('step').click();
         const second = app.run.t; setTimeout(() => tell([app.playing, first, second, app.run.t]), 300); })",
    );
    assert_eq!(times[0], false);
    let times = numbers(&times);
    assert!((times[1] - times[0] - 0.02).abs() < 1e-9, "{times:?}");
    assert_eq!(times[2], times[1]);
    // The same by a key.
    browser.evaluate("view.canvas.focus()");
    browser.press(".");
    let later = browser.evaluate("app.run.t").as_f64();
    assert!(later.is_some_and(|it| (it - times[2] - 0.02).abs() < 1e-9));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Along a pendulum's curve in the phase plane, l² φ̇²/2 − g l cos φ is constant.
#[test]
fn the_phase_portrait_is_a_curve_of_constant_energy() {
    let mut browser = Browser::new([1400, 1000]);
    browser.open(page(), "example=plain");
    assert_eq!(browser.evaluate("field('phase-figure').hidden"), true);
    browser.evaluate("field('show-phase').click()");
    browser.wait("app.run.t > 0.6");
    let states = browser.evaluate("play(false), app.history.map((it) => [it.q[0], it.rate[0]])");
    let states: Vec<Vec<f64>> = states
        .as_array()
        .into_iter()
        .flatten()
        .map(numbers)
        .collect();
    let energy = |state: &[f64]| 0.125 * state[1] * state[1] - 5.0 * state[0].cos();
    assert!(states.len() > 3);
    for state in &states {
        assert!(
            (energy(state) - energy(&states[0])).abs() < 1e-6,
            "{state:?}"
        );
    }
    let inked = "(() => { plots(); const canvas = field('phase-plot');
         return field('phase-figure').hidden === false && canvas.getContext('2d')
             .getImageData(0, 0, canvas.width, canvas.height).data.some((it) => it > 0); })()";
    assert_eq!(browser.evaluate(inked), true);
    // Another coordinate is chosen, and remembered.
    browser.open(page(), "example=circle");
    browser.evaluate(
        "field('phase-coordinate').value = 'y'; field('phase-coordinate').dispatchEvent(new Event('change'))",
    );
    let address = browser.evaluate("location.hash.slice(1)");
    browser.open(page(), address.as_str().unwrap_or_default());
    let shown =
        browser.evaluate("[field('phase-coordinate').value, phaseCoordinate(), isShown('phase')]");
    assert_eq!(shown.to_string(), "[\"y\",1,true]");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The dashed curve of the drift is that of Rust without stabilisation; both are drawn on a scale from 1e-16 to 1.
#[test]
fn the_motion_without_projection_drifts_as_in_rust() {
    let mut browser = Browser::new([1400, 1000]);
    for name in ["circle", "hanging", "double"] {
        browser.open(page(), &format!("example={name}"));
        browser.wait("app.unprojected.length > 20 && app.unprojected.at(-1)[0] > 0.3");
        let free = browser.evaluate(
            "(() => { play(false); const { t, q, v, h } = app.free, [start, rate] = app.start;
             return [[t, h, app.run.t, app.free.drift(), app.run.drift()], start, rate, q.concat(v)]; })()",
        );
        let [times, q, v, end] = [0, 1, 2, 3].map(|k| numbers(&free[k]));
        let (t, h) = (times[0], times[1]);
        let expected = models::motion(name, [&q, &v], [h, t], Stabilization::None);
        let expected = expected.last().expect("a motion");
        let apart = end.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(
            apart.fold(0.0, f64::max) < 1e-9,
            "{name}: {end:?} {expected:?}"
        );
        assert!((t - times[2]).abs() < 0.5 * h, "{name}: it lags");
        assert!(
            times[3] > 100.0 * times[4] && times[4] < 1e-14,
            "{name}: {times:?}"
        );
    }
    let scale = browser.evaluate("[DRIFT.low, DRIFT.high, ...DRIFT.ticks.map(DRIFT.label)].join()");
    assert_eq!(scale, "-16,0,1e-16,1e-8,1");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Axes have names: those of the plane, of space, of coordinates that are no points, and time.
#[test]
fn axes_are_named() {
    let mut browser = Browser::new([1400, 1000]);
    for (fragment, names) in [
        ("example=hump", vec!["x →", "↑ y"]),
        ("text=u^2 == w", vec!["u →", "↑ w"]),
        ("example=hoop", vec!["x", "y", "z"]),
        (
            "text=system! { struct S; coordinate turn; kinetic velocity(turn)^2/2; potential turn^2; }",
            vec!["t →", "turn"],
        ),
    ] {
        browser.open(page(), fragment);
        let texts = browser.evaluate(
            "[...new DOMParser().parseFromString(pictureSvg(), 'image/svg+xml').querySelectorAll('text')].map((it) => it.textContent)",
        );
        for name in names {
            let found = texts
                .as_array()
                .is_some_and(|all| all.iter().any(|it| it == name));
            assert!(found, "{fragment}: no {name:?} in {texts}");
        }
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// A formula wider than its column scrolls by the keyboard, and a shadow shows where it goes on.
#[test]
fn wide_formulas_scroll_and_show_it() {
    let mut browser = Browser::new([1440, 1000]);
    browser.open(page(), "example=rods");
    browser.wait("document.querySelectorAll('#steps .formula > div').length > 8");
    let formulas = "[...document.querySelectorAll('#steps .formula > div')].map((it) => {
         const style = getComputedStyle(it);
         return [it.scrollWidth > it.clientWidth, it.tabIndex === 0, style.overflowX === 'auto',
             style.backgroundAttachment === 'local, local, scroll, scroll']; })";
    let mut counts = [0, 0];
    for (count, size) in counts.iter_mut().zip([[1440, 1000], [390, 844]]) {
        browser.resize(size);
        browser.wait("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
        let formulas = browser.evaluate(formulas);
        for formula in formulas.as_array().into_iter().flatten() {
            assert_eq!(formula[0], formula[1], "{formulas}");
            assert_eq!(formula[0], formula[3], "{formulas}");
            assert_eq!(formula[2], true, "{formulas}");
            *count += u32::from(formula[0] == true);
        }
    }
    assert!(counts[1] > counts[0] && counts[0] > 0, "{counts:?}");
    let sideways = browser
        .evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(sideways, 0);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Bodies are drawn as solids of their own inertia: a thin disk of its radius, a cylinder with m r²/2 about its axis and
/// m (r²/4 + h²/3) across it, a box with m (b² + c²)/3.
#[test]
fn bodies_are_drawn_with_their_inertia() {
    let mut browser = Browser::new([1400, 1000]);
    let extents = "(() => { play(false); const corners = app.shapes[0].faces.flatMap((it) => it.corners);
         return [...[0, 1, 2].map((k) => Math.max(...corners.map((it) => it[k]))), ...corners.map((it) => Math.hypot(it[0], it[1])).slice(0, 4)]; })()";
    browser.open(page(), "example=disk");
    let disk = numbers(&browser.evaluate(extents));
    assert!(disk[2] < 1e-6, "a thick disk: {disk:?}");
    assert!(disk[3..].iter().all(|r| (r - 0.5).abs() < 1e-9), "{disk:?}");
    // All of it stays in the picture.
    let outside = browser.evaluate(
        "(() => { for (let i = 0; i < 600; i++) { forward(); draw(); }
         const { width, height } = view.canvas;
         return facesSeen(app.run.q).flatMap((it) => it.pixels).filter(([x, y]) => x < 0 || y < 0 || x > width || y > height).length; })()",
    );
    assert_eq!(outside, 0);
    browser.open(page(), "example=top");
    let top = numbers(&browser.evaluate(extents));
    let (r, h) = (top[3], top[2]);
    assert!((0.5 * r * r / 2.0 - 0.0004).abs() < 1e-12, "{top:?}");
    assert!(
        (0.5 * (r * r / 4.0 + h * h / 3.0) - 0.0006).abs() < 1e-12,
        "{top:?}"
    );
    browser.open(page(), "example=racket");
    let half = numbers(&browser.evaluate(extents));
    for (k, moment) in [0.0014, 0.0164, 0.0175].into_iter().enumerate() {
        let (b, c) = (half[(k + 1) % 3], half[(k + 2) % 3]);
        assert!(
            (0.3 * (b * b + c * c) / 3.0 - moment).abs() < 1e-12,
            "{half:?}"
        );
    }
    // Of a convex solid the reader sees at most half of the faces, the nearest drawn last.
    let seen = browser.evaluate("facesSeen(app.run.q).map((it) => it.away)");
    let seen = numbers(&seen);
    assert!(
        (1..=3).contains(&seen.len()) && seen.is_sorted_by(|a, b| a >= b),
        "{seen:?}"
    );
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
