//! WebP (RFC 9649): its chunks, and the size that its frame says.

use super::size::ImageSize;
use crate::violation::ImageRule;

/// How the container begins; whether it is a WebP follows after its length.
pub(super) const SIGNATURE: &[u8] = b"RIFF";
const BROKEN: ImageRule = ImageRule::Broken("WebP");
/// The flag of an extended header that says that the image moves.
const ANIMATION: u8 = 0b10;

/// The size of a WebP whose chunks are whole, with one frame.
pub(super) fn size(file: &[u8]) -> Result<ImageSize, ImageRule> {
    let rest = file.strip_prefix(SIGNATURE).ok_or(BROKEN)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or(BROKEN)?;
    if usize::try_from(u32::from_le_bytes(*length)).ok() != Some(rest.len()) {
        return Err(BROKEN);
    }
    let mut rest = rest.strip_prefix(b"WEBP").ok_or(ImageRule::Unknown)?;
    let (mut canvas, mut frame) = (None, None);
    while !rest.is_empty() {
        let (name, data) = chunk(&mut rest)?;
        match (&name, frame) {
            (b"VP8X", None) if canvas.is_none() => canvas = Some(extended(data)?),
            (b"VP8 ", None) => frame = Some(lossy(data)?),
            (b"VP8L", None) => frame = Some(lossless(data)?),
            (b"ANIM" | b"ANMF", _) => return Err(ImageRule::Animated),
            (b"VP8X" | b"VP8 " | b"VP8L", _) => return Err(BROKEN),
            _ if canvas.is_none() => return Err(BROKEN),
            _ => {}
        }
    }
    match (canvas, frame) {
        (Some(canvas), Some(frame)) if canvas != frame => Err(BROKEN),
        (_, frame) => frame.ok_or(BROKEN),
    }
}

/// The next chunk: its name and its data, which is padded to an even length.
fn chunk<'f>(rest: &mut &'f [u8]) -> Result<([u8; 4], &'f [u8]), ImageRule> {
    let (name, after) = rest.split_first_chunk::<4>().ok_or(BROKEN)?;
    let (length, after) = after.split_first_chunk::<4>().ok_or(BROKEN)?;
    let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| BROKEN)?;
    let (data, after) = after.split_at_checked(length).ok_or(BROKEN)?;
    *rest = if length.is_multiple_of(2) { after } else { after.strip_prefix(b"\0").ok_or(BROKEN)? };
    Ok((*name, data))
}

fn extended(data: &[u8]) -> Result<ImageSize, ImageRule> {
    let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = *data else { return Err(BROKEN) };
    if flags & ANIMATION != 0 {
        return Err(ImageRule::Animated);
    }
    let side = |low, middle, high| u32::from_le_bytes([low, middle, high, 0]).saturating_add(1);
    Ok((side(w0, w1, w2), side(h0, h1, h2)))
}

/// A key frame of VP8 (RFC 6386, 9.1): a frame tag, a start code, and two sides of 14 bits.
fn lossy(data: &[u8]) -> Result<ImageSize, ImageRule> {
    let [tag, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, _, ..] = *data else { return Err(BROKEN) };
    if tag & 1 != 0 {
        return Err(BROKEN);
    }
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Ok((side(w0, w1), side(h0, h1)))
}

/// A lossless image: a signature, two sides of 14 bits, a flag and a version of zero.
fn lossless(data: &[u8]) -> Result<ImageSize, ImageRule> {
    let [0x2f, b0, b1, b2, b3, _, ..] = *data else { return Err(BROKEN) };
    let bits = u32::from_le_bytes([b0, b1, b2, b3]);
    if bits >> 29 != 0 {
        return Err(BROKEN);
    }
    Ok(((bits & 0x3fff).saturating_add(1), ((bits >> 14) & 0x3fff).saturating_add(1)))
}
