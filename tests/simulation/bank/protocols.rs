//! Which protocols the methods of a merchant speak in a run.

use std::rc::Rc;
use std::time::Duration;

use checkout_core::testing::clock::ManualClock;
use checkout_tests::gateway::Gateway;
use checkout_tests::gateway::adyen::Adyen;
use checkout_tests::gateway::checkout_com::CheckoutCom;
use checkout_tests::gateway::knet::Knet;
use checkout_tests::gateway::mpgs::Mpgs;
use checkout_tests::gateway::stripe::Stripe;
use checkout_tests::gateway::tabby::Tabby;
use checkout_tests::gateway::tamara::Tamara;
use checkout_tests::gateway::tap::Tap;

use crate::dice::Dice;

/// A gateway, and the code under which the merchant has it.
#[derive(Debug)]
pub(crate) struct Rail {
    pub(super) code: &'static str,
    pub(super) gateway: Rc<dyn Gateway>,
    /// Whether the merchant has what is paid here held first, whatever the demo merchant does.
    pub(super) is_held: bool,
}

/// For how long pay-later gateways hold what is not captured; usually longer than a run.
const HELD_FOR: [Option<Duration>; 4] =
    [None, None, Some(Duration::from_mins(50)), Some(Duration::from_hours(30))];

impl Rail {
    /// The protocols of a run: each method of the merchant has the simulated bank's or another one.
    pub(super) fn draw(dice: &Dice, clock: &ManualClock) -> Vec<Self> {
        let cards = ["credit-card", "mpgs"].into_iter().filter_map(|code| {
            let gateway: Rc<dyn Gateway> = match dice.between(0, 7) {
                0 => return None,
                1..=2 => Rc::new(Stripe::new(clock, code)),
                3..=4 => Rc::new(Mpgs::new(clock, code)),
                5 => Rc::new(CheckoutCom::new(clock, code)),
                6 => Rc::new(Tap::new(clock, code)),
                _ => Rc::new(Adyen::new(clock, code)),
            };
            Some(Self { code, gateway, is_held: false })
        });
        // As KNET they take dinars only, and save no cards.
        let others = ["knet", "queued"].into_iter().filter_map(|code| {
            let gateway: Rc<dyn Gateway> = match dice.between(0, 9) {
                0..=2 if code == "knet" => {
                    let gateway = Rc::new(Knet::new(clock, code));
                    return Some(Self { code, gateway, is_held: false });
                }
                3..=5 => Rc::new(Tabby::new(clock, code)),
                6..=8 => Rc::new(Tamara::new(clock, code)),
                _ => return None,
            };
            if let Some(time) = dice.pick(&HELD_FOR).flatten() {
                gateway.ledger().hold_for(time);
            }
            Some(Self { code, gateway, is_held: dice.chance(500) })
        });
        cards.chain(others).collect()
    }
}
