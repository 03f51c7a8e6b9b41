//! What the page shows of the chosen payment method next to the list: the total, the lines of the summary,
//! the text of the button.
//!
//! The server renders the face of every method, and the style sheet shows that of the chosen radio button, so
//! that no price on the page is ever that of another method, with and without a script. Methods with the same
//! costs and texts share a face. If the payer may choose the amount, faces depend on what they type and are
//! shown only while the script keeps them right (`depends`).

use super::layout::exchange_rate;
use checkout_core::checkout::page::{Method, TransactionPage};
use checkout_core::strings::Strings;
use maud::{Markup, html};

/// As many faces as the style sheet has rules for. If there are more, the page shows what does not depend on
/// the method (`steady`).
const MOST: usize = 24;

/// The faces of a page.
pub(super) struct Faces<'p> {
    page: &'p TransactionPage,
    faces: Vec<&'p Method>,
}

impl<'p> Faces<'p> {
    /// The faces of the methods that can be chosen.
    pub(super) fn of(page: &'p TransactionPage) -> Self {
        let mut faces: Vec<&Method> = Vec::new();
        for method in ways(page) {
            if !faces.iter().any(|face| is_same(page, face, method)) {
                faces.push(method);
            }
        }
        Self { page, faces }
    }

    /// The place of a method's face; none for those after the last for which the style sheet has a rule.
    pub(super) fn place(&self, method: &Method) -> Option<usize> {
        self.faces.iter().take(MOST).position(|face| is_same(self.page, face, method))
    }

    /// Whether there is more than one to choose from.
    pub(super) fn are_many(&self) -> bool {
        self.faces.len() > 1
    }

    /// The only method, if there is nothing to choose from.
    pub(super) fn sole(&self) -> Option<&'p Method> {
        let mut ways = ways(self.page);
        let is_listed = self.page.saved.iter().any(|card| card.fault.is_some());
        ways.next().filter(|_| ways.next().is_none() && !is_listed)
    }

    /// A card whose costs are those of every saved card that can be chosen, if there are several.
    pub(super) fn of_all_saved(&self) -> Option<&'p Method> {
        let mut usable = self.page.saved.iter().filter(|card| card.fault.is_none()).map(|card| &card.method);
        let first = usable.next()?;
        let (mut count, mut are_same) = (1_usize, true);
        for other in usable {
            count = count.saturating_add(1);
            are_same = are_same && is_same(self.page, first, other);
        }
        (count > 1 && are_same).then_some(first)
    }

    /// Whether they change with what the payer types.
    pub(super) fn depend(&self) -> bool {
        self.page.amount_field.is_some()
    }

    /// Whether something has to be shown in their place while none of them can be shown.
    pub(super) fn may_be_away(&self) -> bool {
        self.are_many() || self.depend()
    }

    /// Every face that has a place, with it.
    pub(super) fn each(&self, draw: impl Fn(usize, &Method) -> Markup) -> Markup {
        html! {
            @for (place, face) in self.faces.iter().take(MOST).enumerate() { (draw(place, face)) }
        }
    }
}

/// Every payment method that can be chosen.
fn ways(page: &TransactionPage) -> impl Iterator<Item = &Method> {
    let saved = page.saved.iter().filter(|card| card.fault.is_none()).map(|card| &card.method);
    saved.chain(&page.methods)
}

fn is_same(page: &TransactionPage, one: &Method, other: &Method) -> bool {
    let words = |method: &Method| (method.quote, method.is_cash, method.is_waiting, method.fee_label.clone());
    words(one) == words(other) && (page.amount_field.is_none() || one.terms == other.terms)
}

/// By which rate a method exchanges the amount, and what the amount comes to, without the fee.
pub(super) fn exchange(page: &TransactionPage, method: &Method) -> Option<(String, String)> {
    let rate = exchange_rate(page.amount.currency(), method.quote)?;
    Some((rate, Strings::of(page.language).price(method.quote.amount)))
}
