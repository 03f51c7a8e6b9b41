//! Files of every kind, and files that only claim to be.

use alloc::string::ToString;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::*;

/// A zip archive of empty entries, containing only its directory.
fn zip(names: &[&str]) -> Vec<u8> {
    let mut bytes = b"PK\x03\x04 the entries themselves".to_vec();
    let offset = u32::try_from(bytes.len()).unwrap();
    for name in names {
        let mut entry = vec![0; 46];
        entry[..4].copy_from_slice(b"PK\x01\x02");
        entry[28..30].copy_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
        entry[30] = 3;
        entry.extend(name.as_bytes());
        entry.extend([0; 3]);
        bytes.extend(entry);
    }
    let mut end = vec![0; 22];
    end[..4].copy_from_slice(b"PK\x05\x06");
    end[10..12].copy_from_slice(&u16::try_from(names.len()).unwrap().to_le_bytes());
    end[16..20].copy_from_slice(&offset.to_le_bytes());
    bytes.extend(end);
    bytes
}

fn sample(extension: Extension) -> Vec<u8> {
    match extension {
        Extension::Pdf => b"%PDF-1.7\n".to_vec(),
        Extension::Jpeg | Extension::Jpg => vec![0xff, 0xd8, 0xff, 0xe0],
        Extension::Png => b"\x89PNG\r\n\x1a\n".to_vec(),
        Extension::Doc | Extension::Xls => vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0],
        Extension::Docx => zip(&["[Content_Types].xml", "word/document.xml"]),
        Extension::Xlsx => zip(&["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"]),
        Extension::Txt => "invoice فاتورة".as_bytes().to_vec(),
    }
}

fn check(file_name: &str, bytes: &[u8]) -> Result<AttachedFile, AttachmentError> {
    FilePart { file_name, bytes }.check(Slot::FIRST, [7; 20])
}

#[test]
fn every_extension_is_taken_in_capitals_and_small_letters() {
    for extension in Extension::ALL {
        for name in
            [format!("a.{}", extension.as_str()), format!("A.B.{}", extension.as_str().to_uppercase())]
        {
            let file = check(&name, &sample(extension)).unwrap();
            assert_eq!(file.name.extension(), extension);
            assert_eq!(file.original_name, name);
            assert_eq!(AttachmentName::parse(file.name.as_str()), Some(file.name.clone()));
        }
    }
}

#[test]
fn a_file_must_hold_what_its_extension_says() {
    for extension in Extension::ALL {
        for other in Extension::ALL {
            let is_taken = check(&format!("a.{}", extension.as_str()), &sample(other)).is_ok();
            let is_alike =
                sample(extension) == sample(other) || (extension, other) == (Extension::Txt, Extension::Pdf);
            assert_eq!(is_taken, is_alike, "{extension:?} holding {other:?}");
        }
    }
    for page in [&b"<!doctype html>"[..], b"MZ\x90\0", b"%PDF", b"PK\x03\x04"] {
        assert_eq!(check("a.pdf", page), Err(AttachmentError::Content("pdf")));
        assert_eq!(check("a.docx", page), Err(AttachmentError::Content("docx")));
    }
    assert_eq!(check("a.txt", b"a\0b"), Err(AttachmentError::Content("txt")));
    for broken in [
        &b"a\0"[..],
        b"\xff\xfea",
        b"\xff\xfea\0b",
        b"\xff\xfe\0\0",
        b"\xff\xfe\x00\xd8",
        b"\xfe\xff\xd8\x00\0a",
        b"\xff\xfe\0\0a\0\0\0",
    ] {
        assert_eq!(check("a.txt", broken), Err(AttachmentError::Content("txt")), "{broken:?}");
    }
}

#[test]
fn a_pdf_says_so_in_its_first_kilobyte() {
    let after = |length: usize| [&vec![b'\n'; length][..], b"%PDF-1.4"].concat();
    for length in [1, 500, 1_019] {
        assert!(check("a.pdf", &after(length)).is_ok(), "{length}");
    }
    for length in [1_020, 1_024, 5_000] {
        assert_eq!(check("a.pdf", &after(length)), Err(AttachmentError::Content("pdf")), "{length}");
    }
}

#[test]
fn a_text_may_be_utf_16_with_its_mark_and_is_served_as_such() {
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let little: Vec<u8> = units("\u{feff}فاتورة 😀\r\n").into_iter().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units("\u{feff}فاتورة 😀\r\n").into_iter().flat_map(u16::to_be_bytes).collect();
    for bytes in [little.as_slice(), &big, b"\xff\xfe", b"\xfe\xff"] {
        assert!(check("a.txt", bytes).is_ok(), "{bytes:?}");
        assert_eq!(Extension::Txt.media_type(bytes), "text/plain");
    }
    assert_eq!(Extension::Txt.media_type(b"\xef\xbb\xbfa"), "text/plain; charset=utf-8");
}

