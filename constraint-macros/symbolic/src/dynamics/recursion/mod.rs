//! M and M a − h of trees of posed bodies, by recursion from link to link.
//!
//! ```text
//! forth   ω = Rᵀ ω₋ + ω′,   ω̇ = Rᵀ ω̇₋ + (Rᵀ ω₋)×ω′ + ω̇′,   a = Rᵀ (a₋ + B₋ p + 2 ω₋×ṗ + p̈)      B = ω̇× + (ω×)²
//! back    f = m a + B s + Σ R f₊,   n = s×a + (B S)^ + Σ (R n₊ + p×R f₊)                      m, s, S: Σ m (1, r, r rᵀ)
//! M a − h = Σ (∂ω′/∂v)ᵀ n + (∂ṗ/∂v)ᵀ R f
//! M       the same for one unit of acceleration after another, of the links beyond as one rigid body
//! M⁻¹ h   of long chains by articulated bodies, without M
//! ```
//! This is Newton–Euler: Featherstone, *Rigid Body Dynamics Algorithms*, sections 5.3 and 6.2, without spatial vectors. Every
//! link has a frame of its own; − marks the link before it, + those after it. Weight is an acceleration −g of the world.
//!
//! Before, the tree is made cheap ([`Tree::simplified`]): frames that do not move relative to another are absorbed, origins
//! slide along axes of rotation to where axes meet, and mass that a joint does not move relative to the link before it, a rod on
//! its axis, belongs to that link (the minimal parameters of Gautier and Khalil).

mod articulated;
mod composite;
mod limbs;
mod masses;
mod newton_euler;
mod parameters;
mod symmetric;
mod tree;
mod turn;
mod vector;

pub use self::articulated::{Back, Inertia, Unconstrained};
pub use self::limbs::make_alike;
pub use self::newton_euler::Motion;
pub(super) use self::parameters::{PARAMETERS, PLANE, Parameters};
pub use self::tree::{Given, Tree};
pub use self::vector::Pair;
