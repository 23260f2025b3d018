//! Systems that are solved in loops: dual numbers through the loops, what is generated against itself and against the
//! same system written out, and what it allocates: nothing.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

/// The same system in one of its two forms.
macro_rules! chain {
    ($name:ident, $solver:ident) => {
        system! {
            /// Links that differ, in a wind that grows, with springs to the next.
            #[derivatives]
            #[solver($solver)]
            pub struct $name {
                pub m: [Real; 20],
                pub l: [Real; 20],
                pub k: Real,
                pub g: Real,
                pub wind: Vector2,
            }
            input push[20]: Vector2;
            for i in 0..20 { particle bead[i]: Point2 { mass: m[i] } }
            constraint anchor: norm(bead[0]) == l[0];
            for i in 1..20 { constraint link[i]: norm(bead[i] - bead[i-1]) == l[i]*(1 + t/9); }
            for i in 0..20 { force bead[i]: wind*t - velocity(bead[i])/5 + push[i]; }
            for i in 2..20 { potential k/2*norm_squared(bead[i] - bead[i-2]); }
            gravity [0, -g];
            output load[i in 1..20] = m[i]*multiplier(link[i])^2/l[i];
            output power = dot(push[0], velocity(bead[0])) + t*multiplier(anchor);
            output felt = acceleration(bead[19])*k + wind;
        }
    };
}

mod rolled {
    use super::*;
    chain!(Chain, rolled);
}

mod unrolled {
    use super::*;
    chain!(Chain, unrolled);
}

const N: usize = 40;
type Along = Tangent<f64, N, N, 44>;
type Told = (SVector<f64, N>, SVector<f64, 20>);

fn wavy<const N: usize>(from: f64) -> SVector<f64, N> {
    SVector::from_fn(|i, _| (from + 1.7 * i as f64).sin())
}

fn along() -> Along {
    Along {
        t: 0.6,
        q: wavy(0.2),
        v: wavy(0.5),
        u: wavy(0.9),
        p: wavy(1.3),
    }
}

/// Hanging about straight down, so that pivots are far from zero.
fn state() -> Along {
    let down = |i: usize, wave: f64| match i % 2 {
        0 => wave / 3.0,
        _ => wave / 9.0 - (i / 2 + 1) as f64,
    };
    let q = wavy::<N>(0.7);
    Along {
        t: 0.4,
        q: SVector::from_fn(|i, _| down(i, q[i])),
        v: wavy(1.1),
        u: wavy(0.4),
        p: wavy::<44>(0.8).map(|p| 1.5 + p),
    }
}

macro_rules! held {
    ($form:ident, $at:expr) => {{
        let at = $at;
        let p = &at.p;
        let chain = $form::Chain {
            m: std::array::from_fn(|i| p[i]),
            l: std::array::from_fn(|i| p[20 + i]),
            k: p[40],
            g: p[41],
            wind: Vector2::new(p[42], p[43]),
        };
        chain.with_inputs($form::ChainInputs {
            push: std::array::from_fn(|i| Vector2::new(at.u[2 * i], at.u[2 * i + 1])),
        })
    }};
}

/// v̇ and λ on dual numbers.
fn dual(at: &Along, along: &Along) -> Told {
    let both = |x: f64, dx: f64| Dual64::new(x, dx);
    let at = Tangent {
        t: both(at.t, along.t),
        q: at.q.zip_map(&along.q, both),
        v: at.v.zip_map(&along.v, both),
        u: at.u.zip_map(&along.u, both),
        p: at.p.zip_map(&along.p, both),
    };
    let found = held!(rolled, &at).acceleration_and_multipliers(at.t, &at.q, &at.v);
    let (v_dot, lambda) = found.expect("pivots are positive");
    (v_dot.map(|x| x.eps), lambda.map(|x| x.eps))
}

#[test]
fn along_a_tangent() -> Result<(), Error> {
    let (at, along) = (state(), along());
    let (dv_dot, dlambda) = held!(rolled, &at).jvp(at.t, &at.q, &at.v, &along)?;
    let (expected, expected_lambda) = dual(&at, &along);
    assert!((dv_dot - expected).amax() <= 1e-12 * expected.amax());
    let size = 1e-12 * expected_lambda.amax();
    assert!((dlambda - expected_lambda).amax() <= size);
    Ok(())
}

#[test]
fn back_as_along() -> Result<(), Error> {
    let (at, along) = (state(), along());
    let (v_bar, lambda_bar) = (wavy(2.1), wavy(2.9));
    let by = held!(rolled, &at).vjp(at.t, &at.q, &at.v, &v_bar, &lambda_bar)?;
    let (dv_dot, dlambda) = dual(&at, &along);
    let back = by.t * along.t
        + by.q.dot(&along.q)
        + by.v.dot(&along.v)
        + by.u.dot(&along.u)
        + by.p.dot(&along.p);
    let forwards = v_bar.dot(&dv_dot) + lambda_bar.dot(&dlambda);
    assert!((back - forwards).abs() <= 1e-12 * forwards.abs());
    Ok(())
}

