//! Whatever names surround a call of a macro, and whatever its own names are, its expansion means the same.

#![allow(dead_code, reason = "that all of it compiles is half of the test")]

use std::collections::BTreeSet;

use constraint_symbolic::compile;
use syn::visit::{self, Visit};

use constraint_runtime::{
    BodyConstraint, Constrained, Constraint, Curve, Dynamics, InputSystem, Rigid3,
};

/// One call of each macro in each of its forms, in the scope it stands in.
macro_rules! calls {
    () => {
        ::constraint_runtime::constraint! {
            pub struct Wire;
            |x, y| x*x + 100*y
        }

        ::constraint_runtime::constraint! {
            pub struct Rod { pub length: Real, pub place: Vector2 }
            |a: Point2, t: Time| [norm(a - place) == length, a.x*sin(t) == a.y^3]
        }

        ::constraint_runtime::constraint! {
            pub struct Strut { pub r: Vector3, pub length: Real }
            |a: Rigid3, b: Rigid3, t: Time| norm(at(b, r) - at(a, r)) == length + t
        }

        ::constraint_runtime::constraint! {
            pub struct Wheel { pub r: Real }
            |a: Rigid2| velocity(at(a, [0, 0])).x + r*angular_velocity(a) == 0
        }

        ::constraint_runtime::curve! {
            pub struct Ramp { pub r: Real }
            |s in -PI/2..=2| if s < 0 { [r*sin(s), r*(1 - cos(s))] } else { [r*s, 0] }
        }

        ::constraint_runtime::system! {
            pub struct Cart { pub mass: Real = 1, pub m: Real = 3.14159, pub l: Real = 0.6, pub g: Real = 9.81 }
            coordinate x, theta;
            input push;
            particle cart = [x, 0] { mass: mass }
            particle pole = [x + l*sin(theta), l*cos(theta)] { mass: m }
            potential m*g*pole.y;
            force x: push;
        }

        ::constraint_runtime::system! {
            pub struct Net { pub m: Real = 1, pub l: Real = 1 }
            particle bead[4]: Point2 { mass: m }
            body top: Rigid3 { mass: m, inertia: [1, 1, 2] }
            constraint hook: norm(bead[0]) == l;
            for i in 1..4 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
            constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
        }

        ::constraint_runtime::system! {
            #[solver(rolled)]
            pub struct Chain { pub m: Real = 1, pub l: Real = 1 }
            particle bead[9]: Point2 { mass: m }
            constraint hook: norm(bead[0]) == l;
            for i in 1..9 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
        }

        ::constraint_runtime::system! {
            #[redundant(least_squares)]
            pub struct Doubled { pub m: Real = 1, pub l: Real = 1 }
            particle bob: Point2 { mass: m }
            constraint rod: norm(bob) == l;
            constraint again: 3*norm(bob) == 3*l;
        }

        ::constraint_runtime::system! {
            pub struct Free;
            particle bob: Point2 { mass: 2 }
            force bob: [0, -10];
        }

        pub fn inline() -> impl ::constraint_runtime::Constraint<::core::primitive::f64, 2, 1> {
            ::constraint_runtime::constraint!(x*x + 100*y)
        }

        pub fn declared() -> impl ::constraint_runtime::Constraint<::core::primitive::f64, 2, 1> {
            ::constraint_runtime::constraint!(|y, x| x*x + 100*y)
        }
    };
}

/// With nothing unusual around.
mod plain {
    calls!();
}

/// Without anything that is usual.
mod nothing {
    #![no_implicit_prelude]
    calls!();
}

