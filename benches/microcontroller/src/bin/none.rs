//! Nothing: what every program has.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use microcontroller as _;

#[entry]
fn main() -> ! {
    loop {
        core::hint::black_box(());
    }
}
