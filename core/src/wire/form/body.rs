//! The bytes of a form as fields: what clients of all kinds write, with its file.
//!
//! Decisions:
//!
//! - a charset that a part, the field `_charset_` or the `Content-Type` declares is decoded; without one, text
//!   is UTF-8. Bytes that are no text are refused by the name of their field, and never stored in part;
//! - a part with a file name is a file; if a file is given twice the last one counts, as for every field;
//! - a part that says it is JSON and holds a JSON string means the text of that string.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use percent_encoding::percent_decode;
use serde_json::value::RawValue;

use super::object::{FormField, FormShape, MAX_FILES, Path, read};
use crate::record::attachment::FilePart;
use crate::rejection::Rejection;
use crate::violation::{Rule, Violation, Violations};
use crate::wire::charset::{self, Decode};
use crate::wire::encoded_word::{base64_lines, quoted};
use crate::wire::json;
use crate::wire::multipart::{Part, split};
use crate::wire::parameters::{HeaderParameters, NotText};
use crate::words::media_type::{BodyType, MAX_FIELDS};

/// The byte order mark, which some editors and platforms put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// The field by which a form declares its charset (HTML; RFC 7578, 4.6).
const CHARSET: &str = "_charset_";

/// The body of a request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RequestBody {
    /// Its bytes; of a form in place of JSON, the JSON that means the same.
    pub bytes: Vec<u8>,
    /// What is wrong with the form itself.
    pub wrong: Vec<Violation>,
    file: Option<SentFile>,
}

impl RequestBody {
    /// A body that is no form in place of JSON.
    #[must_use]
    pub const fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, wrong: Vec::new(), file: None }
    }

    /// A body in JSON, without the byte order mark.
    ///
    /// # Errors
    /// [`Rejection::NotUtf8`] with the member that is not UTF-8.
    pub fn of_json(mut bytes: Vec<u8>) -> Result<Self, Rejection> {
        if bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        json::check_utf_8(&bytes)?;
        Ok(Self::of(bytes))
    }

    /// The file in the field that takes one.
    #[must_use]
    pub fn file(&self) -> Option<FilePart<'_>> {
        self.file.as_ref().map(|SentFile { name, bytes }| FilePart { file_name: name, bytes })
    }
}

/// A file of a form: its name and its bytes.
#[derive(Debug, PartialEq, Eq)]
struct SentFile {
    name: String,
    bytes: Vec<u8>,
}

/// Reads a form, as its `Content-Type` says.
///
/// # Errors
/// [`Rejection::MalformedForm`] for bytes that are no form, or one of too many fields;
/// [`Rejection::JsonAsForm`] for JSON that was sent as a form.
pub fn read_body(
    content_type: &str,
    body: &[u8],
    shape: &FormShape,
    decode: Decode<'_>,
) -> Result<RequestBody, Rejection> {
    let header = HeaderParameters::of(content_type.as_bytes());
    let mut form = Collected::new(shape, decode, header.ascii("charset"));
    match BodyType::Record.read(content_type) {
        Some(BodyType::Multipart) => {
            let boundary = header.bytes("boundary").ok_or(Rejection::MalformedForm)?;
            let most = MAX_FIELDS.saturating_add(MAX_FILES);
            form.take_parts(&split(body, boundary, most).ok_or(Rejection::MalformedForm)?)?;
        }
        _ if looks_like_json(body) => return Err(Rejection::JsonAsForm),
        _ => form.take_pairs(body),
    }
    form.finish()
}

/// Whether a body is one JSON object or the beginning of one: no name of a field begins so.
fn looks_like_json(body: &[u8]) -> bool {
    let body = body.strip_prefix(MARK).unwrap_or(body).trim_ascii();
    let inner = body.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    inner.is_some_and(|inner| inner.starts_with(b"\"") || inner == b"}")
}

/// The fields of a form while they are read.
struct Collected<'s, 'd> {
    shape: &'s FormShape,
    decode: Decode<'d>,
    charset: Option<String>,
    fields: Vec<FormField>,
    /// The fields whose bytes are no text.
    unreadable: Violations,
    file: Option<SentFile>,
}

impl<'s, 'd> Collected<'s, 'd> {
    fn new(shape: &'s FormShape, decode: Decode<'d>, charset: Option<&str>) -> Self {
        let charset = charset.map(ToOwned::to_owned);
        Self { shape, decode, charset, fields: Vec::new(), unreadable: Violations::default(), file: None }
    }

    fn text(&self, bytes: &[u8], charset: Option<&str>) -> Option<String> {
        charset::text_of(bytes, charset.or(self.charset.as_deref()), self.decode)
    }

