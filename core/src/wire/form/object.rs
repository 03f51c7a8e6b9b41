//! The fields of a form as the JSON object that means the same.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::Serializer;
use serde_json::value::RawValue;

use crate::rejection::Rejection;
use crate::value::json::{Unwritten, write};
use crate::violation::{Rule, Violation, Violations};
use crate::wire::json;
use crate::words::media_type::MAX_FIELDS;

/// The most levels of a name: a field, and members of members.
const MAX_LEVELS: usize = 4;
/// The most files of a form.
pub(super) const MAX_FILES: usize = 16;

/// How a name is written that is not simply a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A list.
    List,
    /// A list whose items may also be separated by commas.
    SeparatedList,
    /// An object of known members.
    Object,
    /// An object of the caller's own keys.
    OpenObject,
    /// An object that is passed on as it is written. Its members can be fields of their own only where that
    /// leaves no doubt what they are.
    Verbatim,
    /// A flag, in any of the spellings that forms have.
    Flag,
    /// A text, whatever it looks like.
    Text,
}

/// The fields that a request has in a form.
#[derive(Debug, Clone, Copy)]
pub struct FormShape {
    /// The fields.
    pub names: &'static [&'static str],
    /// Those that are not texts, and their members that are not, as `agreement.seller`.
    pub kinds: &'static [(&'static str, NameKind)],
    /// The field that takes a file.
    pub file: Option<&'static str>,
}

impl FormShape {
    fn kind(&self, name: &str) -> Option<NameKind> {
        // Some write members in capitals, as `notifications.SMS`; a field has one spelling.
        let is_meant =
            |known: &str| known == name || (name.contains('.') && known.eq_ignore_ascii_case(name));
        self.kinds.iter().find(|(known, _)| is_meant(known)).map(|(_, kind)| *kind)
    }

    /// Whether a field is an object of any keys.
    fn is_open(&self, name: &str) -> bool {
        matches!(self.kind(name), Some(NameKind::OpenObject | NameKind::Verbatim))
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormField {
    /// Its name.
    pub name: String,
    /// Its text; `None` for a file.
    pub text: Option<String>,
}

/// A form that was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Form {
    /// The JSON text that means the same.
    pub json: String,
    /// What is wrong with the form itself.
    pub wrong: Vec<Violation>,
}

/// Reads a form of a request.
///
/// # Errors
/// [`Rejection::MalformedForm`] for more than `MAX_FIELDS` fields.
pub fn read(fields: &[FormField], shape: &FormShape) -> Result<Form, Rejection> {
    if fields.len() > MAX_FIELDS {
        return Err(Rejection::MalformedForm);
    }
    let mut root = FormObject::default();
    let mut wrong = Violations::default();
    for FormField { name, text } in fields {
        let first = name.split(['.', '[']).next().unwrap_or_default();
        // A file that is named as a key of the caller's own is as unknown as any other file.
        let is_unknown_file = text.is_none() && name != first && shape.is_open(first);
        if !shape.names.contains(&first) || is_unknown_file {
            continue;
        }
        let put = Path::parse(name)
            .map_err(|rule| Violation::new(first.to_string(), rule))
            .and_then(|path| root.put(&PlacedField { shape, path, value: text.as_deref() }, 0));
        if let Err(Violation { path, rule }) = put
            && !wrong.has(&path)
        {
            wrong.add(path, rule);
        }
    }
    let json = write(&root).map_err(|Unwritten| Rejection::MalformedForm)?;
    Ok(Form { json, wrong: wrong.into_vec() })
}

/// The name of a field, split into its parts.
pub(super) struct Path<'f> {
    pub(super) segments: Vec<&'f str>,
    /// Whether it ends with empty brackets: the value goes to the end of a list.
    appends: bool,
}

impl<'f> Path<'f> {
    pub(super) fn parse(name: &'f str) -> Result<Self, Rule> {
        let at = name.find('[').unwrap_or(name.len());
        let (dotted, mut rest) = name.split_at(at);
        let mut segments: Vec<&str> = dotted.split('.').take(MAX_LEVELS.saturating_add(1)).collect();
        let mut appends = false;
        while let Some(bracketed) = rest.strip_prefix('[') {
            let (key, after) = bracketed.split_once(']').ok_or(Rule::NotFormName)?;
            if appends || key.contains('[') {
                return Err(Rule::NotFormName);
            }
            appends = key.is_empty();
            if !appends {
                segments.push(key);
            }
            if segments.len() > MAX_LEVELS {
                break;
            }
            rest = after;
        }
        match segments.len() {
            ..=MAX_LEVELS if rest.is_empty() => Ok(Self { segments, appends }),
            ..=MAX_LEVELS => Err(Rule::NotFormName),
            _ => Err(Rule::TooDeep { max: MAX_LEVELS }),
        }
    }

