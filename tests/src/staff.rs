//! A shop whose refunds have to be approved, and its staff.

use std::rc::Rc;

use checkout_core::access::permission::Permission;
use checkout_core::access::user::{Preferences, User};
use checkout_core::access::{Caller, Rights};
use checkout_core::approval::Approval;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::operate::{OperationAnswer, OperationInput, operate};
use checkout_core::operation::command::Command;
use checkout_core::port::{ApprovalSearch, Approvals, World};
use checkout_core::value::id::{ReferenceNumber, SessionId, UserId};
use checkout_core::words::ChildOperation;
use pollster::block_on;
use serde_json::{Value, json};

use crate::shop::{Shop, order, text};

impl Shop {
    /// A shop with a policy, and a payment of 10.000 KWD.
    #[must_use]
    pub fn with_policy(seed: u64, policy: &Value) -> (Self, SessionId) {
        let shop = Self::open_with(seed, |settings| {
            if let Some(members) = settings.as_object_mut() {
                members.insert("approvals".into(), policy.clone());
            }
        });
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
        (shop, session_id)
    }

    /// A user who can refund, void and approve.
    #[must_use]
    pub fn clerk(&self, number: u32) -> Caller {
        let operations = [ChildOperation::Refund, ChildOperation::Void].map(Command::Move);
        let permissions = operations.map(Permission::Operate).into_iter().chain([Permission::Approve]);
        let user = User {
            id: UserId(number),
            username: format!("clerk{number}"),
            first_name: None,
            last_name: None,
            email: Some(format!("clerk{number}@shop.example")),
            phone: None,
            is_superuser: false,
            permissions: permissions.collect::<Vec<_>>().into(),
            preferences: Preferences::default(),
        };
        Caller {
            rights: Rights::User(Rc::new(user)),
            prefix: None,
            is_basic: false,
            situation: self.situation(),
        }
    }

    /// Someone refunds a part.
    ///
    /// # Errors
    /// As the flow.
    pub fn refund(
        &self,
        world: &impl World,
        caller: Caller,
        (session_id, amount): (&SessionId, &str),
        key: Option<&str>,
    ) -> Result<OperationAnswer, Failure> {
        let body = body_of(session_id, amount);
        let input =
            OperationInput { caller, tracking_key: None, idempotency_key: key, body: body.as_bytes() };
        block_on(operate(world, input))
    }

    /// As [`refund`](Self::refund), where it may never end.
    ///
    /// # Errors
    /// As the flow.
    pub async fn refund_in(
        &self,
        world: &impl World,
        caller: Caller,
        (session_id, amount): (&SessionId, &str),
    ) -> Result<(), Failure> {
        let body = body_of(session_id, amount);
        let input =
            OperationInput { caller, tracking_key: None, idempotency_key: None, body: body.as_bytes() };
        operate(world, input).await.map(drop)
    }

    /// A clerk asks for a refund that has to be approved.
    #[must_use]
    pub fn ask(&self, session_id: &SessionId, amount: &str) -> ReferenceNumber {
        let answer = self.refund(&self.world, self.clerk(1), (session_id, amount), None).unwrap();
        assert_eq!(answer.status, 202, "{}", answer.body);
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        text(&body, "id").and_then(ReferenceNumber::parse).unwrap()
    }

    /// A request as it is stored.
    #[must_use]
    pub fn approval(&self, id: &ReferenceNumber) -> Approval {
        block_on(self.world.store.approval(id)).unwrap().unwrap()
    }

    /// Every request about a payment.
    #[must_use]
    pub fn approvals(&self, session_id: &SessionId) -> Vec<Approval> {
        let search = ApprovalSearch {
            merchant: self.merchant.clone(),
            session_id: Some(session_id.clone()),
            state: None,
            after: None,
            limit: 1_000,
        };
        block_on(self.world.store.find_approvals(&search)).unwrap()
    }
}

fn body_of(session_id: &SessionId, amount: &str) -> String {
    json!({"session_id": session_id.as_str(), "operation": "refund", "amount": amount,
        "reason": "goods_returned", "note": "box 7"})
    .to_string()
}
