//! Payments as a table for spreadsheets (CSV, RFC 4180): a row for each payment, and one for each of its captures, refunds and
//! voids.
//!
//! A cell that a spreadsheet would read as a formula begins with an apostrophe instead. What is written here itself, as an
//! amount, stays as it is.

use alloc::format;
use alloc::string::{String, ToString};

use crate::card::last_four;
use crate::child::Child;
use crate::operation::standing::Standing;
use crate::state::State;
use crate::transaction::Transaction;
use crate::transaction::listing::Listed;
use crate::value::time::Local;
use crate::words::ChildOperation;

/// With what the file begins, so that spreadsheets read it as UTF-8.
const MARK: &str = "\u{feff}";
/// The names of the columns; the time zone follows those that end with a space.
const COLUMNS: [&str; 22] = [
    "kind",
    "session_id",
    "reference_number",
    "order_no",
    "created_utc",
    "created_local ",
    "paid_utc",
    "paid_local ",
    "state",
    "type",
    "pg_code",
    "currency",
    "amount",
    "card",
    "customer_id",
    "customer_name",
    "customer_email",
    "customer_phone",
    "tracking_key",
    "reason",
    "note",
    "made_by",
];

/// Rows as they are written.
#[derive(Debug, Default)]
pub(crate) struct ExportTable {
    pub(crate) text: String,
}

/// A payment with what is known of it.
pub(crate) struct ExportedPayment<'a> {
    pub(crate) listed: &'a Listed,
    pub(crate) state: State,
    pub(crate) standing: Option<&'a Standing>,
    /// When it was made, and paid, as the clocks of the local times show it.
    pub(crate) created: Local,
    pub(crate) paid: Option<Local>,
}

impl ExportTable {
    /// The names of the columns, with the time zone of the local times.
    pub(crate) fn head(zone: &str) -> Self {
        let mut table = Self { text: MARK.into() };
        let name = |column: &str| match column.strip_suffix(' ') {
            Some(local) => format!("{local} ({zone})"),
            None => column.to_string(),
        };
        table.row(&COLUMNS.map(name).map(Cell::Ours));
        table
    }

    /// That the rows that should follow are missing.
    pub(crate) fn incomplete(&mut self) {
        let mut cells = COLUMNS.map(|_| Cell::default());
        if let Some(kind) = cells.first_mut() {
            *kind = Cell::Ours("incomplete".into());
        }
        self.row(&cells);
    }

    /// A payment.
    pub(crate) fn payment(&mut self, payment: &ExportedPayment<'_>) {
        let ExportedPayment { listed, state, standing, created, paid } = payment;
        let Listed { transaction, made_by, .. } = listed;
        let attempt = standing.map(|standing| &standing.attempt);
        let card = attempt.and_then(|attempt| attempt.params.get("card_number"));
        let [created_utc, created_local] = times(*created);
        let [paid_utc, paid_local] = paid.map(times).unwrap_or_default();
        let [order_no, customer_id, name, email, phone] = payer(transaction);
        self.row(&[
            Cell::Ours("payment".into()),
            Cell::Ours(transaction.session_id.to_string()),
            Cell::text(attempt.map(|attempt| attempt.reference.as_str())),
            order_no,
            created_utc,
            created_local,
            paid_utc,
            paid_local,
            Cell::Ours(state.to_string()),
            Cell::Ours(transaction.plugin.as_str().into()),
            Cell::text(attempt.map(|attempt| attempt.pg_code.as_str())),
            Cell::Ours(transaction.amount.currency().to_string()),
            Cell::Ours(transaction.amount.text()),
            Cell::Ours(card.and_then(|number| last_four(number)).unwrap_or_default()),
            customer_id,
            name,
            email,
            phone,
            Cell::default(),
            Cell::default(),
            Cell::default(),
            Cell::Ours(made_by.as_ref().map(ToString::to_string).unwrap_or_default()),
        ]);
    }

