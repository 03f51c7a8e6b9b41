//! What an operator does about a merchant's payments, by the rules of the merchant.

use checkout_core::access::operator::Operator;
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::audit::read_audit;
use checkout_core::flow::operator::transaction::{inquire_of, list_of, notify_of, retrieve_of};
use checkout_core::value::id::{OperatorId, SessionId};
use checkout_core::words::role::Role;

use super::*;

fn helper() -> Operator {
    Operator { id: OperatorId(7), name: "helper".into(), role: Role::Support }
}

fn paid(shop: &Shop) -> SessionId {
    let session_id = shop.create(&order(&["credit-card"]));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    session_id
}

/// The webhooks about a transaction.
fn webhooks(shop: &Shop, session_id: &SessionId) -> usize {
    shop.world.store.deliveries(session_id).len()
}

fn audited(shop: &Shop) -> String {
    let page = block_on(read_audit(&shop.world, "")).unwrap();
    json_of(&page).to_string()
}

#[test]
fn an_operator_sees_what_the_merchant_sees() {
    let shop = Shop::open(61);
    let session_id = paid(&shop);
    let seen = block_on(retrieve_of(&shop.world, &shop.merchant, &session_id)).unwrap();
    assert_eq!(seen, block_on(retrieve(&shop.world, &shop.private(), &session_id)).unwrap().body);
    assert!(block_on(list_of(&shop.world, &shop.merchant, "limit=1")).unwrap().contains(session_id.as_str()));
    let other = MerchantId::parse("nobody").unwrap();
    assert_eq!(refused(block_on(retrieve_of(&shop.world, &other, &session_id))), Rejection::NotFound);
    assert_eq!(refused(block_on(list_of(&shop.world, &other, ""))), Rejection::NotFound);
}

#[test]
fn an_inquiry_and_a_notification_reach_the_receiver_though_nothing_is_new() {
    let shop = Shop::open(62);
    let session_id = paid(&shop);
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let before = webhooks(&shop, &session_id);
    let asked = block_on(inquire_of(&shop.world, &helper(), &shop.merchant, body.as_bytes())).unwrap();
    assert_eq!((asked.deliveries.len(), webhooks(&shop, &session_id)), (1, before + 1));
    let answered = block_on(notify_of(&shop.world, &helper(), &shop.merchant, &session_id)).unwrap();
    assert_eq!((answered.deliveries.len(), webhooks(&shop, &session_id)), (1, before + 2));
    assert!(answered.body.contains(r#""result":"success""#), "{}", answered.body);
    let audited = audited(&shop);
    for action in [r#""action":"inquire_of""#, r#""action":"notify_of""#, session_id.as_str(), "helper"] {
        assert!(audited.contains(action), "{audited}");
    }
    let untried = shop.create(&order(&["knet"]));
    assert!(block_on(notify_of(&shop.world, &helper(), &shop.merchant, &untried)).is_err());
    let nobody = MerchantId::parse("nobody").unwrap();
    let foreign = block_on(notify_of(&shop.world, &helper(), &nobody, &session_id));
    assert_eq!(refused(foreign.map(|_| ())), Rejection::NotFound);
}
