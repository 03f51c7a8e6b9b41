//! Whether the content of a file is what its extension says. Only the marks of a format are checked: the
//! content is neither interpreted nor proven harmless.

use alloc::vec::Vec;

use super::Extension;

/// What every PNG file begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// What every compound file begins with, the container of Office up to 2003.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/// In how many of the first bytes a PDF file says that it is one.
const PDF_BEGINNING: usize = 1_024;
/// What a sheet of Excel can be: a workbook, a sheet, a chart, a macro sheet, a workspace.
const SHEETS: [u16; 5] = [0x0005, 0x0010, 0x0020, 0x0040, 0x0100];
/// What the end of a zip archive's directory begins with.
const END: &[u8] = b"PK\x05\x06";
/// What an entry of a zip archive's directory begins with.
const ENTRY: &[u8] = b"PK\x01\x02";
/// The bytes of the end record, without its comment.
const END_BYTES: usize = 22;
/// The bytes of an entry before its name.
const ENTRY_BYTES: usize = 46;
/// The most entries that are checked.
const MAX_ENTRIES: usize = 4_096;

/// Whether `bytes` are of the kind.
pub(super) fn is_of(extension: Extension, bytes: &[u8]) -> bool {
    match extension {
        Extension::Pdf => begins_within(bytes, b"%PDF-"),
        Extension::Png => bytes.starts_with(PNG),
        Extension::Jpeg | Extension::Jpg => bytes.starts_with(&[0xff, 0xd8, 0xff]),
        Extension::Doc => bytes.starts_with(COMPOUND),
        Extension::Xls => bytes.starts_with(COMPOUND) || is_bare_sheet(bytes),
        Extension::Docx => is_office(bytes, b"word/"),
        Extension::Xlsx => is_office(bytes, b"xl/"),
        Extension::Txt => is_text(bytes),
    }
}

/// Whether a mark is in the first bytes, before which many programs write lines of their own (ISO 32000-1, annex H).
fn begins_within(bytes: &[u8], mark: &[u8]) -> bool {
    let beginning = bytes.get(..PDF_BEGINNING).unwrap_or(bytes);
    beginning.windows(mark.len()).any(|window| window == mark)
}

/// Whether the bytes are a sheet of Excel without the container that later versions put around it: they begin with
/// the record that says so, its version (2, 3, 4 or 5), its length, and what kind of sheet it is.
fn is_bare_sheet(bytes: &[u8]) -> bool {
    let is_known = matches!(bytes, [9, 0, 4, 0, ..] | [9, 2 | 4, 6, 0, ..] | [9, 8, 8 | 16, 0, ..]);
    is_known && number(bytes, 6).is_some_and(|kind| SHEETS.contains(&kind))
}

/// Whether the bytes are text in UTF-8, or in UTF-16 with its mark.
fn is_text(bytes: &[u8]) -> bool {
    let Some(read_unit) = utf_16(bytes) else {
        return !bytes.contains(&0) && core::str::from_utf8(bytes).is_ok();
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let units = units.iter().map(|pair| read_unit(*pair));
    let mut characters = char::decode_utf16(units);
    rest.is_empty() && characters.all(|character| character.is_ok_and(|character| character != '\0'))
}

/// How the units of UTF-16 are read, if the bytes begin with its mark.
pub(super) fn utf_16(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Whether a zip archive names the parts of an Office document whose own parts are in `folder`.
fn is_office(bytes: &[u8], folder: &[u8]) -> bool {
    let names = if bytes.starts_with(b"PK\x03\x04") { entry_names(bytes) } else { None };
    names.is_some_and(|names| {
        names.iter().any(|name| *name == b"[Content_Types].xml")
            && names.iter().any(|name| name.starts_with(folder))
    })
}

/// The names in the directory of a zip archive; `None` if it cannot be read.
fn entry_names(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    // A comment of up to 65,535 bytes may follow the end record.
    let earliest = bytes.len().saturating_sub(END_BYTES.saturating_add(usize::from(u16::MAX)));
    let tail = bytes.get(earliest..)?;
    let end = tail.get(tail.windows(END.len()).rposition(|window| window == END)?..)?;
    let end = end.get(..END_BYTES)?;
    let count = usize::from(number(end, 10)?).min(MAX_ENTRIES);
    let offset = usize::try_from(u32::from_le_bytes(*end.get(16..)?.first_chunk()?)).ok()?;
    let mut rest = bytes.get(offset..)?;
    let mut names = Vec::new();
    for _ in 0..count {
        if !rest.starts_with(ENTRY) {
            return None;
        }
        let name_bytes = usize::from(number(rest, 28)?);
        let more = usize::from(number(rest, 30)?).checked_add(usize::from(number(rest, 32)?))?;
        let name_end = ENTRY_BYTES.checked_add(name_bytes)?;
        names.push(rest.get(ENTRY_BYTES..name_end)?);
        rest = rest.get(name_end.checked_add(more)?..)?;
    }
    Some(names)
}

/// A number of two bytes.
fn number(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|pair| u16::from_le_bytes(*pair))
}