/// Types, traits, functions, modules and macros of the names that expansions use.
#[allow(non_camel_case_types)]
mod shadowed {
    pub type Result<T> = ::std::result::Result<T, ::std::string::String>;
    pub enum Outcome {
        Ok,
        Err,
        Some,
        None,
    }
    #[allow(unused_imports)]
    pub use Outcome::*;
    pub type Option = u8;
    pub struct Own;
    pub struct f64;
    pub struct bool;
    pub struct usize;
    pub struct str;
    pub struct String;
    pub struct Vec;
    pub struct Real;
    pub struct Singular;
    pub struct Error;
    pub struct SVector;
    pub trait Default {}
    pub trait From {}
    pub trait Into {}
    pub trait Fn {}
    pub trait FnOnce {}
    pub trait Iterator {}
    pub trait IntoIterator {}
    pub trait Clone {}
    pub trait Copy {}
    pub trait Debug {}
    pub trait PartialEq {}
    pub mod core {}
    pub mod std {}
    pub mod rt {}
    pub mod prelude {}
    pub mod constraint_runtime {}
    pub mod nalgebra {}
    #[allow(unused_macros)]
    macro_rules! locals {
        () => {
            compile_error!("not the macro that is meant")
        };
    }
    #[allow(unused_macros)]
    macro_rules! unreachable {
        () => {
            compile_error!("not the macro that is meant")
        };
    }
    calls!();
}

/// Imports in place of declarations.
#[allow(unused_imports)]
mod imported {
    use std::fmt::Result;
    use std::io::Result as Ok;
    use std::num::IntErrorKind as f64;
    use std::string::String as bool;
    calls!();
}

/// Constants and statics of every name that the expansions bind: a pattern of such a name compares.
#[allow(non_upper_case_globals)]
mod constants {
    macro_rules! constants {
        ($($constant:ident)*; $($fixed:ident)*) => {
            $(pub const $constant: i8 = 0;)*
            $(pub static $fixed: i8 = 0;)*
        };
    }
    constants! {
        a a_x a_y b b_0 bead bead_x bead_y bob bob_x bob_y cart delassus delassus_0 delassus_1
        element entries f f_a f_b f_x f_y flat force g gap hook i inverse_a inverse_b l lambda
        lambda_0 lambda_1 length link m mass named out parts pivot pivot_0 pivot_1 place place_0
        place_1 place_x place_y pole push q r r_x result room round rows s s_dot t taken_of theta top v
        v_a v_b v_x v_y w w_a w_x w_y x x_of y;
        _b _f _m _q _s _t _v _w acceleration cos_theta cos_t damping filled_of here inputs kept_of
        pushed_of sin_theta sin_t t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 t18
        t19 t20 t21 t22 t23 t24 t25 t26 t27 t28 t29 t30 v_theta w_y_
    }
    calls!();
}

/// The rest of the names, which the programs of the engine give.
#[test]
fn every_name_that_an_expansion_binds_is_made_a_functions_first() {
    let constraint =
        "struct S { g: Vector2 } |a: Point3, t: Time| [norm(a) == g.x, a.x*sin(t) == 0]";
    let joint = "struct J { r: Vector3 } |a: Rigid3, b: Rigid3| norm(at(b, r) - at(a, r)) == 1";
    let curve = "struct C { r: Real } |s in 0..=2| if s < 1 { [r*s^3, s] } else { [r*s, s^2] }";
    let system =
        "struct M { r: Real = 1 } input u, w[2]; body a[2]: Rigid3 { mass: r, inertia: [1, 1, 1] }
                  particle p[3]: Point3 { mass: 1 } force p[1]: [u, w[0], w[1]];
                  constraint c: norm(p[0] - at(a[1], [r, 0, 0])) == r;";
    let rolled = "#[solver(rolled)] struct R; particle p[9]: Point2 { mass: 1 }
                  for i in 1..9 { constraint c[i]: norm(p[i] - p[i - 1]) == 1; }";
    let both_ends = "#[solver(rolled)] struct E; particle p[40]: Point2 { mass: 1 }
                     for i in 1..40 { constraint c[i]: norm(p[i] - p[i - 1]) == 1; }";
    let large = "struct G; particle p[300]: Point2 { mass: 1 }
                 for i in 1..300 { constraint c[i]: norm(p[i] - p[i - 1]) == 1; }";
    let redundant = "#[redundant(least_squares)] struct L; particle p: Point2 { mass: 1 }
                     constraint a: p.x == 0; constraint b: 2*p.x == p.y*p.y;";
    let expansions = [
        compile::constraint(constraint.parse().unwrap()),
        compile::constraint(joint.parse().unwrap()),
        compile::curve(curve.parse().unwrap()),
        compile::system(system.parse().unwrap()),
        compile::system(rolled.parse().unwrap()),
        compile::system(both_ends.parse().unwrap()),
        compile::system(large.parse().unwrap()),
        compile::system(redundant.parse().unwrap()),
    ];
    for expansion in expansions {
        let file: syn::File = syn::parse2(expansion).unwrap();
        let mut names = Names::default();
        // The first item is for IDEs.
        file.items[1..]
            .iter()
            .for_each(|item| names.visit_item(item));
        assert!(names.bound.len() > 10);
        assert_eq!(names.bound, names.declared);
    }
}

