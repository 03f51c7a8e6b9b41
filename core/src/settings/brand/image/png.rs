//! PNG (ISO/IEC 15948): its chunks, and the size that its header says.

use super::size::ImageSize;
use crate::violation::ImageRule;

/// How a PNG begins.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const BROKEN: ImageRule = ImageRule::Broken("PNG");
const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// The size of a PNG whose chunks are whole: a header, data and an end with nothing after it.
pub(super) fn size(file: &[u8]) -> Result<ImageSize, ImageRule> {
    let mut rest = file.strip_prefix(SIGNATURE).ok_or(BROKEN)?;
    let (mut size, mut has_data) = (None, false);
    loop {
        let (name, data) = chunk(&mut rest)?;
        match (&name, size) {
            (b"IHDR", None) => size = Some(header(data)?),
            (b"IHDR", Some(_)) | (_, None) => return Err(BROKEN),
            (b"acTL", _) => return Err(ImageRule::Animated),
            (b"IDAT", _) => has_data = true,
            (b"IEND", Some(size)) => {
                let is_whole = has_data && data.is_empty() && rest.is_empty();
                return if is_whole { Ok(size) } else { Err(BROKEN) };
            }
            _ => {}
        }
    }
}

/// The next chunk: its name and its data, which its check sum confirms.
fn chunk<'f>(rest: &mut &'f [u8]) -> Result<([u8; 4], &'f [u8]), ImageRule> {
    let (length, after) = rest.split_first_chunk::<4>().ok_or(BROKEN)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| BROKEN)?;
    let (name, _) = after.split_first_chunk::<4>().ok_or(BROKEN)?;
    let (checked, after) = after.split_at_checked(length.saturating_add(4)).ok_or(BROKEN)?;
    let (sum, after) = after.split_first_chunk::<4>().ok_or(BROKEN)?;
    if CRC.checksum(checked) != u32::from_be_bytes(*sum) {
        return Err(BROKEN);
    }
    *rest = after;
    Ok((*name, checked.get(4..).unwrap_or_default()))
}

fn header(data: &[u8]) -> Result<ImageSize, ImageRule> {
    let (width, rest) = data.split_first_chunk::<4>().ok_or(BROKEN)?;
    let (height, rest) = rest.split_first_chunk::<4>().ok_or(BROKEN)?;
    // Bit depth and colour type, compression, filter, interlace.
    let is_known = matches!(
        rest,
        [1 | 2 | 4 | 8 | 16, 0, 0, 0, 0 | 1]
            | [8 | 16, 2 | 4 | 6, 0, 0, 0 | 1]
            | [1 | 2 | 4 | 8, 3, 0, 0, 0 | 1]
    );
    if is_known { Ok((u32::from_be_bytes(*width), u32::from_be_bytes(*height))) } else { Err(BROKEN) }
}
