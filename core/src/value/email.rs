//! E-mail addresses: what the standard permits, what providers of e-mail take, and what every system takes.

use core::net::{Ipv4Addr, Ipv6Addr};

use super::text::{breaks_a_line, is_bidi_control, is_host_name, is_label};

/// The most octets of a local part (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL: usize = 64;
/// The most octets of a domain (4.5.3.1.2).
const MAX_DOMAIN: usize = 255;

/// Whether a text is an address that RFC 5321 permits, internationalised by RFC 6531, or one that [`is_email`] takes: the name
/// may be quoted, and the domain may be the address of a host in brackets. A name that only one
/// network knows is none (2.3.5). The caller limits the total length.
#[must_use]
pub(crate) fn is_permitted_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_permitted = local.len() <= MAX_LOCAL
        && (is_dot_string(local) || is_quoted(local))
        && domain.len() <= MAX_DOMAIN
        && (is_domain(domain) || is_literal(domain));
    is_permitted || is_email(text)
}

/// `Dot-string`: atoms with points between them.
fn is_dot_string(local: &str) -> bool {
    local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom_character))
}

fn is_atom_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(character);
    }
    is_visible(character)
}

/// Whether a character of another script can be seen and leaves the line as it is.
fn is_visible(character: char) -> bool {
    !character.is_whitespace() && !breaks_a_line(character) && !is_bidi_control(character)
}

/// `Quoted-string`: anything that can be seen, and spaces, in quotes; quotes and backslashes after a backslash.
fn is_quoted(local: &str) -> bool {
    let Some(inside) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        let is_allowed = match character {
            '\\' => characters.next().is_some_and(|next| matches!(next, ' '..='~')),
            '"' => false,
            ' '..='~' => true,
            other => !other.is_ascii() && is_visible(other),
        };
        if !is_allowed {
            return false;
        }
    }
    // Nothing is in the quotes of a local part that is only one quote.
    local.len() > 1
}

fn is_domain(domain: &str) -> bool {
    domain.contains('.') && domain.split('.').all(|label| is_label(label, char::is_alphanumeric))
}

/// `address-literal`: the address of a host in brackets.
fn is_literal(domain: &str) -> bool {
    let Some(inside) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    match inside.split_once(':') {
        None => inside.parse::<Ipv4Addr>().is_ok(),
        Some((tag, rest)) if tag.eq_ignore_ascii_case("IPv6") => rest.parse::<Ipv6Addr>().is_ok(),
        Some((tag, rest)) => {
            let is_content = |byte: u8| matches!(byte, b'!'..=b'Z' | b'^'..=b'~');
            is_label(tag, |character| character.is_ascii_alphanumeric())
                && !rest.is_empty()
                && rest.bytes().all(is_content)
        }
    }
}

/// Whether a text has the form of an e-mail address as providers of e-mail take it: 1 to 64 printable characters, one `@`,
/// and a domain of at least two labels of letters, digits and inner hyphens. The caller limits the total length.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_local_character = |character: char| {
        !character.is_whitespace()
            && !breaks_a_line(character)
            && !is_bidi_control(character)
            && !matches!(character, '@' | '"' | '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '\\')
    };
    (1..=64).contains(&local.chars().count())
        && local.chars().all(is_local_character)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.contains('.')
        && domain.split('.').all(|label| is_label(label, char::is_alphanumeric))
}

