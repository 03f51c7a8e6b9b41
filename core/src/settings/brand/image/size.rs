//! Pixels.

/// Pixels of width and height.
pub(super) type Size = (u32, u32);
