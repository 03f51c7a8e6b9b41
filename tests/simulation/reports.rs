//! What gateways report by themselves, and what someone says who pretends to be one.

use checkout_core::attempt::stage::Stage;
use checkout_core::flow::report::gateway::{ReportAddress, ask_about, call_back};
use checkout_core::rejection::Rejection;
use sandbox_bank::charge::ChargeStatus;

use crate::charge::{Callback, Subject};
use crate::scene::Scene;

impl Scene {
    /// The bank reports; a report that is acknowledged is stored permanently.
    pub(crate) async fn call_back(&self, callback: &Callback) {
        // Not found: the gateway was removed; at the address of an account that is not said.
        let is_expected: fn(&Rejection) -> bool = match callback.address {
            ReportAddress::Subject(_) => {
                |rejection| matches!(rejection, Rejection::Conflict | Rejection::NotFound)
            }
            ReportAddress::Account(..) if !self.weather.has_operator() => {
                |rejection| matches!(rejection, Rejection::Conflict)
            }
            ReportAddress::Account(..) => {
                |rejection| matches!(rejection, Rejection::Conflict | Rejection::SignatureInvalid)
            }
        };
        let request = self.bank.sealed(callback);
        let result = call_back(&self.world, callback.address.clone(), &request).await;
        let Some(called) = self.ended("call back", result, is_expected) else { return };
        self.bank.acknowledged(callback);
        self.check_acknowledged(callback);
        for id in called.deliveries {
            self.deliver(&id).await;
        }
        for reference in called.questions {
            let asked = ask_about(&self.world, &reference).await;
            for id in self.ended("ask about", asked, |_| false).into_iter().flatten() {
                self.deliver(&id).await;
            }
        }
    }

    fn check_acknowledged(&self, callback: &Callback) {
        let reference = &callback.reference;
        let (status, is_wrong) = match callback.subject {
            Subject::Charge { status, is_wrong } => (status, is_wrong),
            Subject::Hint => return,
            Subject::Operation => {
                let is_open = self.child(reference).is_none_or(|child| child.stage.is_open());
                self.weather.holds(!is_open, || format!("{reference} was acknowledged, and is still open"));
                return;
            }
        };
        let Some(attempt) = self.attempt(reference) else {
            self.weather.wrong(format!("{reference} was acknowledged, and no attempt is stored"));
            return;
        };
        let is_stored = match status {
            // One reason is enough: an attempt that is held already is not held again.
            ChargeStatus::Approved if is_wrong => self.is_held(reference),
            ChargeStatus::Approved => attempt.stage == Stage::Success,
            ChargeStatus::Declined | ChargeStatus::Canceled => !attempt.stage.is_open(),
            ChargeStatus::Open | ChargeStatus::Challenged | ChargeStatus::Processing => true,
        };
        self.weather.holds(is_stored, || {
            format!("{reference}: {status:?} was acknowledged, and the attempt is {}", attempt.stage)
        });
    }

    /// Someone pretends to be the bank.
    pub(crate) async fn forge(&self, callback: &Callback) {
        let result = call_back(&self.world, callback.address.clone(), &callback.request).await;
        let is_expected =
            |rejection: &Rejection| matches!(rejection, Rejection::SignatureInvalid | Rejection::NotFound);
        if self.ended("forged callback", result, is_expected).is_some() {
            self.weather.wrong(format!("a forged callback about {} was taken", callback.reference));
        }
    }
}