    /// A capture, refund or void of a payment.
    pub(crate) fn operation(&mut self, transaction: &Transaction, child: &Child, opened: Local) {
        let [created_utc, created_local] = times(opened);
        let [order_no, customer_id, name, email, phone] = payer(transaction);
        let sign = if child.operation == ChildOperation::Refund { "-" } else { "" };
        let state = child.state().map(|state| state.as_str().into()).unwrap_or_default();
        self.row(&[
            Cell::Ours(child.operation.to_string()),
            Cell::Ours(transaction.session_id.to_string()),
            Cell::text(Some(child.reference.as_str())),
            order_no,
            created_utc,
            created_local,
            Cell::default(),
            Cell::default(),
            Cell::Ours(state),
            Cell::Ours(transaction.plugin.as_str().into()),
            Cell::text(Some(child.pg_code.as_str())),
            Cell::Ours(child.amount.currency().to_string()),
            Cell::Ours([sign, &child.amount.text()].concat()),
            Cell::default(),
            customer_id,
            name,
            email,
            phone,
            Cell::text(child.tracking_key.as_deref()),
            Cell::Ours(child.reason.map(|reason| reason.as_str().into()).unwrap_or_default()),
            Cell::text(child.note.as_deref()),
            Cell::text(child.initiator.as_deref().map(|initiator| initiator.username.as_str())),
        ]);
    }

    fn row(&mut self, cells: &[Cell; COLUMNS.len()]) {
        for (place, cell) in cells.iter().enumerate() {
            if place > 0 {
                self.text.push(',');
            }
            cell.write(&mut self.text);
        }
        self.text.push_str("\r\n");
    }
}

/// One cell.
#[derive(Debug)]
enum Cell {
    /// Written here: no formula.
    Ours(String),
    /// A text of someone else.
    Theirs(String),
}

impl Default for Cell {
    fn default() -> Self {
        Self::Ours(String::new())
    }
}

impl Cell {
    fn text(text: Option<&str>) -> Self {
        Self::Theirs(text.unwrap_or_default().into())
    }

    fn write(&self, out: &mut String) {
        let (text, is_ours) = match self {
            Self::Ours(text) => (text, true),
            Self::Theirs(text) => (text, false),
        };
        let mark = if !is_ours && is_formula(text) { "'" } else { "" };
        if text.contains(['"', ',', '\r', '\n']) || text.trim() != text {
            out.extend(["\"", mark, &text.replace('"', "\"\""), "\""]);
        } else {
            out.extend([mark, text]);
        }
    }
}

/// Whether a spreadsheet would read a text as a formula.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// A moment in UTC, and as clocks of a place show it.
fn times(local: Local) -> [Cell; 2] {
    let shown = local.text().replace('T', " ");
    [Cell::Ours(local.at.text()), Cell::Ours(shown.trim_end_matches('Z').into())]
}

/// The order number, and who pays: id, name, e-mail address and telephone number.
fn payer(transaction: &Transaction) -> [Cell; 5] {
    let details = &transaction.details;
    let names = [details.customer_first_name.as_deref(), details.customer_last_name.as_deref()];
    let name = names.into_iter().flatten().collect::<alloc::vec::Vec<_>>().join(" ");
    let order_no = Cell::text(details.order_no.as_deref());
    let customer_id = Cell::text(details.customer_id.as_deref());
    let email = Cell::text(details.customer_email.as_deref());
    [order_no, customer_id, Cell::Theirs(name), email, Cell::text(details.customer_phone.as_deref())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_separators_quoted() {
        let written = |cell: &Cell| {
            let mut out = String::new();
            cell.write(&mut out);
            out
        };
        for (text, expected) in [
            ("plain", "plain"),
            ("=1+1", "'=1+1"),
            ("+96550001234", "'+96550001234"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            (
                "=HYPERLINK(\"https://evil.example\",\"a\")",
                "\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"a\"\")\"",
            ),
            ("a,b", "\"a,b\""),
            (" a", "\" a\""),
            ("نور", "نور"),
        ] {
            assert_eq!(written(&Cell::Theirs(text.into())), expected, "{text:?}");
        }
        assert_eq!(written(&Cell::Ours("-1.000".into())), "-1.000");
    }

    #[test]
    fn a_table_that_ends_early_says_so_in_a_row_of_its_own() {
        let mut table = ExportTable::default();
        table.incomplete();
        assert_eq!(table.text, ["incomplete", &",".repeat(COLUMNS.len() - 1), "\r\n"].concat());
    }

    #[test]
    fn the_head_has_the_zone_in_the_names_of_local_times() {
        let head = ExportTable::head("Asia/Kuwait").text;
        assert!(head.starts_with("\u{feff}kind,session_id,"));
        assert!(head.contains(",created_utc,created_local (Asia/Kuwait),") && head.ends_with(",made_by\r\n"));
    }
}
