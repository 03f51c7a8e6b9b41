//! What the page shows of the chosen payment method next to the list: the total, the lines of the summary,
//! the text of the button.
//!
//! The server renders what every method shows, and the style sheet shows that of the chosen radio button, so
//! that no price on the page is ever that of another method, with and without a script. Methods with the same
//! name and costs have one place; what depends only on the costs is rendered once for all places with the same
//! costs, and names them all. If the payer may choose the amount, it depends on what they type and is shown
//! only while the script keeps it right (`depends`).

use super::layout::exchange_rate;
use checkout_core::checkout::page::{PageMethod, SavedCardMethod, TransactionPage};
use checkout_core::strings::Strings;
use maud::{Markup, html};

/// As many places as a page has rules for. If there are more methods, the button names none of them, so that
/// those with the same costs have one place; if there still are more, the page shows what does not depend on the
/// method (`steady`).
const MOST: usize = 24;

/// A method that can be chosen.
#[derive(Clone, Copy)]
pub(super) struct Face<'p> {
    /// The method.
    pub(super) method: &'p PageMethod,
    /// The saved card that it is, if it is one.
    pub(super) card: Option<&'p SavedCardMethod>,
}

/// The rules by which the face of the chosen method is shown; none if there is nothing to choose.
pub(super) fn rules(page: &TransactionPage) -> String {
    let faces = Faces::of(page);
    if !faces.are_many() {
        return String::new();
    }
    let count = faces.places.len().min(MOST);
    let shown = |place| format!(".pay:has([data-face=\"{place}\"]:checked) .face[data-face~=\"{place}\"]");
    let selectors: Vec<String> = (0..count).map(shown).collect();
    format!("{}{{display:var(--as,inline)}}", selectors.join(","))
}

/// The faces of a page.
pub(super) struct Faces<'p> {
    page: &'p TransactionPage,
    /// A method for each place.
    places: Vec<Face<'p>>,
    /// A method for each cost, with the places of those that cost the same.
    costs: Vec<(&'p PageMethod, String)>,
    /// Whether a place is that of one name.
    pub(super) are_named: bool,
}

impl<'p> Faces<'p> {
    /// The faces of the methods that can be chosen.
    pub(super) fn of(page: &'p TransactionPage) -> Self {
        let named = distinct(page, |one, other| is_same(page, one, other));
        let are_named = named.len() <= MOST;
        let places = if are_named {
            named
        } else {
            distinct(page, |one, other| costs_same(page, one.method, other.method))
        };
        let mut costs: Vec<(&PageMethod, String)> = Vec::new();
        for (place, face) in places.iter().take(MOST).enumerate() {
            match costs.iter_mut().find(|(known, _)| costs_same(page, known, face.method)) {
                Some((_, places)) => {
                    places.push(' ');
                    places.push_str(&place.to_string());
                }
                None => costs.push((face.method, place.to_string())),
            }
        }
        Self { page, places, costs, are_named }
    }

    /// The place of a method; none for those after the last that has a rule.
    pub(super) fn place(&self, method: &PageMethod) -> Option<usize> {
        let asked = ways(self.page).find(|way| way.method.code == method.code)?;
        self.places.iter().take(MOST).position(|face| {
            if self.are_named {
                is_same(self.page, face, &asked)
            } else {
                costs_same(self.page, face.method, method)
            }
        })
    }

    /// Whether there is more than one place.
    pub(super) fn are_many(&self) -> bool {
        self.places.len() > 1
    }

    /// Whether not all methods cost the same.
    pub(super) fn costs_differ(&self) -> bool {
        self.costs.len() > 1
    }

    /// The only method, if there is nothing to choose from.
    pub(super) fn sole(&self) -> Option<&'p PageMethod> {
        let mut ways = ways(self.page);
        let is_listed = self.page.saved.iter().any(|card| card.fault.is_some());
        ways.next().filter(|_| ways.next().is_none() && !is_listed).map(|way| way.method)
    }

    /// A card whose costs are those of every saved card that can be chosen, if there are several.
    pub(super) fn of_all_saved(&self) -> Option<&'p PageMethod> {
        let mut usable = self.page.saved.iter().filter(|card| card.fault.is_none()).map(|card| &card.method);
        let first = usable.next()?;
        let (mut count, mut are_same) = (1_usize, true);
        for other in usable {
            count = count.saturating_add(1);
            are_same = are_same && costs_same(self.page, first, other);
        }
        (count > 1 && are_same).then_some(first)
    }

    /// Whether they change with what the payer types.
    pub(super) fn depend(&self) -> bool {
        self.page.amount_field.is_some()
    }

    /// Every place with its method.
    pub(super) fn each(&self, draw: impl Fn(usize, &Face<'_>) -> Markup) -> Markup {
        html! {
            @for (place, face) in self.places.iter().take(MOST).enumerate() { (draw(place, face)) }
        }
    }

    /// Every cost with its places.
    pub(super) fn each_cost(&self, draw: impl Fn(&str, &PageMethod) -> Markup) -> Markup {
        html! {
            @for (method, places) in &self.costs { (draw(places, method)) }
        }
    }
}

/// Every payment method that can be chosen.
fn ways(page: &TransactionPage) -> impl Iterator<Item = Face<'_>> {
    let saved = page.saved.iter().filter(|card| card.fault.is_none());
    let saved = saved.map(|card| Face { method: &card.method, card: Some(card) });
    saved.chain(page.methods.iter().map(|method| Face { method, card: None }))
}

/// The first of those that are the same.
fn distinct(page: &TransactionPage, is_same: impl Fn(&Face<'_>, &Face<'_>) -> bool) -> Vec<Face<'_>> {
    let mut faces: Vec<Face<'_>> = Vec::new();
    for way in ways(page) {
        if !faces.iter().any(|face| is_same(face, &way)) {
            faces.push(way);
        }
    }
    faces
}

fn is_same(page: &TransactionPage, one: &Face<'_>, other: &Face<'_>) -> bool {
    let name = |face: &Face<'_>| (face.method.name.clone(), face.card.map(|card| card.ending.clone()));
    costs_same(page, one.method, other.method) && name(one) == name(other)
}

fn costs_same(page: &TransactionPage, one: &PageMethod, other: &PageMethod) -> bool {
    let costs = |method: &PageMethod| (method.quote, method.is_cash, method.fee_label.clone());
    costs(one) == costs(other) && (page.amount_field.is_none() || one.terms == other.terms)
}

/// By which rate a method exchanges the amount, and what the amount comes to, without the fee.
pub(super) fn exchange(page: &TransactionPage, method: &PageMethod) -> Option<(String, String)> {
    let rate = exchange_rate(page.amount.currency(), method.quote)?;
    Some((rate, Strings::of(page.language).price(method.quote.amount)))
}