/// Outputs of λ, v̇, the state, inputs and parameters: along a tangent, as a gradient, and as matrices.
#[test]
fn outputs() -> Result<(), Error> {
    let (at, along) = (state(), along());
    let both = |x: f64, dx: f64| Dual64::new(x, dx);
    let moved = Tangent {
        t: both(at.t, along.t),
        q: at.q.zip_map(&along.q, both),
        v: at.v.zip_map(&along.v, both),
        u: at.u.zip_map(&along.u, both),
        p: at.p.zip_map(&along.p, both),
    };
    let outputs = held!(rolled, &moved).outputs(moved.t, &moved.q, &moved.v)?;
    let outputs: SVector<Dual64, 22> = outputs.into();
    let expected = outputs.map(|it| it.eps);
    let chain = held!(rolled, &at);
    let found: SVector<f64, 22> = chain.outputs_jvp(at.t, &at.q, &at.v, &along)?.into();
    assert!((found - expected).amax() <= 1e-12 * expected.amax());

    let bar = wavy::<22>(2.1);
    let by = chain.outputs_vjp(at.t, &at.q, &at.v, &bar.into())?;
    let back = by.t * along.t + by.q.dot(&along.q) + by.v.dot(&along.v);
    let back = back + by.u.dot(&along.u) + by.p.dot(&along.p);
    assert!((back - bar.dot(&expected)).abs() <= 1e-12 * bar.norm() * expected.norm());

    let still = Tangent { t: 0.0, ..along };
    let expected: SVector<f64, 22> = chain.outputs_jvp(at.t, &at.q, &at.v, &still)?.into();
    let (_, Linearization { a, b, p }) = chain.linearize_with_outputs(at.t, &at.q, &at.v)?;
    let sum = a.columns(0, N) * still.q + a.columns(N, N) * still.v + b * still.u + p * still.p;
    assert!((sum - expected).amax() <= 1e-12 * expected.amax());
    Ok(())
}

#[test]
fn as_written_out() -> Result<(), Error> {
    let at = state();
    let (v_bar, lambda_bar) = (wavy(2.1), wavy(2.9));
    let in_loops = held!(rolled, &at).vjp(at.t, &at.q, &at.v, &v_bar, &lambda_bar)?;
    let written = held!(unrolled, &at).vjp(at.t, &at.q, &at.v, &v_bar, &lambda_bar)?;
    let size = 1e-11;
    assert!((in_loops.t - written.t).abs() <= size * written.t.abs());
    assert!((in_loops.q - written.q).amax() <= size * written.q.amax());
    assert!((in_loops.v - written.v).amax() <= size * written.v.amax());
    assert!((in_loops.u - written.u).amax() <= size * written.u.amax());
    assert!((in_loops.p - written.p).amax() <= size * written.p.amax());
    Ok(())
}

#[test]
fn matrices_are_made_column_by_column() -> Result<(), Error> {
    let (at, along) = (state(), Along { t: 0.0, ..along() });
    let Linearization { a, b, p } = held!(rolled, &at).linearize(at.t, &at.q, &at.v)?;
    let sum = a.columns(0, N) * along.q + a.columns(N, N) * along.v + b * along.u + p * along.p;
    let (expected, expected_lambda) = dual(&at, &along);
    assert!((sum - expected).amax() <= 1e-12 * expected.amax());
    let (motion, multipliers) =
        held!(rolled, &at).linearize_with_multipliers(at.t, &at.q, &at.v)?;
    assert_eq!(motion, Linearization { a, b, p });
    let Linearization { a, b, p } = multipliers;
    let sum = a.columns(0, N) * along.q + a.columns(N, N) * along.v + b * along.u + p * along.p;
    let size = 1e-12 * expected_lambda.amax();
    assert!((sum - expected_lambda).amax() <= size);
    Ok(())
}

#[test]
fn nothing_is_allocated() {
    let (at, along) = (state(), along());
    let (v_bar, lambda_bar) = (wavy(2.1), wavy(2.9));
    let chain = held!(rolled, &at);
    let allocated = allocation_counter::measure(|| {
        let forwards = chain.jvp(at.t, &at.q, &at.v, &along);
        let backwards = chain.vjp(at.t, &at.q, &at.v, &v_bar, &lambda_bar);
        let columns = chain.linearize_with_multipliers(at.t, &at.q, &at.v);
        assert!(forwards.is_ok() && backwards.is_ok() && columns.is_ok());
    });
    assert_eq!(allocated.count_total, 0);
}

