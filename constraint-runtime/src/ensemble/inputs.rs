//! Inputs of systems in lanes: constant, or by a law that is called for one copy at a time.

use alloc::vec::Vec;

use super::lanes::{InLanes, Lanes, one_lane};
use crate::input::{InputSource, InputSystem, Law};

/// Largest number of lanes.
const MOST_LANES: usize = 16;

/// The system of one lane.
pub trait OneLane<T: Lanes> {
    /// The same over the elements of `T`.
    type One: InputSystem<T::Element>;
}

/// The laws of several copies, one for each lane.
#[derive(Clone, Debug)]
pub struct Laws<F>(Vec<Law<F>>);

impl<T: Lanes, F: Clone> InLanes<T> for Law<F> {
    type Lanes = Laws<F>;

    fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> Laws<F>
    where
        F: 'a,
    {
        Laws((0..T::LANES).map(|lane| copy(lane).clone()).collect())
    }
}

impl<T, S, F> InputSource<T, S> for Laws<F>
where
    T: Lanes,
    S: InputSystem<T> + OneLane<T>,
    <S::One as InputSystem<T::Element>>::Inputs: InLanes<T, Lanes = S::Inputs>,
    Law<F>: InputSource<T::Element, S::One>,
{
    fn at(&self, t: T, q: &S::Q, v: &S::V) -> S::Inputs {
        const { assert!(T::LANES <= MOST_LANES) };
        let inputs: [_; MOST_LANES] = core::array::from_fn(|lane| {
            let law = self.0.get(lane)?;
            let q = one_lane::<T, _, <S::One as InputSystem<T::Element>>::Q>(q, lane);
            let v = one_lane::<T, _, <S::One as InputSystem<T::Element>>::V>(v, lane);
            Some(law.at(t.extract(lane), &q, &v))
        });
        InLanes::<T>::gather(|lane| match &inputs[lane] {
            Some(inputs) => inputs,
            None => unreachable!("each lane has a law"),
        })
    }
}
