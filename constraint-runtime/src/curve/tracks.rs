//! Ready curves, each a few lines of [`curve!`](crate::curve!): the tracks of a roller coaster, and classic curves of
//! mechanics textbooks.
//!
//! Heights are along +y. The sizes of a curve are its fields, in metres.
//!
//! | curve | form | ends |
//! |---|---|---|
//! | [`Hump`] | y = 3 − 7/6 x² + x⁴/6 | open |
//! | [`LoopTheLoop`] | parabola, circle, parabola, C¹ | open |
//! | [`Circle`], [`Ellipse`] | by the angle | closed |
//! | [`Lemniscate`] | of Bernoulli, crosses itself | closed |
//! | [`Oval`] | two straights, two semicircles, C¹ | closed |
//! | [`Spiral`] | of Archimedes | open |
//! | [`UnitCircle`], [`Waves`], [`Corner`] | the custom tracks of the roller coaster | closed, open, open |
//! | [`Parabola`] | x² + 100 y = 0 | open |
//! | [`Cycloid`] | tautochrone and brachistochrone, cusps at its ends | open |
//! | [`Cardioid`] | a cusp at its ends | closed |
//! | [`Helix`] | in space | open |
//!
//! ```
//! use constraint_runtime::prelude::*;
//! use constraint_runtime::tracks::Cycloid;
//!
//! // The tautochrone: from any height, the descent takes π √(r/g).
//! let (r, g) = (0.5_f64, 9.81);
//! let bead = || Particle::new(1.0).along(Cycloid { r }).under_gravity([0.0, -g]);
//! let descent = std::f64::consts::PI * (r / g).sqrt();
//! for height in [-0.5, -2.5] {
//!     let start = State::new(0.0, [height], [0.0]);
//!     let mut run = Simulation::new(bead(), start, Rk4::new(1e-3))?;
//!     run.run_until(descent)?;
//!     assert!(run.state().q[0].abs() < 1e-9);
//! }
//! # Ok::<(), Error>(())
//! ```

use crate::curve;

curve! {
    /// The hump: two valleys with a hill between them.
    ///
    /// # Source
    /// E. Neumann, *Roller Coaster*, myPhysicsLab.com: the "hump", "a simple polynomial".
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Hump};
    ///
    /// // The hill, and a valley at y′ = −7/3 x + 2/3 x³ = 0.
    /// assert_eq!(Hump.position(0.0_f64).y, 3.0);
    /// let valley = 3.5_f64.sqrt();
    /// assert!((Hump.position(valley).y - 23.0 / 24.0).abs() < 1e-14);
    /// assert!(Hump.tangent(valley).y.abs() < 1e-14);
    /// ```
    pub struct Hump;
    |s in -5/2..=5/2| [s, 3 - 7/6*s^2 + s^4/6]
}

curve! {
    /// Down the parabola y = (x + 1)², once round a circle, up the parabola y = (x − 1)².
    ///
    /// The circle touches both parabolas where their slope is ±3, at x = ±½: its radius is √10/6, its centre
    /// (0, 29/12). There the speed |r′| is √10 on either side, so the pieces meet C¹.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::LoopTheLoop};
    ///
    /// let highest = 0.5 + (std::f64::consts::FRAC_PI_2 + (1.0_f64 / 3.0).atan()) / 6.0;
    /// let place = LoopTheLoop.position(highest);
    /// assert!(place.x.abs() < 1e-15 && (place.y - (29.0 / 12.0 + 10.0_f64.sqrt() / 6.0)).abs() < 1e-14);
    /// ```
    pub struct LoopTheLoop;
    |s in -3..=4 + (PI + 2*atan(1/3))/6| {
        let turn = (PI + 2*atan(1/3))/6;
        if s < 1/2 {
            [s, (s + 1)^2]
        } else if s < 1/2 + turn {
            let angle = 6*(s - 1/2) - atan(1/3);
            [sqrt(10)/6*cos(angle), 29/12 + sqrt(10)/6*sin(angle)]
        } else {
            let x = s - 1 - turn;
            [x, (x - 1)^2]
        }
    }
}

