//! A fast hash for small trusted keys.

use std::hash::{Hash, Hasher};

/// The highest bits, which depend on all bits of the key.
pub fn hash_of<K: Hash + ?Sized>(key: &K) -> u32 {
    let mut mixer = Mixer::default();
    key.hash(&mut mixer);
    (mixer.0 >> 32) as u32
}

/// Multiply and rotate, after the hash of the Firefox and rustc sources ("Fx").
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_i32(&mut self, value: i32) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        if value >> 64 != 0 {
            self.write_u64((value >> 64) as u64);
        }
    }

    fn write_i128(&mut self, value: i128) {
        self.write_u128(value as u128);
    }

    fn finish(&self) -> u64 {
        // The table uses the highest and the lowest bits.
        self.0 ^ (self.0 >> 32)
    }
}
