//! The ways to pay of a sample.

use alloc::string::String;
use alloc::vec::Vec;

use super::Sample;
use crate::checkout::page::{Method, SavedCardFault, SavedCardMethod};
use crate::gateway::icon::Icon;
use crate::gateway::mark::Mark;
use crate::gateway::terms::Terms;
use crate::value::money::Money;

/// Cards of any network, and cash.
const CARD: Mark = Mark::Neutral(Icon::Card);
const CASH: Mark = Mark::Neutral(Icon::Cash);

/// What differs between two ways to pay.
struct Way {
    code: &'static str,
    name: String,
    mark: Mark,
    /// The fee in thousandths of a unit.
    fee: i64,
    is_chosen: bool,
}

impl Sample {
    /// The gateways, the first of them chosen.
    pub(super) fn methods(&self) -> Vec<Method> {
        let mut ways = Vec::from([
            self.way("knet", Mark::Knet, ("KNET", "كي نت")),
            self.way("credit-card", CARD, ("Credit card", "بطاقة ائتمان")),
            self.way("cash", CASH, ("Cash on delivery", "الدفع عند الاستلام")),
        ]);
        if let Some(first) = ways.first_mut() {
            first.fee = 250;
            first.is_chosen = true;
        }
        ways.into_iter().map(|way| self.method(way)).collect()
    }

    /// Saved cards: one that can be chosen, and one that is expired.
    pub(super) fn saved_cards(&self) -> Vec<SavedCardMethod> {
        let card = |code, brand: &str, ending: &str, expiry: &str, fault| SavedCardMethod {
            method: self.method(Way {
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

    fn way(&self, code: &'static str, mark: Mark, (english, arabic): (&str, &str)) -> Way {
        Way { code, name: self.word(english, arabic), mark, fee: 0, is_chosen: false }
    }

    fn method(&self, way: Way) -> Method {
        let fee = self.money(way.fee);
        Method {
            code: way.code.into(),
            name: way.name,
            quote: Self::quote(self.money(10_250), fee),
            terms: Terms { source: self.currency, rate: None, fixed: fee, percent: 0.into() },
            fee_label: (fee != Money::zero(self.currency)).then(|| self.word("KNET fee", "رسوم كي نت")),
            mark: way.mark,
            is_cash: way.mark == CASH,
            is_chosen: way.is_chosen,
            is_waiting: false,
            can_save_card: way.mark == CARD,
        }
    }
}
