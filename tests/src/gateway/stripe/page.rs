//! What the payer does on Stripe's page: a try that is declined does not end it.

use sandbox_bank::charge::ChargeStatus;

use super::Stripe;

impl Stripe {
    pub(super) fn pay_on_page(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let Some(charge) = self.ledger.find(reference) else { return };
        match end {
            ChargeStatus::Declined if charge.is_page && charge.status == ChargeStatus::Open => {
                let _ = self.ledger.change(reference, |charge| charge.tries = charge.tries.saturating_add(1));
            }
            // The payer goes; the page stays.
            ChargeStatus::Canceled if charge.is_page => {}
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Approved
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => {
                let charge = self.ledger.end(reference, end, taken);
                let saved =
                    charge.filter(|charge| charge.status == ChargeStatus::Approved && charge.saves_card);
                if let Some(charge) = saved {
                    let card = format!("pm_{:06}", charge.number);
                    let customer = format!("cus_{:06}", charge.number);
                    self.ledger.cards.borrow_mut().insert(card, customer);
                }
            }
        }
    }
}
