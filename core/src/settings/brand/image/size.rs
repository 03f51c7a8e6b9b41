//! Pixels.

/// Pixels of width and height.
pub(super) type ImageSize = (u32, u32);
