//! QR codes as pictures: one path of SVG, or PNG with one bit per dot. Error correction M, a quiet zone of
//! four modules (ISO/IEC 18004).

use std::fmt::Write;

use adler2::adler32_slice;
use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use qrcodegen::QrCodeEcc;

/// The modules around a code that stay light.
const QUIET_ZONE: i32 = 4;
/// The dots of a module's side in PNG.
const DOTS: usize = 8;
/// The most bytes of a block that is stored as it is (RFC 1951).
const MAX_BLOCK_BYTES: usize = 65_535;
/// What every PNG file begins with.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A code.
pub(crate) struct QrCode(qrcodegen::QrCode);

impl QrCode {
    /// The code of a text; `None` if it is too long.
    pub(crate) fn of(text: &str) -> Option<Self> {
        qrcodegen::QrCode::encode_text(text, QrCodeEcc::Medium).ok().map(Self)
    }

    /// The code of a long text, with less error correction, so that its modules stay large enough to be printed.
    pub(crate) fn of_long(text: &str) -> Option<Self> {
        qrcodegen::QrCode::encode_text(text, QrCodeEcc::Low).ok().map(Self)
    }

    /// The modules of a row or column, the quiet zone included.
    fn side(&self) -> i32 {
        self.0.size().saturating_add(QUIET_ZONE.saturating_mul(2))
    }

    /// Whether a module is dark, counted with the quiet zone.
    fn is_dark(&self, column: i32, row: i32) -> bool {
        self.0.get_module(column.saturating_sub(QUIET_ZONE), row.saturating_sub(QUIET_ZONE))
    }

    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let side = self.side();
        let mut path = String::new();
        for row in 0..side {
            let mut column = 0;
            while column < side {
                let dark = (column..side).take_while(|at| self.is_dark(*at, row)).count();
                // Writing to a string cannot fail.
                if dark > 0 {
                    let _ = write!(path, "M{column} {row}h{dark}v1h-{dark}z");
                }
                column = column.saturating_add(i32::try_from(dark).unwrap_or(side).saturating_add(1));
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
             <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>"
        )
    }

    /// The picture as PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        let side = self.side();
        let mut dots = Vec::new();
        for row in 0..side {
            // One bit per dot and eight dots per module: a module is a byte. A dark dot is 0. Filter 0 comes
            // first.
            let mut line = vec![0];
            line.extend((0..side).map(|column| if self.is_dark(column, row) { 0 } else { 0xff }));
            for _ in 0..DOTS {
                dots.extend_from_slice(&line);
            }
        }
        let length = u32::try_from(side).unwrap_or(0).saturating_mul(8).to_be_bytes();
        let mut header = [length, length].concat();
        // One bit, shades of grey, the only methods of compression and filtering, not interlaced.
        header.extend([1, 0, 0, 0, 0]);
        let mut png = SIGNATURE.to_vec();
        write_chunk(&mut png, *b"IHDR", &header);
        write_chunk(&mut png, *b"IDAT", &store(&dots));
        write_chunk(&mut png, *b"IEND", &[]);
        png
    }
}

/// A zlib stream that stores its bytes as they are (RFC 1950, RFC 1951). A compressor and its tables would
/// make the Worker larger; a picture of 20 KB is cached permanently by the browser that fetched it.
fn store(bytes: &[u8]) -> Vec<u8> {
    // Deflate with a window of 32 KB, no dictionary.
    let mut stream = vec![0x78, 0x01];
    let mut rest = bytes.chunks(MAX_BLOCK_BYTES).peekable();
    while let Some(block) = rest.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(rest.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler32_slice(bytes).to_be_bytes());
    stream
}

fn write_chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let algorithm = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);
    let mut checksum = algorithm.digest();
    checksum.update(&kind);
    checksum.update(data);
    png.extend(u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    png.extend(kind);
    png.extend_from_slice(data);
    png.extend(checksum.finalize().to_be_bytes());
}