    /// The path as violations name it, down to `level`.
    fn down_to(&self, level: usize) -> String {
        self.segments.get(..=level).unwrap_or(&self.segments).join(".")
    }
}

/// A field of the form, on its way to its position.
struct PlacedField<'f, 's> {
    shape: &'s FormShape,
    path: Path<'f>,
    value: Option<&'f str>,
}

impl PlacedField<'_, '_> {
    /// What the name down to `level` is. In an object of the caller's own keys, empty brackets make a list.
    fn kind(&self, here: &str, level: usize) -> Option<NameKind> {
        let is_leaf = self.path.segments.len() == level.saturating_add(1);
        let is_own_list =
            is_leaf && self.path.appends && level > 0 && self.field() == Some(NameKind::OpenObject);
        if is_own_list { Some(NameKind::List) } else { self.shape.kind(here) }
    }

    fn field(&self) -> Option<NameKind> {
        self.path.segments.first().and_then(|field| self.shape.kind(field))
    }

    /// Whether a member of an object that is passed on may be something else than this text.
    fn is_doubtful(&self) -> bool {
        let Path { segments, appends } = &self.path;
        let mut around = (0..segments.len().saturating_sub(1)).map(|level| self.path.down_to(level));
        let is_passed_on = |name: &str| self.shape.kind(name) == Some(NameKind::Verbatim);
        let is_own = *appends && is_passed_on(&segments.join("."));
        let is_text = self.shape.kind(&segments.join(".")) == Some(NameKind::Text) && !appends;
        !is_text && (is_own || around.any(|name| is_passed_on(&name))) && {
            let text = self.value.unwrap_or_default().trim();
            let is_scalar = |raw: &RawValue| !raw.get().starts_with(['"', '{', '[']);
            *appends || text.is_empty() || serde_json::from_str(text).is_ok_and(is_scalar)
        }
    }
}

#[derive(Serialize, Default)]
#[serde(transparent)]
struct FormObject<'f>(BTreeMap<&'f str, FormMember<'f>>);

enum FormMember<'f> {
    Text(&'f str),
    List(List<'f>),
    Object(FormObject<'f>),
    Raw(&'f RawValue),
    Flag(bool),
    /// A file or a list that the field does not accept.
    Misplaced,
}

impl Serialize for FormMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(list) => list.serialize(serializer),
            Self::Object(object) => object.serialize(serializer),
            Self::Raw(raw) => raw.serialize(serializer),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            // No field accepts a list of lists, so the reader of the field reports what it accepts.
            Self::Misplaced => [[(); 0]].serialize(serializer),
        }
    }
}

impl<'f> FormObject<'f> {
    /// The member of a name, made if there is none yet.
    fn slot(&mut self, name: &'f str, make: impl FnOnce() -> FormMember<'f>) -> Option<&mut FormMember<'f>> {
        if !self.0.contains_key(name) {
            self.0.insert(name, make());
        }
        self.0.get_mut(name)
    }

    /// Puts a field into its position, from the segment `level` of its name on.
    fn put(&mut self, item: &PlacedField<'f, '_>, level: usize) -> Result<(), Violation> {
        let PlacedField { path, value, .. } = item;
        let Some(name) = path.segments.get(level).copied() else { return Ok(()) };
        let here = path.down_to(level);
        let below = level.saturating_add(1);
        if level == 0 && item.is_doubtful() {
            return Err(Violation::new(here, Rule::NotVerbatim));
        }
        let kind = item.kind(&here, level);
        if let Some(NameKind::List | NameKind::SeparatedList) = kind {
            let slot = self.slot(name, || FormMember::List(List::default()));
            let Some(FormMember::List(list)) = slot else { return Err(Violation::new(here, Rule::Repeated)) };
            let separator = if kind == Some(NameKind::SeparatedList) && !path.appends { ',' } else { '\0' };
            let place = ListPlace {
                segments: path.segments.get(below..).unwrap_or_default(),
                appends: path.appends,
                separator,
            };
            return list.put(&here, &place, *value);
        }
        if path.segments.len() > below {
            let slot = self.slot(name, || FormMember::Object(Self::default()));
            let Some(FormMember::Object(inner)) = slot else {
                return Err(Violation::new(here, Rule::Repeated));
            };
            return inner.put(item, below);
        }
        if matches!(self.0.get(name), Some(FormMember::Object(_) | FormMember::List(_))) {
            return Err(Violation::new(here, Rule::Repeated));
        }
        let member = match value.filter(|_| !path.appends) {
            None => FormMember::Misplaced,
            Some(text) if kind == Some(NameKind::Text) => FormMember::Text(text),
            Some(text) if kind == Some(NameKind::Flag) => {
                flag_of(text).map_or(FormMember::Text(text), FormMember::Flag)
            }
            Some(text) => {
                let object = Some(text).filter(|_| kind.is_some());
                object.and_then(|text| json_of(text, '{')).map_or(FormMember::Text(text), FormMember::Raw)
            }
        };
        self.0.insert(name, member);
        Ok(())
    }
}

