//! The attachment as the page offers it.

use alloc::format;
use alloc::string::String;

use crate::checkout::page::scene::clean;
use crate::strings::screen::PageStatus;
use crate::transaction::Transaction;

/// The bytes of a kilobyte.
const KB: u32 = 1_024;
/// The bytes of a tenth of a megabyte, about.
const TENTH_OF_MB: u32 = 104_858;

/// A file that the payer can download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDownload {
    /// Where it is.
    pub url: String,
    /// Its name.
    pub name: String,
    /// Its size, such as `24 KB`.
    pub size: String,
}

impl PageDownload {
    /// The attachment of a transaction, while the payer decides and once they have paid.
    pub(super) fn of(transaction: &Transaction, status: PageStatus, public_url: &str) -> Option<Self> {
        let file = transaction.details.attachment.as_deref().filter(|_| is_offered(status))?;
        Some(Self {
            url: file.name.address(public_url),
            name: clean(&file.original_name),
            size: print_size(file.size),
        })
    }
}

const fn is_offered(status: PageStatus) -> bool {
    match status {
        PageStatus::Payable
        | PageStatus::Declined
        | PageStatus::Pending
        | PageStatus::Late
        | PageStatus::Held
        | PageStatus::Paid
        | PageStatus::Authorized
        | PageStatus::CashOnDelivery
        | PageStatus::Paused => true,
        PageStatus::Failed | PageStatus::Expired | PageStatus::Canceled | PageStatus::Invalid => false,
    }
}

/// Whole kilobytes, from a megabyte on tenths of one; both rounded up.
fn print_size(bytes: u32) -> String {
    if bytes < KB.saturating_mul(KB) {
        return format!("{} KB", bytes.div_ceil(KB));
    }
    let tenths = bytes.div_ceil(TENTH_OF_MB);
    format!("{}.{} MB", tenths.div_euclid(10), tenths.rem_euclid(10))
}

#[cfg(test)]
mod tests {
    use super::print_size;

    #[test]
    fn sizes_are_rounded_up() {
        for (bytes, size) in [
            (1, "1 KB"),
            (1_024, "1 KB"),
            (1_025, "2 KB"),
            (1_048_575, "1024 KB"),
            (1_048_577, "1.0 MB"),
            (2_621_440, "2.5 MB"),
        ] {
            assert_eq!(print_size(bytes), size);
        }
    }
}
