//! Telephone numbers as merchants and payers write them, and as the world calls them (E.164).
//!
//! The plans are those of Google's libphonenumber, as `scripts/numbering.mjs` writes them: the calling code of each country,
//! the lengths of the numbers that people have there, and the prefix that is dialled before them at home.
//!
//! Decisions: digits of every script count, spaces and format characters do not. A number with a plus, or with `00`, names its
//! country. Any other number is one of the merchant's own country, with or without that country's code, and has a length that
//! numbers have there: nothing else is guessed, because a message would reach someone else.

mod character;
mod plan;

use alloc::string::String;

use self::character::{Character, read};
use self::plan::CountryPlan;

/// The most digits of a number with its country (E.164).
const MAX_DIGITS: usize = 15;
/// What is dialled before the code of another country, where a number has no plus.
const ABROAD: &str = "00";

/// A number with its country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    code: &'static str,
    national: String,
}

impl Phone {
    /// Reads a number; `home` is the country, in two letters, of one that does not name its own.
    ///
    /// ```
    /// use checkout_core::value::phone::Phone;
    ///
    /// let number = |text| Phone::parse(text, "KW").map(|phone| phone.e164());
    /// assert_eq!(number("5000 1234").as_deref(), Some("+96550001234"));
    /// assert_eq!(number("+44 (0)20 7946 0018").as_deref(), Some("+442079460018"));
    /// assert_eq!(number("442079460018"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str, home: &str) -> Option<Self> {
        let (has_plus, digits) = digits(text)?;
        let abroad = if has_plus { Some(digits.as_str()) } else { digits.strip_prefix(ABROAD) };
        match abroad {
            Some(number) => Self::of_any_country(number),
            None => Self::of(&CountryPlan::of_country(home)?, &digits),
        }
    }

    /// Reads a number that names its country.
    #[must_use]
    pub fn parse_international(text: &str) -> Option<Self> {
        // No country has this code, so that nothing is read as a number of home.
        Self::parse(text, "")
    }

    /// A number after its plus. Countries that share a code differ in what they dial at home.
    fn of_any_country(number: &str) -> Option<Self> {
        CountryPlan::all().filter(|plan| number.starts_with(plan.code)).find_map(|plan| {
            let national = plan.national(number.strip_prefix(plan.code)?)?;
            Self::complete(plan.code, national)
        })
    }

    /// A number as it is written at home: with the country's code, or without.
    fn of(plan: &CountryPlan, digits: &str) -> Option<Self> {
        let own = plan.national(digits);
        let with_code = digits.strip_prefix(plan.code).and_then(|rest| plan.national(rest));
        // Where a zero is dialled before every number at home, one that begins with the country's code has it.
        let national = if plan.has_trunk() { with_code.or(own) } else { own.or(with_code) };
        Self::complete(plan.code, national?)
    }

    fn complete(code: &'static str, national: &str) -> Option<Self> {
        let is_short = code.len().saturating_add(national.len()) <= MAX_DIGITS;
        is_short.then(|| Self { code, national: national.into() })
    }

    /// The number in E.164: `+96550001234`.
    #[must_use]
    pub fn e164(&self) -> String {
        ["+", self.code, &self.national].concat()
    }

    /// The number in E.123, with a space after the code of the country: `+965 50001234`.
    #[must_use]
    pub fn e123(&self) -> String {
        ["+", self.code, " ", &self.national].concat()
    }
}

/// How many digits the numbers of a country have, from the fewest to the most; `None` for a country without numbers.
#[must_use]
pub(crate) fn lengths(country: &str) -> Option<(usize, usize)> {
    CountryPlan::of_country(country).map(|plan| plan.limits())
}

/// Whether a number begins with a plus, and its digits; `None` for what is no number.
fn digits(text: &str) -> Option<(bool, String)> {
    let mut has_plus = false;
    let mut digits = String::new();
    for character in text.chars() {
        match read(character) {
            Character::Digit(digit) => digits.push(digit),
            Character::Nothing => {}
            Character::Plus if !has_plus && digits.is_empty() => has_plus = true,
            Character::Plus | Character::Other => return None,
        }
    }
    (!digits.is_empty()).then_some((has_plus, digits))
}

#[cfg(test)]
mod tests;
