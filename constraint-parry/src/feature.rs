//! Numbers that name the same contact in every step.

/// A number for these parts of a contact: two colliders, the parts of their shapes, and vertices, edges or faces of these.
///
/// FNV-1a over their bytes. Two contacts of a pair of bodies that share a number by accident, one pair in 2⁶⁴, start from
/// one another's impulses and end at their own.
pub(crate) fn number(parts: [u32; 6]) -> u64 {
    let bytes = parts.into_iter().flat_map(u32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