/// A list as far as it was given, in one of three forms.
enum List<'f> {
    /// Item by item. A file is not an item that a list accepts.
    Items(Vec<Option<String>>),
    /// Each item with its position.
    Placed(BTreeMap<u16, Option<String>>),
    /// As the text of a JSON list.
    Whole(&'f RawValue),
}

/// Where in a list a value goes.
struct ListPlace<'p> {
    /// Its position, if it is named.
    segments: &'p [&'p str],
    /// Whether it is the end.
    appends: bool,
    /// What separates the items in one value.
    separator: char,
}

impl Default for List<'_> {
    fn default() -> Self {
        Self::Items(Vec::new())
    }
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Items(items) => items.serialize(serializer),
            Self::Placed(items) => serializer.collect_seq(items.values()),
            Self::Whole(list) => list.serialize(serializer),
        }
    }
}

impl<'f> List<'f> {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Items(items) if items.is_empty())
    }

    fn put(&mut self, here: &str, place: &ListPlace<'_>, value: Option<&'f str>) -> Result<(), Violation> {
        let clash = || Err(Violation::new(here.to_string(), Rule::Repeated));
        match (place.segments, place.appends) {
            ([], false) if value.is_some_and(|text| json_of(text, '[').is_some()) => {
                if !self.is_empty() && !matches!(self, Self::Whole(_)) {
                    return clash();
                }
                if let Some(list) = value.and_then(|text| json_of(text, '[')) {
                    *self = Self::Whole(list);
                }
            }
            ([], _) => {
                let Self::Items(items) = self else { return clash() };
                match value {
                    None => items.push(None),
                    Some(text) => {
                        let given =
                            text.split(place.separator).map(str::trim).filter(|item| !item.is_empty());
                        items.extend(given.map(|item| Some(item.to_string())));
                    }
                }
            }
            ([place], false) => {
                if place.is_empty() || !place.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(Violation::new(here.to_string(), Rule::NotList));
                }
                let most = Rule::TooManyItems { max: MAX_FIELDS };
                let number: u16 =
                    place.parse().map_err(|_| Violation::new(here.to_string(), most.clone()))?;
                if usize::from(number) >= MAX_FIELDS {
                    return Err(Violation::new(here.to_string(), most));
                }
                if self.is_empty() {
                    *self = Self::Placed(BTreeMap::new());
                }
                let Self::Placed(items) = self else { return clash() };
                let item = value.map(|text| text.trim().to_string());
                if item.as_ref().is_some_and(String::is_empty) {
                    return Ok(());
                }
                if items.insert(number, item).is_some() {
                    return Err(Violation::new(format!("{here}.{number}"), Rule::Repeated));
                }
            }
            _ => return Err(Violation::new(here.to_string(), Rule::NotList)),
        }
        Ok(())
    }
}

/// A flag as forms and the languages that fill them in write it.
pub(crate) fn flag_of(text: &str) -> Option<bool> {
    let is_any = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    let is_set = is_any(&["true", "on", "yes", "y", "t", "1"]);
    (is_set || is_any(&["false", "off", "no", "n", "f", "0"])).then_some(is_set)
}

/// A JSON text that begins with the expected character; for an object also the list of nothing, as PHP writes
/// an empty one.
fn json_of(text: &str, first: char) -> Option<&RawValue> {
    let raw = serde_json::from_str::<&RawValue>(text).ok()?;
    let is_wanted = raw.get().starts_with(first) || first == '{' && json::is_empty_list(raw);
    is_wanted.then_some(raw)
}

#[cfg(test)]
mod tests;
