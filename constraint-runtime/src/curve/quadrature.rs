//! Integrals of smooth functions, one panel at a time.

use nalgebra::SVector;

/// The positive nodes of Kronrod's extension of the seven-point rule of Gauss on [−1, 1], with their weights.
///
/// They are the roots of P₇ and of its Stieltjes polynomial; the weights make all even powers up to x¹⁴ exact,
/// and with them every polynomial of degree 23.
///
/// Source: [Kronrod 1965] A. S. Kronrod, *Nodes and Weights of Quadrature Formulas*; computed here to 20 digits.
#[allow(clippy::excessive_precision)]
const NODES: [(f64, f64); 7] = [
    (0.207_784_955_007_898_467_6, 0.204_432_940_075_298_892_41),
    (0.405_845_151_377_397_166_91, 0.190_350_578_064_785_409_91),
    (0.586_087_235_467_691_130_29, 0.169_004_726_639_267_902_83),
    (0.741_531_185_599_394_439_86, 0.140_653_259_715_525_918_75),
    (0.864_864_423_359_769_072_79, 0.104_790_010_322_250_183_84),
    (0.949_107_912_342_758_524_53, 0.063_092_092_629_978_553_291),
    (0.991_455_371_120_812_639_21, 0.022_935_322_010_529_224_964),
];

/// The weight of the middle.
#[allow(clippy::excessive_precision)]
const MIDDLE: f64 = 0.209_482_141_084_727_828_01;

/// The weights of the rule of Gauss itself: of the middle, and of every other of those nodes.
#[allow(clippy::excessive_precision)]
const GAUSS: [f64; 4] = [
    0.417_959_183_673_469_387_76,
    0.381_830_050_505_118_944_95,
    0.279_705_391_489_276_667_90,
    0.129_484_966_168_869_693_27,
];

/// ∫ f from a to b by fifteen values, none of them at an end.
pub(super) fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let [fine, _] = integrals(|x| SVector::from([f(x)]), a, b);
    fine[0]
}

/// The same for several functions, together with the results of the seven-point Gauss rule: if the two agree, the
/// first is far more accurate.
pub(super) fn integrals<const N: usize>(
    f: impl Fn(f64) -> SVector<f64, N>,
    a: f64,
    b: f64,
) -> [SVector<f64, N>; 2] {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let central = f(middle);
    let (mut fine, mut coarse) = (central * MIDDLE, central * GAUSS[0]);
    for (i, (node, weight)) in NODES.into_iter().enumerate() {
        let pair = f(middle - half * node) + f(middle + half * node);
        fine += pair * weight;
        if i % 2 == 1 {
            coarse += pair * GAUSS[1 + i / 2];
        }
    }
    [fine * half, coarse * half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_23_are_exact_and_of_degree_24_are_not() {
        // On [0, 1], where odd powers count too.
        for degree in 0..=23 {
            let exact = 1.0 / f64::from(degree + 1);
            let found = integral(|x| x.powi(degree), 0.0, 1.0);
            assert!(
                (found - exact).abs() < 4e-16,
                "{degree}: {found} is not {exact}"
            );
        }
        // And the rule of Gauss up to 13.
        for degree in 0..=14 {
            let exact = 1.0 / f64::from(degree + 1);
            let [_, coarse] = integrals(|x| SVector::from([x.powi(degree)]), 0.0, 1.0);
            let error = (coarse[0] - exact).abs();
            assert_eq!(error < 4e-16, degree < 14, "{degree}: {coarse}");
        }
        let exact = 2.0 * 4f64.powi(25) / 25.0;
        let error = integral(|x| x.powi(24), -4.0, 4.0) - exact;
        assert!(error.abs() > 1e-12 * exact, "{error}");
    }
}