// ---- nets: rows that fill in stand beside rows that do not ---------------------------------------

macro_rules! net {
    ($name:ident, $rows:literal, $columns:literal) => {
        system! {
            #[derivatives]
            #[solver(rolled)]
            pub struct $name { pub m: [[Real; $columns]; $rows], pub l: Real, pub pull: Vector3 }
            particle k[i in 0..$rows][j in 0..$columns]: Point3 { mass: m[i][j] }
            for i in 0..$rows {
                for j in 1..$columns { constraint x[i][j]: norm(k[i][j] - k[i][j-1]) == l; }
            }
            for i in 1..$rows {
                for j in 0..$columns { constraint y[i][j]: norm(k[i][j] - k[i-1][j]) == l; }
            }
            // One point alone is pulled.
            force k[0][0]: pull;
        }

        impl<T: Real> $name<T> {
            fn of(parameters: impl Fn(usize) -> T) -> Self {
                let held = $rows * $columns;
                $name {
                    m: std::array::from_fn(|i| {
                        std::array::from_fn(|j| parameters($columns * i + j))
                    }),
                    l: parameters(held),
                    pull: SVector::from_fn(|i, _| parameters(held + 1 + i)),
                }
            }
        }
    };
}

net!(NetOfTen, 2, 5);
net!(NetOfNine, 3, 3);
// Solved in panels.
net!(NetOf20, 4, 5);

/// `jvp`, `vjp` and `linearize` of a net against dual numbers through v̇ and λ.
macro_rules! agrees_with_dual_numbers {
    ($net:ident, $n:literal, $rows:literal, $parameters:literal) => {{
        let parameter = |i: usize| 1.0 + 0.3 * (1.9 * i as f64).sin();
        let (net, t) = ($net::of(parameter), 0.3);
        let q = SVector::<f64, $n>::from_fn(|i, _| 2.0 * (1.3 * i as f64 + 1.0).sin());
        let v = SVector::<f64, $n>::from_fn(|i, _| (2.1 * i as f64).cos());
        let along = Tangent::<f64, $n, 0, $parameters> {
            t: 0.6,
            q: wavy(0.2),
            v: wavy(0.5),
            u: wavy(0.9),
            p: wavy(1.3),
        };
        let both = |x: f64, dx: f64| Dual64::new(x, dx);
        let moved = $net::of(|i| both(parameter(i), along.p[i])).acceleration_and_multipliers(
            both(t, along.t),
            &q.zip_map(&along.q, both),
            &v.zip_map(&along.v, both),
        );
        let (v_dot, lambda) = moved?;
        let (expected, told) = (v_dot.map(|x| x.eps), lambda.map(|x| x.eps));

        let (found, found_told) = net.jvp(t, &q, &v, &along)?;
        assert!((found - expected).amax() <= 1e-12 * expected.amax());
        assert!((found_told - told).amax() <= 1e-12 * told.amax());

        let (nothing, nothing_told) = net.jvp(t, &q, &v, &Tangent::default())?;
        assert_eq!((nothing.amax(), nothing_told.amax()), (0.0, 0.0));

        let (v_bar, lambda_bar) = (wavy::<$n>(2.1), wavy::<$rows>(2.9));
        let by = net.vjp(t, &q, &v, &v_bar, &lambda_bar)?;
        let back = by.t * along.t + by.q.dot(&along.q) + by.v.dot(&along.v) + by.p.dot(&along.p);
        let forwards = v_bar.dot(&expected) + lambda_bar.dot(&told);
        assert!((back - forwards).abs() <= 1e-12 * (by.q.norm() * along.q.norm()));

        let still = Tangent { t: 0.0, ..along };
        let (expected, told) = net.jvp(t, &q, &v, &still)?;
        let Linearization { a, p, .. } = net.linearize(t, &q, &v)?;
        let sum = a.columns(0, $n) * along.q + a.columns($n, $n) * along.v + p * along.p;
        assert!((sum - expected).amax() <= 1e-12 * expected.amax());
        let (_, Linearization { a, p, .. }) = net.linearize_with_multipliers(t, &q, &v)?;
        let sum = a.columns(0, $n) * along.q + a.columns($n, $n) * along.v + p * along.p;
        assert!((sum - told).amax() <= 1e-12 * told.amax());
    }};
}

#[test]
fn nets_agree_with_dual_numbers() -> Result<(), Error> {
    agrees_with_dual_numbers!(NetOfTen, 30, 13, 14);
    agrees_with_dual_numbers!(NetOfNine, 27, 12, 13);
    agrees_with_dual_numbers!(NetOf20, 60, 31, 24);
    Ok(())
}