/// The names that are bound, and those in `locals!(…)`.
#[derive(Default)]
struct Names {
    bound: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.bound.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        if call.path.segments.last().unwrap().ident == "locals" {
            let names = call
                .tokens
                .clone()
                .into_iter()
                .map(|token| token.to_string());
            self.declared.extend(names.filter(|token| token != ","));
        }
    }
}

/// In a function's body, where no path leads to the generated types.
#[test]
fn a_function_may_hold_the_calls() {
    calls!();
    assert_eq!(Wire.value(0.0, &[2.0, 1.0].into())[0], 104.0);
    assert_eq!(
        Free.acceleration(0.0, &[0.0; 2].into(), &[0.0; 2].into()),
        Ok([0.0, -5.0].into())
    );
}

/// What the types of a module compute at one state, in an order of its own.
macro_rules! numbers {
    ($module:ident) => {{
        let mut numbers: Vec<f64> = Vec::new();
        let (q, v) = ([0.3, 0.4].into(), [0.5, -0.6].into());
        let (w, f) = ([1.0, 2.0].into(), [0.1, 0.2].into());
        numbers.extend($module::Wire.force(0.0, &q, &v, &w, &f).unwrap().iter());
        numbers.extend($module::inline().jacobian(0.0, &q).iter());
        numbers.extend($module::declared().jacobian(0.0, &q).iter());
        let rod = $module::Rod {
            length: 0.25,
            place: [0.3, 0.1].into(),
        };
        numbers.extend(rod.multipliers(0.7, &q, &v, &w, &f).unwrap().iter());
        let strut = $module::Strut {
            r: [1.0, 2.0, 3.0].into(),
            length: 2.0,
        };
        let (a, b) = (
            Rigid3::translation(1.0, 2.0, 3.0),
            Rigid3::rotation([0.1, 0.2, 0.3].into()),
        );
        numbers.extend(strut.jacobian(0.5, [&a, &b])[0].iter());
        let ramp = $module::Ramp { r: 2.0 };
        numbers.push(ramp.acceleration(-0.3, 2.0, &f, 3.0).unwrap());
        numbers.push(
            ramp.acceleration_under(0.5, 2.0, 3.0, 0.1, |_, _| f)
                .unwrap(),
        );
        let cart = $module::Cart::<f64>::default().with_inputs($module::CartInputs { push: 2.0 });
        numbers.extend(cart.acceleration(0.0, &q, &v).unwrap().iter());
        let beads = std::array::from_fn(|i| i as f64 / 9.0 + 0.1);
        let beads = nalgebra_vector(beads);
        numbers.extend(
            $module::Chain::<f64>::default()
                .constraint_force(0.0, &beads, &beads)
                .unwrap()
                .iter(),
        );
        let net = $module::Net::<f64>::default();
        numbers.extend(
            net.constraint(0.0, &$module::NetCoordinates::default().into())
                .iter(),
        );
        let doubled = $module::Doubled::<f64>::default();
        numbers.extend(doubled.multipliers(0.0, &q, &v).unwrap().iter());
        numbers.extend(
            $module::Free::default()
                .acceleration(0.0, &q, &v)
                .unwrap()
                .iter(),
        );
        numbers
    }};
}

fn nalgebra_vector(entries: [f64; 18]) -> constraint_runtime::nalgebra::SVector<f64, 18> {
    entries.into()
}

