//! Forces of constraints and the motion along curves: dual numbers through what is generated, matrices too large to be
//! written out, cusps, what is told, and what these allocate: nothing.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

use crate::random::Random;

constraint! {
    /// A rod whose one end a moving guide holds, and that may not turn faster than so.
    #[derivatives]
    struct Guided { l: Real, guide: Vector2, rate: Real }
    |a: Point2, t: Time, b: Point2| [
        norm(b - a) == l,
        dot(a - guide*sin(rate*t), [1, rate]) == 0,
    ]
}

type Along = ForceTangent<f64, 4, 4>;

fn random(random: &mut Random, from: f64) -> Along {
    let mut number = || random.between(from, 1.0);
    Along {
        t: number(),
        q: SVector::from_fn(|_, _| number()),
        v: SVector::from_fn(|_, _| number()),
        w: SVector::from_fn(|_, _| number()),
        f: SVector::from_fn(|_, _| number()),
        p: SVector::from_fn(|_, _| number()),
    }
}

fn guided<T: Real>(p: &[T]) -> Guided<T> {
    Guided {
        l: p[0],
        guide: Vector2::new(p[1], p[2]),
        rate: p[3],
    }
}

#[test]
fn derivatives_of_forces_agree_with_dual_numbers() {
    for seed in 0..100 {
        let mut numbers = Random::new(seed);
        let mut at = random(&mut numbers, 0.2);
        at.q[2] += 2.0;
        let (along, back) = (random(&mut numbers, -1.0), random(&mut numbers, -1.0));
        let (f_bar, l_bar) = (back.q, back.v.fixed_rows::<2>(0).into_owned());
        let dual = |at: &SVector<f64, 4>, along: &SVector<f64, 4>| -> SVector<Dual64, 4> {
            at.zip_map(along, Dual64::new)
        };
        let p = dual(&at.p, &along.p);
        let t = Dual64::new(at.t, along.t);
        let [q, v, w, f] = [
            dual(&at.q, &along.q),
            dual(&at.v, &along.v),
            dual(&at.w, &along.w),
            dual(&at.f, &along.f),
        ];
        let moved = guided(p.as_slice());
        let force = moved.force(t, &q, &v, &w, &f).expect("a force");
        let lambda = moved.multipliers(t, &q, &v, &w, &f).expect("multipliers");
        let held = guided(at.p.as_slice());
        let (df, dlambda) = held
            .jvp(at.t, &at.q, &at.v, &at.w, &at.f, &along)
            .expect("δf̂ and δλ");
        let size = 1.0 + df.amax().max(dlambda.amax());
        assert!((df - force.map(|it| it.eps)).amax() <= 1e-12 * size);
        assert!((dlambda - lambda.map(|it| it.eps)).amax() <= 1e-12 * size);
        let by = held
            .vjp(at.t, &at.q, &at.v, &at.w, &at.f, &f_bar, &l_bar)
            .expect("a gradient");
        let forwards = f_bar.dot(&df) + l_bar.dot(&dlambda);
        let states = by.q.dot(&along.q) + by.v.dot(&along.v);
        let given = by.w.dot(&along.w) + by.f.dot(&along.f) + by.p.dot(&along.p);
        let backwards = by.t * along.t + states + given;
        assert!((forwards - backwards).abs() <= 1e-12 * (1.0 + size));
        let all = held
            .linearize(at.t, &at.q, &at.v, &at.w, &at.f)
            .expect("all of them");
        let time = Along {
            t: along.t,
            ..Along::default()
        };
        let (by_time, lambda_by_time) = held
            .jvp(at.t, &at.q, &at.v, &at.w, &at.f, &time)
            .expect("δf̂");
        let of_state = all.q * along.q + all.v * along.v;
        let sum = by_time + of_state + all.w * along.w + all.f * along.f + all.p * along.p;
        assert!((sum - df).amax() <= 1e-11 * size);
        let (force, rows) = held
            .linearize_with_multipliers(at.t, &at.q, &at.v, &at.w, &at.f)
            .expect("those of λ beside them");
        assert!((force.q - all.q).amax() <= 1e-12 * size);
        let of_state = rows.q * along.q + rows.v * along.v + rows.w * along.w;
        let sum = lambda_by_time + of_state + rows.f * along.f + rows.p * along.p;
        assert!((sum - dlambda).amax() <= 1e-11 * size);
    }
}

