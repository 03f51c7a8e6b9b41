//! The payment methods of a sample.

use alloc::string::String;
use alloc::vec::Vec;

use super::Sample;
use crate::checkout::page::{PageMethod, SavedCardFault, SavedCardMethod};
use crate::gateway::icon::Icon;
use crate::gateway::mark::Mark;
use crate::gateway::terms::Terms;
use crate::value::money::Money;
use crate::value::money::totals::Totals;
use crate::words::card_brand::CardBrand;

/// Cards of any network, and cash.
const CARD: Mark = Mark::Neutral(Icon::Card);
const CASH: Mark = Mark::Neutral(Icon::Cash);

/// What differs between two payment methods.
struct Sketch {
    code: &'static str,
    name: String,
    mark: Mark,
    /// The fee in thousandths of a unit.
    fee: i64,
    is_chosen: bool,
}

impl Sample {
    /// The gateways, the first of them chosen.
    pub(super) fn methods(&self) -> Vec<PageMethod> {
        let mut sketches = Vec::from([
            self.sketch("knet", Mark::Knet, "KNET", "كي نت"),
            self.sketch("credit-card", CARD, "Credit card", "بطاقة ائتمان"),
            self.sketch("cash", CASH, "Cash on delivery", "الدفع عند الاستلام"),
        ]);
        if let Some(first) = sketches.first_mut() {
            first.fee = 250;
            first.is_chosen = true;
        }
        sketches.into_iter().map(|sketch| self.method(sketch)).collect()
    }

    /// Saved cards: one that can be chosen, and one that is expired.
    pub(super) fn saved_cards(&self) -> Vec<SavedCardMethod> {
        let card = |code, brand: &str, ending: &str, expiry: &str, fault| SavedCardMethod {
            method: self.method(Sketch {
                code,
                name: brand.into(),
                mark: Mark::of_brand(brand),
                fee: 0,
                is_chosen: false,
            }),
            ending: Some(ending.into()),
            expiry: expiry.into(),
            is_last_month: false,
            fault,
            gateway: "credit-card".into(),
        };
        Vec::from([
            card("sample-card-1", "Visa", "1111", "01/39", None),
            card("sample-card-2", "Mastercard", "4444", "01/24", Some(SavedCardFault::Expired)),
        ])
    }

    fn sketch(&self, code: &'static str, mark: Mark, english: &str, arabic: &str) -> Sketch {
        Sketch { code, name: self.word(english, arabic), mark, fee: 0, is_chosen: false }
    }

    fn method(&self, sketch: Sketch) -> PageMethod {
        let fee = self.money(sketch.fee);
        PageMethod {
            code: sketch.code.into(),
            name: sketch.name,
            quote: Self::quote(self.money(10_250), fee),
            terms: Terms {
                source: self.currency,
                rate: None,
                fixed: fee,
                percent: 0.into(),
                totals: Totals::ALL,
            },
            fee_label: (fee != Money::zero(self.currency)).then(|| self.word("KNET fee", "رسوم كي نت")),
            mark: sketch.mark,
            card_brands: Vec::from(if sketch.code == "credit-card" {
                [CardBrand::Visa, CardBrand::Mastercard].as_slice()
            } else {
                &[]
            }),
            is_cash: sketch.mark == CASH,
            is_chosen: sketch.is_chosen,
            is_waiting: false,
            can_save_card: sketch.mark == CARD,
            asks_first: false,
            lacks: Vec::new(),
        }
    }
}