#[test]
fn expansions_compute_the_same_whatever_surrounds_them() {
    let plain = numbers!(plain);
    assert!(plain.iter().all(|number| number.is_finite()));
    assert!(plain.iter().filter(|number| **number != 0.0).count() > 20);
    assert_eq!(numbers!(nothing), plain);
    assert_eq!(numbers!(shadowed), plain);
    assert_eq!(numbers!(imported), plain);
    assert_eq!(numbers!(constants), plain);
}

/// The user's own types, of every name that expansions use.
#[allow(non_camel_case_types, non_snake_case)]
mod types {
    macro_rules! of_each_kind {
        ($($name:ident)*) => {$(
            pub mod $name {
                pub mod constraint {
                    ::constraint_runtime::constraint! { pub struct $name; |x, y| x*x + 100*y }
                }
                pub mod constraint_of {
                    ::constraint_runtime::constraint! {
                        pub struct $name { pub r: Real } |x, y| x*x + r*y
                    }
                }
                pub mod joint {
                    ::constraint_runtime::constraint! {
                        pub struct $name { pub r: Real }
                        |a: Rigid2, b: Rigid2| norm(at(b, [0, 0]) - at(a, [0, 0])) == r
                    }
                }
                pub mod curve {
                    ::constraint_runtime::curve! {
                        pub struct $name { pub r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)]
                    }
                }
                pub mod system {
                    ::constraint_runtime::system! {
                        pub struct $name { pub r: Real = 1 }
                        particle bob: Point2 { mass: 1 }
                        input push;
                        constraint rod: norm(bob) == r;
                        force bob: [push, 0];
                    }
                }
                pub mod system_of_nothing {
                    ::constraint_runtime::system! {
                        pub struct $name;
                        particle bob: Point2 { mass: 1 }
                    }
                }
            }
        )*};
    }
    of_each_kind! {
        rt f64 bool usize u8 str Result Ok Err Some None Option Default From Into Fn FnOnce Iterator
        IntoIterator HasDefault Own T Scalar String Real Constraint System Curve constraint_runtime core prelude
        locals Clone Copy Debug PartialEq x y r s
    }
}

constraint_runtime::system! {
    /// One of which the user asks for what is there anyway.
    #[derive(Default, Hash)]
    struct Derived;
    particle bob: Point2 { mass: 1 }
}

constraint_runtime::system! {
    /// One whose parameters have no values, but zeros where the user asks for them.
    #[derive(Default)]
    struct Zeros { g: Real }
    particle bob: Point2 { mass: 1 }
    force bob: [0, -g];
}

constraint_runtime::system! {
    /// One whose parameter has no value, but for which the user says what is meant.
    struct Given { g: Real }
    particle bob: Point2 { mass: 1 }
    force bob: [0, -g];
}

impl<T: constraint_runtime::Real> Default for Given<T> {
    fn default() -> Self {
        Given { g: T::lit(1.5) }
    }
}

constraint_runtime::system! {
    struct GivenOfSingles { g: Real, l: Real = 1 }
    particle bob: Point2 { mass: l }
    force bob: [0, -g];
}

impl Default for GivenOfSingles<f32> {
    fn default() -> Self {
        GivenOfSingles { g: 2.5, l: 3.0 }
    }
}

#[test]
fn what_the_user_implements_as_the_default_is_the_default() {
    assert_eq!(Given::<f64>::default(), Given { g: 1.5 });
    assert_eq!(<Given as Default>::default().g, Given::<f64>::default().g);
    assert_eq!(GivenOfSingles::default().l, 3.0_f32);
}

#[test]
fn a_system_has_defaults_where_it_has_no_parameters_and_where_the_user_derives_them() {
    let default: Derived = Default::default();
    assert_eq!(default, Derived);
    assert_eq!(Zeros::<f64>::default(), Zeros { g: 0.0 });
}