curve! {
    /// A circle by the angle from its apex, counter-clockwise: the apex is at s = 0 exactly.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Circle};
    ///
    /// let circle = Circle { r: 2.0_f64 };
    /// assert_eq!(circle.position(0.0).as_slice(), [0.0, 2.0]);
    /// assert!((circle.curvature(1.0) - 0.5).abs() < 1e-15); // to the left
    /// ```
    pub struct Circle {
        /// Radius.
        pub r: Real,
    }
    |s in -PI..=PI| [-r*sin(s), r*cos(s)]
}

curve! {
    /// An ellipse by the eccentric anomaly, with half axes `a` along x and `b` along y.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Ellipse};
    ///
    /// let ellipse = Ellipse { a: 3.0_f64, b: 2.0 };
    /// let r = ellipse.position(0.7);
    /// assert!(((r.x / 3.0).powi(2) + (r.y / 2.0).powi(2) - 1.0).abs() < 1e-15);
    /// ```
    pub struct Ellipse {
        /// Half axis along x.
        pub a: Real,
        /// Half axis along y.
        pub b: Real,
    }
    |s in 0..=TAU| [a*cos(s), b*sin(s)]
}

curve! {
    /// The lemniscate of Bernoulli, (x² + y²)² = a² (x² − y²).
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Lemniscate};
    ///
    /// let r = Lemniscate { a: 1.5_f64 }.position(0.7);
    /// let (xx, yy) = (r.x * r.x, r.y * r.y);
    /// assert!(((xx + yy).powi(2) - 2.25 * (xx - yy)).abs() < 1e-15);
    /// ```
    pub struct Lemniscate {
        /// Distance from the centre to either end.
        pub a: Real,
    }
    |s in 0..=TAU| { let d = 1 + sin(s)^2; [a*cos(s)/d, a*sin(s)*cos(s)/d] }
}

curve! {
    /// An upright race track: vertical straights of length 2 `l`, semicircles of radius `r`.
    ///
    /// s is the length along it, from the foot of the right straight upwards.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Oval};
    ///
    /// let oval = Oval { r: 1.0_f64, l: 0.5 };
    /// // In the straights and in the curves s is a length.
    /// assert!([0.3, 2.0, 4.5, 6.0].iter().all(|&s| (oval.tangent(s).norm() - 1.0).abs() < 1e-15));
    /// assert!(oval.is_closed());
    /// ```
    pub struct Oval {
        /// Radius.
        pub r: Real,
        /// Half the length of a straight.
        pub l: Real,
    }
    |s in 0..=4*l + TAU*r|
    if s < 2*l {
        [r, s - l]
    } else if s < 2*l + PI*r {
        let angle = (s - 2*l)/r;
        [r*cos(angle), l + r*sin(angle)]
    } else if s < 4*l + PI*r {
        [-r, 3*l + PI*r - s]
    } else {
        let angle = (s - 4*l)/r - PI;
        [-r*cos(angle), -l - r*sin(angle)]
    }
}

curve! {
    /// Three turns of the spiral of Archimedes, 2π `a` apart.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Spiral};
    ///
    /// let spiral = Spiral { a: 0.3_f64 };
    /// let [inner, outer] = [1.0, 1.0 + std::f64::consts::TAU].map(|s| spiral.position(s).norm());
    /// assert!((outer - inner - 0.3 * std::f64::consts::TAU).abs() < 1e-14);
    /// ```
    pub struct Spiral {
        /// Rise of the radius per radian.
        pub a: Real,
    }
    |s in 0..=3*TAU| [a*s*cos(s), a*s*sin(s)]
}