constraint! {
    /// Twelve points of space in a row: 36 × 145 entries are not written out.
    #[derivatives]
    struct Row { l: Real }
    |a: Point3, b: Point3, c: Point3, d: Point3, e: Point3, g: Point3, h: Point3, i: Point3, j: Point3, k: Point3,
     m: Point3, n: Point3| [
        norm_squared(b - a) == l^2, norm_squared(h - g) == l^2, norm_squared(n - m) == l^2,
        norm_squared(d - c) == l^2, norm_squared(j - i) == l^2, norm_squared(e - k) == l^2,
    ]
}

#[test]
fn many_columns_are_made_one_by_one() {
    let mut numbers = Random::new(7);
    let mut vector = |from: f64| SVector::<f64, 36>::from_fn(|_, _| numbers.between(from, 1.0));
    let (q, v, w, f, along) = (
        vector(-1.0),
        vector(-1.0),
        vector(0.1),
        vector(-1.0),
        vector(-1.0),
    );
    let row = Row { l: 1.0 };
    let all = row.linearize(0.0, &q, &v, &w, &f).expect("columns");
    let tangent = ForceTangent {
        q: along,
        ..ForceTangent::default()
    };
    let (moved, told) = row.jvp(0.0, &q, &v, &w, &f, &tangent).expect("δf̂");
    assert!((all.q * along - moved).amax() <= 1e-12 * (1.0 + moved.amax()));
    let both = row.linearize_with_multipliers(0.0, &q, &v, &w, &f);
    let (force, rows) = both.expect("columns");
    assert_eq!(force, all);
    assert!((rows.q * along - told).amax() <= 1e-12 * (1.0 + told.amax()));
    assert!(Row::DERIVATION.get("vjp").is_some() && Row::DERIVATION.get("linearize").is_none());
}

curve! {
    /// A straight and an arc, which meet at s = 0.
    #[derivatives]
    struct Bend { r: Real }
    |s in -1..=1| if s < 0 { [s, 0] } else { [r*sin(s/r), r - r*cos(s/r)] }
}

curve! {
    /// With a = 0 it has a cusp at s = 0.
    #[derivatives]
    struct Cusped { a: Real }
    |s in -1..=1| [s^2, a*s + s^3]
}

#[test]
fn derivatives_along_a_curve_agree_with_dual_numbers() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut number = |from: f64| random.between(from, 1.0);
        let (s, s_dot, r, m) = (number(-1.0), number(-1.0), number(0.5), number(0.5));
        let f = Vector2::new(number(-1.0), number(-1.0));
        let by = Bend { r }.linearize(s, s_dot, &f, m).expect("slopes");
        let along = [0, 1, 2, 3, 4, 5].map(|k| {
            let part = |i: usize, x: f64| Dual64::new(x, f64::from(u8::from(i == k)));
            let bend = Bend { r: part(5, r) };
            let force = Vector2::new(part(2, f.x), part(3, f.y));
            let moved = bend.acceleration(part(0, s), part(1, s_dot), &force, part(4, m));
            moved.expect("s̈").eps
        });
        let found = [by.s, by.s_dot, by.f.x, by.f.y, by.m, by.p[0]];
        for (found, expected) in found.iter().zip(along) {
            assert!(
                (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
                "{found} {expected}"
            );
        }
    }
    let force = Vector2::new(0.0, -1.0);
    assert!(Cusped { a: 1.0 }.linearize(0.0, 1.0, &force, 1.0).is_ok());
    assert!(Cusped { a: 0.0 }.linearize(0.0, 1.0, &force, 1.0).is_err());
}

#[test]
fn costs_are_told() {
    let cost = |name: &str| Guided::DERIVATION.entry(name).cost.total();
    for name in ["linearize", "linearize_with_multipliers", "jvp", "vjp"] {
        assert!(cost(name) > cost("force"), "{name}");
    }
    assert!(Bend::DERIVATION.entry("linearize").cost.total() > 0);
}

#[test]
fn nothing_is_allocated() {
    let mut numbers = Random::new(1);
    let mut at = random(&mut numbers, 0.2);
    at.q[2] += 2.0;
    let held = guided(at.p.as_slice());
    let allocated = allocation_counter::measure(|| {
        let all = held.linearize_with_multipliers(at.t, &at.q, &at.v, &at.w, &at.f);
        let along = held.jvp(at.t, &at.q, &at.v, &at.w, &at.f, &at);
        let back = held.vjp(at.t, &at.q, &at.v, &at.w, &at.f, &at.q, &SVector::zeros());
        let slid = Bend { r: 1.0 }.linearize(0.5, 1.0, &Vector2::zeros(), 1.0);
        assert!(all.is_ok() && along.is_ok() && back.is_ok() && slid.is_ok());
    });
    assert_eq!(allocated.count_total, 0);
}