#[test]
fn types_may_be_called_as_those_that_expansions_use() {
    assert_eq!(
        types::rt::constraint::rt.value(0.0, &[2.0, 1.0].into())[0],
        104.0
    );
    assert_eq!(
        types::Result::curve::Result { r: 2.0 }.position(0.0)[0],
        2.0
    );
    assert_eq!(types::f64::system::f64::<f64>::default().r, 1.0);
    let own = types::Default::system_of_nothing::Default;
    assert_eq!(own, Default::default());
    assert_eq!(
        types::T::constraint_of::T { r: 1.0 }.value(0.0, &[2.0, 1.0].into())[0],
        5.0
    );
}

constraint_runtime::constraint! {
    struct Joined { r: Real }
    |Ok: Rigid3, Err: Rigid3| norm(at(Err, [r, 0, 0]) - at(Ok, [0, 0, 0])) == r
}

constraint_runtime::constraint! {
    struct Geared;
    |Some: Rigid2, None: Rigid2| angular_velocity(Some) + 2*angular_velocity(None) == 0
}

constraint_runtime::constraint! {
    struct Cases;
    |A: Rigid2, a: Rigid2| at(A, [1, 0]) == at(a, [0, 1])
}

#[allow(non_snake_case)]
mod capitals {
    constraint_runtime::system! {
        pub struct Bodies;
        body Ok: Rigid2 { mass: 1, inertia: 1 }
        body None[2]: Rigid3 { mass: 1, inertia: [1, 1, 1] }
        particle Some: Point2 { mass: 1 }
        constraint Err: at(Ok, [1, 0]) == Some;
    }

    constraint_runtime::constraint! {
        pub struct Coordinates { pub Ok: Real, pub F: Vector2 }
        |None, Some: Point2, Err: Time| Ok*None + dot(F, Some) == Err
    }
}

#[test]
fn bodies_and_coordinates_may_be_called_as_the_variants_of_core() {
    let (a, b) = (Rigid3::identity(), Rigid3::translation(1.0, 2.0, 0.0));
    let square = Joined { r: 1.0 }.value(0.0, [&a, &b])[0] + 1.0;
    assert_eq!(square, 8f64.sqrt());
    let still = [0.0; 3].into();
    let (a, b) = (Default::default(), Default::default());
    assert_eq!(
        Geared.rate(
            0.0,
            [&a, &b],
            [&[0.0, 0.0, 4.0].into(), &[0.0, 0.0, -1.0].into()]
        )[0],
        2.0
    );
    assert_eq!(
        Cases.bias(0.0, [&a, &b], [&still, &[0.0, 0.0, 2.0].into()])[1],
        4.0
    );
    assert!(
        capitals::Bodies.constraint(0.0, &capitals::BodiesCoordinates::default().into())[0] == 1.0
    );
    let plane = capitals::Coordinates {
        Ok: 2.0,
        F: [3.0, 4.0].into(),
    };
    assert_eq!(plane.value(1.0, &[1.0, 1.0, 1.0].into())[0], 8.0);
}

/// What `macro_rules!` hands on stands in invisible groups.
macro_rules! handed_on {
    ($(#[$meta:meta])* $visibility:vis $name:ident { $parameter:ident: $ty:ty } $term:expr) => {
        constraint_runtime::constraint! {
            $(#[$meta])*
            $visibility struct $name { $visibility $parameter: $ty }
            |x, y| 2*$term + y + 0*x == $parameter
        }
    };
}

handed_on! {
    #[doc = include_str!("../../LICENSE-MIT")]
    #[cfg_attr(all(), derive(PartialOrd))]
    #[derive(Default)]
    pub(crate) Handed { c: Real } 1 + 1
}

handed_on! { Private { c: Real } 3 }

#[test]
fn macros_may_hand_on_attributes_visibility_types_and_terms() {
    // 2 (1 + 1) + y − c: a term stays one.
    assert_eq!(Handed { c: 4.0 }.value(0.0, &[0.0, 7.0].into())[0], 7.0);
    assert_eq!(Private { c: 6.0 }.value(0.0, &[0.0, 7.0].into())[0], 7.0);
    assert!(Handed::<f64>::default() < Handed { c: 1.0 });
}