curve! {
    /// The first custom track of E. Neumann's *Roller Coaster*, myPhysicsLab.com: x = cos t, y = sin t from the apex round to the apex.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::UnitCircle};
    ///
    /// let (first, last) = UnitCircle.domain().into_inner();
    /// let apex = |s: f64| UnitCircle.position(s) - UnitCircle.position(first);
    /// assert!(apex(last).norm() < 1e-15 && (UnitCircle.position(first).y - 1.0).abs() < 1e-15);
    /// ```
    pub struct UnitCircle;
    |t in PI/2..=5*PI/2| [cos(t), sin(t)]
}

curve! {
    /// The second custom track there: x = t, y = t cos 3t.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Waves};
    ///
    /// assert_eq!(Waves.position(1.0_f64).y, 3.0_f64.cos());
    /// ```
    pub struct Waves;
    |t in -8..=8| [t, t*cos(3*t)]
}

curve! {
    /// The third custom track there, x = t, y = t > 0 ? t : −t: two straights that meet in a corner, C⁰.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Corner};
    ///
    /// assert_eq!(Corner.position(-2.0_f64).y, 2.0);
    /// assert_eq!([-2.0, 2.0].map(|t: f64| Corner.tangent(t).y), [-1.0, 1.0]);
    /// ```
    pub struct Corner;
    |t in -3..=3| [t, if t > 0 { t } else { -t }]
}

curve! {
    /// The wire x² + 100 y = 0, on which a bead slides in many of this crate's examples.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Parabola};
    ///
    /// let r = Parabola.position(-50.0_f64);
    /// assert_eq!(r.x * r.x + 100.0 * r.y, 0.0);
    /// ```
    pub struct Parabola;
    |s in -200..=200| [s, -s^2/100]
}

curve! {
    /// One arch of the cycloid of a wheel of radius `r`, upside down, lowest at s = 0.
    ///
    /// The tautochrone: beads reach the lowest point at the same time, π √(r/g), from any starting point. The
    /// brachistochrone: from the cusp at either end it is the fastest descent.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Cycloid};
    ///
    /// // Twice the wheel's radius high, and level at its foot.
    /// let cycloid = Cycloid { r: 0.5_f64 };
    /// assert!((cycloid.position(std::f64::consts::PI).y - 1.0).abs() < 1e-15);
    /// assert_eq!(cycloid.tangent(0.0).y, 0.0);
    /// ```
    pub struct Cycloid {
        /// Radius of the wheel.
        pub r: Real,
    }
    |s in -PI..=PI| [r*(s + sin(s)), r*(1 - cos(s))]
}

curve! {
    /// The path of a point on a circle of radius `a` that rolls on another of the same radius; s is the polar angle,
    /// and the cusp is at both ends of s.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Cardioid};
    ///
    /// // Furthest from its cusp, by four radii, half round.
    /// let cardioid = Cardioid { a: 0.5_f64 };
    /// assert!((cardioid.position(std::f64::consts::PI).norm() - 2.0).abs() < 1e-15);
    /// assert!(cardioid.acceleration(0.0, 0.0, &[0.0, -9.81].into(), 1.0).is_err());
    /// ```
    pub struct Cardioid {
        /// Radius of either circle.
        pub a: Real,
    }
    |s in 0..=TAU| { let radius = 2*a*(1 - cos(s)); [radius*cos(s), radius*sin(s)] }
}

curve! {
    /// A helix of radius `r` round the y axis that rises by `pitch` with every turn.
    ///
    /// ```
    /// use constraint_runtime::{Curve, tracks::Helix};
    ///
    /// let helix = Helix { r: 1.0_f64, pitch: 0.2, turns: 3.0 };
    /// let [foot, top] = [0.0, 3.0 * std::f64::consts::TAU].map(|s| helix.position(s).y);
    /// assert!((top - foot - 0.6).abs() < 1e-15);
    /// ```
    pub struct Helix {
        /// Radius.
        pub r: Real,
        /// Rise per turn.
        pub pitch: Real,
        /// Number of turns.
        pub turns: Real,
    }
    |s in 0..=turns*TAU| [r*cos(s), pitch*s/TAU, -r*sin(s)]
}