#[test]
fn a_sheet_may_be_older_than_its_container() {
    for bytes in [
        &b"\x09\x00\x04\x00\x02\x00\x10\x00"[..],
        b"\x09\x02\x06\x00\x00\x00\x10\x00\x00\x00",
        b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00",
        b"\x09\x04\x06\x00\x00\x04\x00\x01\x00\x00",
        b"\x09\x08\x08\x00\x00\x05\x10\x00",
    ] {
        assert!(check("a.xls", bytes).is_ok(), "{bytes:?}");
        assert_eq!(check("a.doc", bytes), Err(AttachmentError::Content("doc")));
        assert_eq!(check("a.xls", &bytes[..7]), Err(AttachmentError::Content("xls")));
    }
    for other in
        [&b"\x09\x00\x06\x00\x02\x00\x10\x00"[..], b"\x09\x04\x06\x00\x00\x00\x11\x00", b"\tname\tamount\n"]
    {
        assert_eq!(check("a.xls", other), Err(AttachmentError::Content("xls")), "{other:?}");
    }
}

#[test]
fn a_broken_archive_is_no_document() {
    let whole = zip(&["[Content_Types].xml", "word/document.xml"]);
    for end in 0..whole.len() {
        assert!(check("a.docx", &whole[..end]).is_err());
    }
    for place in 0..whole.len() {
        let mut broken = whole.clone();
        broken[place] = 0xff;
        // Whatever format is assumed, it is read to the end.
        let _ = check("a.docx", &broken);
    }
}

#[test]
fn a_refused_extension_is_named_with_the_allowed_ones() {
    assert_eq!(
        check("virus.exe", b"MZ").unwrap_err().to_string(),
        "the extension \"exe\" is not allowed; it must be one of pdf, jpeg, png, doc, docx, jpg, xls, xlsx, txt"
    );
    assert_eq!(check("pdf", b"%PDF-"), Err(AttachmentError::Extension(String::new())));
    assert_eq!(check("a.pdf.exe", b"%PDF-"), Err(AttachmentError::Extension("exe".into())));
}

#[test]
fn the_limits_of_size_and_name_are_exact() {
    let mut bytes = vec![b' '; MAX_BYTES];
    assert_eq!(check("a.txt", &bytes).unwrap().size, 2_621_440);
    bytes.push(b' ');
    assert_eq!(check("a.txt", &bytes), Err(AttachmentError::TooLarge));
    assert_eq!(check("a.txt", b""), Err(AttachmentError::Empty));
    assert!(check(&format!("{}.txt", "ن".repeat(96)), b"a").is_ok());
    assert_eq!(check(&format!("{}.txt", "ن".repeat(97)), b"a"), Err(AttachmentError::NameTooLong));
}

#[test]
fn a_name_keeps_neither_folders_nor_controls() {
    for (given, stored) in [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Users\\me\\bill.txt", "bill.txt"),
        ("a\r\nSet-Cookie: b.txt", "aSet-Cookie: b.txt"),
        ("fdp\u{202e}.txt", "fdp.txt"),
        (" فاتورة.txt ", "فاتورة.txt"),
        ("فاتورة.txt\u{200f}", "فاتورة.txt"),
        ("\u{200e}فاتورة\u{200f}.\u{200e}t\u{200b}xt\u{feff} \u{61c}", "\u{200e}فاتورة\u{200f}.txt"),
        ("می\u{200c}خواهم.txt", "می\u{200c}خواهم.txt"),
    ] {
        assert_eq!(check(given, b"a").unwrap().original_name, stored);
    }
}

#[test]
fn names_carry_every_random_bit() {
    let name = |random| AttachmentName::generate(Slot::FIRST, random, Extension::Pdf);
    assert_eq!(name([0; 20]).as_str(), format!("x00{}.pdf", "a".repeat(32)));
    assert_eq!(name([255; 20]).as_str(), format!("x00{}.pdf", "7".repeat(32)));
    for bit in 0..160 {
        let mut random = [0; 20];
        random[bit / 8] = 1 << (bit % 8);
        assert_ne!(name(random), name([0; 20]), "bit {bit}");
    }
}

#[test]
fn an_address_is_read_back_and_nothing_else_is() {
    let name = AttachmentName::generate(Slot::FIRST, [3; 20], Extension::Xlsx);
    let origin = "https://pay.example.com";
    for text in [name.file_url(), name.address(origin)] {
        assert_eq!(AttachmentName::from_address(&text, origin), Some(name.clone()));
    }
    let other = name.address("https://pay.example.com.evil.example");
    for text in
        [other.as_str(), name.as_str(), "", "payment_transactions/attachments/../x.pdf", "/media/x.pdf"]
    {
        assert_eq!(AttachmentName::from_address(text, origin), None, "{text}");
    }
    assert_eq!(AttachmentName::parse(&name.as_str().to_uppercase()), None);
}
