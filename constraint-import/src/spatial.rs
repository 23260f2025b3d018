//! Vectors, rotations and inertias of space.

use crate::number::rounded;

/// x, y, z
pub type Vector = [f64; 3];
/// Rows of a 3 × 3 matrix.
pub type Matrix = [Vector; 3];

/// No rotation.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// a + b
pub fn add(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// a − b
pub fn subtract(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// s a
pub fn scale(s: f64, a: Vector) -> Vector {
    a.map(|x| s * x)
}

/// a·b
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
pub fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// |a|
pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// a/|a|; an axis along a coordinate stays exact.
pub fn unit(a: Vector) -> Vector {
    let length = norm(a);
    a.map(|x| x / length)
}

/// A x
pub fn apply(a: &Matrix, x: Vector) -> Vector {
    a.map(|row| dot(row, x))
}

/// Aᵀ
pub fn transpose(a: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

/// A B
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transpose(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// The rotation about an axis of length 1: cos·1 + sin·[u]× + (1 − cos) u uᵀ.
pub fn rotation(u: Vector, [sin, cos]: [f64; 2]) -> Matrix {
    let crossed = [[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]];
    [0, 1, 2].map(|i| {
        [0, 1, 2].map(|j| cos * IDENTITY[i][j] + sin * crossed[i][j] + (1.0 - cos) * u[i] * u[j])
    })
}

/// Two directions that, with a third of length 1, form a right-handed frame: u × w = n. Along a coordinate axis they are
/// the next two axes.
pub fn across(n: Vector) -> [Vector; 2] {
    let size = n.map(f64::abs);
    // The axis after the largest component is not parallel to n.
    let largest = (0..3)
        .max_by(|&i, &j| size[i].total_cmp(&size[j]))
        .unwrap_or(2);
    let mut other = [0.0; 3];
    other[(largest + 1) % 3] = 1.0;
    let along = dot(other, n);
    let u = unit(subtract(other, scale(along, n)));
    [u, cross(n, u)]
}

/// A rigid placement: x ↦ R x + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// R
    pub turn: Matrix,
    /// p
    pub place: Vector,
}

impl Placement {
    /// Nothing moved.
    pub const IDENTITY: Placement = Placement {
        turn: IDENTITY,
        place: [0.0; 3],
    };

    /// The place of a point of the moved frame.
    pub fn at(&self, x: Vector) -> Vector {
        add(self.place, apply(&self.turn, x))
    }

    /// First `self`, then `next` in the moved frame.
    pub fn then(&self, next: &Placement) -> Placement {
        Placement {
            turn: multiply(&self.turn, &next.turn),
            place: self.at(next.place),
        }
    }

    /// The placement that undoes this one.
    pub fn inverse(&self) -> Placement {
        let turn = transpose(&self.turn);
        Placement {
            turn,
            place: scale(-1.0, apply(&turn, self.place)),
        }
    }
}

/// The mass of a body, its centre and its inertia about the centre, in the axes of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// m
    pub mass: f64,
    /// c
    pub centre: Vector,
    /// I about c
    pub about_centre: Matrix,
}

impl Inertia {
    /// The same seen from the frame in which its own is placed.
    pub fn seen(&self, from: &Placement) -> Inertia {
        let turned = multiply(&from.turn, &self.about_centre);
        Inertia {
            mass: self.mass,
            centre: from.at(self.centre),
            about_centre: multiply(&turned, &transpose(&from.turn)),
        }
    }

    /// I + m (r² 1 − r rᵀ) with r = c − o.
    pub fn about(&self, o: Vector) -> Matrix {
        let r = subtract(self.centre, o);
        let square = dot(r, r);
        [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| {
                self.about_centre[i][j] + self.mass * (square * IDENTITY[i][j] - r[i] * r[j])
            })
        })
    }

    /// The same without the digits that rounding has left.
    pub fn without_noise(&self) -> Inertia {
        let clean = |x: f64, most: f64| {
            if x.abs() < 1e-15 * most {
                0.0
            } else {
                rounded(x)
            }
        };
        let most = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let moments = self.about_centre;
        let largest = most(&[moments[0][0], moments[1][1], moments[2][2]]);
        let far = most(&self.centre);
        // Both halves of a symmetric matrix get the same digits.
        let entry = |i: usize, j: usize| clean(moments[i.min(j)][i.max(j)], largest);
        Inertia {
            mass: rounded(self.mass),
            centre: self.centre.map(|x| clean(x, far)),
            about_centre: [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))),
        }
    }

    /// One body of several that are fixed to each other.
    pub fn lumped(parts: &[Inertia]) -> Inertia {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let moment = parts.iter().fold([0.0; 3], |sum, part| {
            add(sum, scale(part.mass, part.centre))
        });
        let centre = if mass > 0.0 {
            scale(1.0 / mass, moment)
        } else {
            [0.0; 3]
        };
        let about_centre = parts.iter().fold([[0.0; 3]; 3], |sum, part| {
            let own = part.about(centre);
            [0, 1, 2].map(|i| add(sum[i], own[i]))
        });
        Inertia {
            mass,
            centre,
            about_centre,
        }
    }
}

/// The eigenvalues of a symmetric matrix in ascending order, by Jacobi's rotations.
pub fn eigenvalues(symmetric: &Matrix) -> Vector {
    let mut a = *symmetric;
    for _ in 0..32 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if a[i][j] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[i][j]).atan2(a[j][j] - a[i][i]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = IDENTITY;
            (turn[i][i], turn[i][j], turn[j][i], turn[j][j]) = (cos, sin, -sin, cos);
            a = multiply(&multiply(&transpose(&turn), &a), &turn);
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// diag(1, 2, 4) turned about (1, 2, 2)/3 keeps its eigenvalues.
    #[test]
    fn eigenvalues_survive_a_rotation() {
        let turn = rotation(
            [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
            [0.7_f64.sin(), 0.7_f64.cos()],
        );
        let diagonal = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 4.0]];
        let turned = multiply(&multiply(&turn, &diagonal), &transpose(&turn));
        for (found, expected) in eigenvalues(&turned).into_iter().zip([1.0, 2.0, 4.0]) {
            assert!((found - expected).abs() < 1e-14, "{found}");
        }
    }

    /// Two halves of a rod are the rod: m l²/12 about its middle.
    #[test]
    fn halves_of_a_rod_are_the_rod() {
        let half = |x: f64| Inertia {
            mass: 1.0,
            centre: [x, 0.0, 0.0],
            about_centre: [[0.0; 3], [0.0, 1.0 / 12.0, 0.0], [0.0, 0.0, 1.0 / 12.0]],
        };
        let rod = Inertia::lumped(&[half(0.5), half(1.5)]);
        assert_eq!((rod.mass, rod.centre), (2.0, [1.0, 0.0, 0.0]));
        assert!((rod.about_centre[1][1] - 2.0 * 4.0 / 12.0).abs() < 1e-15);
    }

    #[test]
    fn directions_across_an_axis_form_a_frame() {
        for n in [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], unit([1.0, 2.0, -3.0])] {
            let [u, w] = across(n);
            for (found, expected) in cross(u, w).into_iter().zip(n) {
                assert!((found - expected).abs() < 1e-15);
            }
        }
    }
}