    /// The pairs of an urlencoded form.
    fn take_pairs(&mut self, body: &[u8]) {
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = body
            .split(|byte| *byte == b'&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let end = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
                let (name, value) = pair.split_at_checked(end).unwrap_or((pair, &[]));
                (plain(name), plain(value.strip_prefix(b"=").unwrap_or(value)))
            })
            .collect();
        self.declare(pairs.iter().find(|(name, _)| name == CHARSET.as_bytes()).map(|(_, value)| value));
        for (name, value) in pairs {
            let named = self.text(&name, None).ok_or_else(|| lossless(&name));
            let value = self.text(&value, None).ok_or(NotText);
            self.add(named, value.map(Some));
        }
    }

    fn declare(&mut self, charset: Option<impl AsRef<[u8]>>) {
        let charset =
            charset.and_then(|charset| core::str::from_utf8(charset.as_ref()).ok().map(ToOwned::to_owned));
        self.charset = charset.filter(|charset| !charset.trim().is_empty()).or(self.charset.take());
    }

    /// The parts of a multipart form.
    fn take_parts(&mut self, parts: &[Part<'_>]) -> Result<(), Rejection> {
        let heads: Option<Vec<HeaderParameters>> = parts.iter().map(disposition).collect();
        let heads = heads.ok_or(Rejection::MalformedForm)?;
        let named = heads.iter().zip(parts).find(|(head, _)| head.bytes("name") == Some(CHARSET.as_bytes()));
        self.declare(named.map(|(_, part)| part.content));
        for (head, part) in heads.iter().zip(parts) {
            self.take_part(head, part)?;
        }
        Ok(())
    }

    fn take_part(&mut self, head: &HeaderParameters, part: &Part<'_>) -> Result<(), Rejection> {
        let charset = self.charset.as_deref();
        let name = match head.text("name", charset, self.decode).ok_or(Rejection::MalformedForm)? {
            Ok(name) => Ok(name),
            Err(NotText) => Err(lossless(head.bytes("name").unwrap_or_default())),
        };
        let file_name = head.text("filename", charset, self.decode);
        let content = unencoded(part).ok_or(Rejection::MalformedForm)?;
        let Some(file_name) = file_name else {
            let kind = part.header("content-type").map(HeaderParameters::of).unwrap_or_default();
            let text = self.text(&content, kind.ascii("charset")).ok_or(NotText);
            let is_json = kind.essence == "application/json";
            let text = text.map(|text| Some(if is_json { text_of_json(text) } else { text }));
            self.add(name, text);
            return Ok(());
        };
        match (name, file_name) {
            (Ok(field), Ok(name)) if Some(field.as_str()) == self.shape.file => {
                self.file = Some(SentFile { name, bytes: content });
            }
            (Ok(field), Err(NotText)) if Some(field.as_str()) == self.shape.file => self.refuse(&field),
            (name, _) => self.add(name, Ok(None)),
        }
        Ok(())
    }

    /// One field; a name that is no text comes as what can be read of it.
    fn add(&mut self, name: Result<String, String>, text: Result<Option<String>, NotText>) {
        match (name, text) {
            (Ok(name), Ok(text)) => self.fields.push(FormField { name, text }),
            (Ok(name) | Err(name), _) => self.refuse(&name),
        }
    }

    fn refuse(&mut self, name: &str) {
        let first = name.split(['.', '[']).next().unwrap_or_default();
        if !self.shape.names.contains(&first) && self.shape.file != Some(first) {
            return;
        }
        let whole = Path::parse(name).map(|path| path.segments.join("."));
        // A key of the caller's own may itself be what is no text.
        let path = whole.ok().filter(|path| path.is_ascii()).unwrap_or_else(|| first.to_string());
        if !self.unreadable.has(&path) {
            self.unreadable.add(path, Rule::NotDeclaredText);
        }
    }

    fn finish(self) -> Result<RequestBody, Rejection> {
        let super::Form { json, wrong } = read(&self.fields, self.shape)?;
        let wrong = Violations::of_form(&self.unreadable.into_vec(), wrong);
        Ok(RequestBody { bytes: json.into_bytes(), wrong, file: self.file })
    }
}

/// The parameters of `Content-Disposition`, of a part of a form.
fn disposition(part: &Part<'_>) -> Option<HeaderParameters> {
    let head = HeaderParameters::of(part.header("content-disposition")?);
    (head.essence == "form-data").then_some(head)
}

/// What a part holds, without the encoding of mail that some clients still declare.
fn unencoded(part: &Part<'_>) -> Option<Vec<u8>> {
    let encoding = part.header("content-transfer-encoding").unwrap_or_default();
    match encoding.to_ascii_lowercase().as_slice() {
        b"" | b"7bit" | b"8bit" | b"binary" => Some(part.content.to_vec()),
        b"base64" => base64_lines(part.content),
        b"quoted-printable" => quoted(part.content, false),
        _ => None,
    }
}

/// The text of a JSON string; anything else is the text of a field as it is.
fn text_of_json(text: String) -> String {
    let raw = serde_json::from_str::<&RawValue>(&text).ok().filter(|raw| raw.get().starts_with('"'));
    let inner = raw.and_then(json::text_of).map(alloc::borrow::Cow::into_owned);
    inner.unwrap_or(text)
}

/// What can be read of a name that is no text: its ASCII.
fn lossless(name: &[u8]) -> String {
    name.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '\u{80}' }).collect()
}

/// A name or a value of an urlencoded form, decoded.
fn plain(text: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&text).collect()
}

#[cfg(test)]
mod tests;