/// Whether a text is an e-mail address that every system takes: in ASCII, a name without quotes, and a host whose last label
/// is no number. The caller limits the total length.
#[must_use]
pub(crate) fn is_plain_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let last = domain.rsplit('.').next().unwrap_or_default();
    local.len() <= MAX_LOCAL
        && local.is_ascii()
        && is_dot_string(local)
        && is_host_name(domain)
        && last.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn e_mail_addresses_have_one_at_and_a_domain_with_a_dot() {
        for text in [
            "a@b.co",
            "first.last+tag@mail.example.com",
            "o'brien@example.com",
            "محمد@example.com",
            "a@مثال.كوم",
            "x_y-z@1.example",
        ] {
            assert!(is_email(text), "{text}");
        }
        for text in [
            "",
            "@",
            "a@",
            "@b.co",
            "a.b.co",
            "a@b",
            "a@@b.co",
            "a@b@c.co",
            "a b@c.co",
            "a@b .co",
            "a@.co",
            "a@b.",
            "a@b..co",
            "a@-b.co",
            "a@b-.co",
            "a@b_c.co",
            ".a@b.co",
            "a.@b.co",
            "a..b@c.co",
            "a@[127.0.0.1]",
            "<a@b.co>",
            "a@b.co\n",
            "a\0@b.co",
            "a,b@c.co",
            "a\u{202e}@b.co",
            "a:b@c.co",
        ] {
            assert!(!is_email(text), "{text:?}");
        }
    }

    #[test]
    fn the_local_part_of_an_e_mail_address_has_at_most_64_characters() {
        let address = |length: usize| alloc::format!("{}@example.com", "a".repeat(length));
        assert!(is_email(&address(64)));
        assert!(!is_email(&address(65)));
    }

    #[test]
    fn what_the_standard_permits_is_permitted() {
        for text in [
            "a@b.co",
            "first.last+tag@mail.example.com",
            "!#$%&'*+-/=?^_`{|}~@example.com",
            "\"first last\"@example.com",
            "\"a@b\"@example.com",
            "\"\"@example.com",
            r#""a\"b\\c"@example.com"#,
            "\" \"@example.com",
            "\"a,b;c:d<e>(f)[g]\"@example.com",
            "a@[127.0.0.1]",
            "a@[IPv6:2001:db8::1]",
            "a@[ipv6:::1]",
            "a@[x-tag:some.thing]",
            "محمد@example.com",
            "\"محمد علي\"@مثال.كوم",
            "a@xn--mgbh0fb.xn--kgbechtv",
            "1@1.example",
            "a@1.2.3.example",
        ] {
            assert!(is_permitted_email(text), "{text}");
        }
        assert!(is_permitted_email(&format!("{}@example.com", "a".repeat(64))));
        assert!(is_permitted_email(&format!("\"{}\"@example.com", "a b".repeat(20))));
    }

    #[test]
    fn what_it_does_not_permit_is_no_address() {
        for text in [
            "",
            "@",
            "a",
            "a@",
            "a@b",
            "a@localhost",
            "@b.co",
            "a b@c.co",
            ".a@b.co",
            "a.@b.co",
            "a..b@c.co",
            "a@b..co",
            "a@-b.co",
            "a@b-.co",
            "a@b_c.co",
            "\"@b.co",
            "\"a\"b@c.co",
            "\"a\"b\"@c.co",
            "\"a\\\"@c.co",
            "\"a\nb\"@c.co",
            "a,b@c.co",
            "<a@b.co>",
            "a@[127.0.0.256]",
            "a@[127.0.0.1",
            "a@[IPv6:zz]",
            "a@[]",
            "a@[x:]",
            "a\u{202e}@b.co",
            "\"a\u{202e}\"@b.co",
            "a\u{85}@b.co",
            "a@b.co ",
        ] {
            assert!(!is_permitted_email(text), "{text:?}");
        }
        assert!(!is_permitted_email(&format!("{}@example.com", "a".repeat(65))));
        assert!(!is_permitted_email(&format!("a@{}.com", "b".repeat(64))));
    }

    #[test]
    fn a_plain_address_is_what_every_system_takes() {
        for text in
            ["a@b.co", "first.last+tag@mail.example.com", "o'brien@example.com", "a@xn--mgbh0fb.example"]
        {
            assert!(is_plain_email(text), "{text}");
        }
        for text in [
            "محمد@example.com",
            "a@مثال.كوم",
            "\"a b\"@example.com",
            "a@localhost",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a..b@example.com",
        ] {
            assert!(!is_plain_email(text), "{text}");
        }
    }
}
