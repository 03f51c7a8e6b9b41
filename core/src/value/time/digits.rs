//! Reads decimal digits.

/// Takes exactly that many ASCII digits from the front.
pub(super) fn take_digits(text: &str, count: usize) -> Option<(u64, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, rest))
}
