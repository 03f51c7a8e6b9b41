//! The rules of permission, with principals made by hand.

use alloc::vec;

use super::*;
use crate::words::ChildOperation;
use Permission::{Add, Change, UseGateway, View};
use Plugin::{ECommerce, PaymentRequest};

fn merchant() -> MerchantId {
    MerchantId::parse("demo").unwrap()
}

fn code(text: &str) -> PgCode {
    PgCode::parse(text).unwrap()
}

fn user(permissions: &[Permission]) -> Principal {
    Principal::User { merchant: merchant(), permissions: permissions.to_vec() }
}

fn is_allowed(permissions: &[Permission], action: Action<'_>) -> bool {
    match may(&user(permissions), action) {
        Ok(()) => true,
        Err(rejection) => {
            assert_eq!(rejection, Rejection::PermissionMissing);
            false
        }
    }
}

#[test]
fn a_private_key_may_do_everything_and_a_public_key_none_of_this() {
    let codes = [code("knet")];
    let update = Codes { stored: &codes, given: &codes, is_replaced: true };
    for action in [
        Action::Create,
        Action::CreateWith(ECommerce, &codes),
        Action::Retrieve,
        Action::RetrieveOf(PaymentRequest),
        Action::Update,
        Action::UpdateWith(ECommerce, update),
        Action::List,
        Action::ListMethods,
        Action::UseGateway(&codes[0]),
        Action::OperateAtAll,
        Action::Operate(Command::Delete),
        Action::Inquire,
        Action::PayInCash,
    ] {
        let key = |kind| Principal::Key { merchant: merchant(), kind };
        assert_eq!(may(&key(KeyKind::Private), action), Ok(()));
        assert_eq!(may(&key(KeyKind::Public), action), Err(Rejection::PrivateKeyRequired));
        assert!(!is_allowed(&[], action), "{action:?} without any permission");
    }
}

#[test]
fn a_public_key_may_pay_by_wallet_and_a_user_who_may_create() {
    let public = Principal::Key { merchant: merchant(), kind: KeyKind::Public };
    assert_eq!(may(&public, Action::PayByWallet), Ok(()));
    assert!(is_allowed(&[Add(ECommerce)], Action::PayByWallet));
    assert!(!is_allowed(&[View(ECommerce), Change(ECommerce)], Action::PayByWallet));
}

#[test]
fn creating_needs_the_plugin_and_every_gateway() {
    let (knet, cash) = (code("knet"), code("cash"));
    let both = [knet.clone(), cash.clone()];
    let all = vec![Add(ECommerce), UseGateway(knet.clone()), UseGateway(cash)];
    assert!(is_allowed(&all, Action::Create));
    assert!(is_allowed(&all, Action::CreateWith(ECommerce, &both)));
    assert!(!is_allowed(&all, Action::CreateWith(PaymentRequest, &both)));
    assert!(!is_allowed(&[Add(ECommerce), UseGateway(knet)], Action::CreateWith(ECommerce, &both)));
    assert!(!is_allowed(&[Change(ECommerce), View(ECommerce)], Action::Create));
}

#[test]
fn inquiring_needs_its_own_permission() {
    assert!(is_allowed(&[Permission::Inquire], Action::Inquire));
    assert!(!is_allowed(&[View(ECommerce), Change(ECommerce), Add(ECommerce)], Action::Inquire));
}

#[test]
fn who_may_create_or_update_may_retrieve_and_nobody_sees_another_plugin() {
    for permission in [Add(ECommerce), Change(ECommerce), View(ECommerce)] {
        let own = [permission];
        assert!(is_allowed(&own, Action::Retrieve));
        assert!(is_allowed(&own, Action::RetrieveOf(ECommerce)));
        assert!(!is_allowed(&own, Action::RetrieveOf(PaymentRequest)));
        assert!(!is_allowed(&own, Action::List), "the listing shows both plugins");
    }
    assert!(is_allowed(&[View(ECommerce), Add(PaymentRequest)], Action::List));
    assert!(!is_allowed(&[UseGateway(code("knet"))], Action::Retrieve));
}

#[test]
fn a_replacement_needs_the_gateways_that_are_set_and_a_change_only_those_it_sets() {
    let (knet, cash) = ([code("knet")], [code("cash")]);
    let update =
        |stored, given, is_replaced| Action::UpdateWith(ECommerce, Codes { stored, given, is_replaced });
    let none = [Change(ECommerce)];
    let of_cash = [Change(ECommerce), UseGateway(code("cash"))];
    let of_both = [Change(ECommerce), UseGateway(code("cash")), UseGateway(code("knet"))];
    assert!(!is_allowed(&none, update(&knet, &knet, true)), "PUT without the gateway that is set");
    assert!(!is_allowed(&of_cash, update(&knet, &cash, true)));
    assert!(is_allowed(&of_both, update(&knet, &cash, true)));
    assert!(is_allowed(&none, update(&knet, &knet, false)), "PATCH while the gateways stay");
    assert!(!is_allowed(&none, update(&knet, &cash, false)));
    assert!(is_allowed(&of_cash, update(&knet, &cash, false)));
    assert!(!is_allowed(&[Add(ECommerce), UseGateway(code("knet"))], update(&knet, &knet, false)));
}

#[test]
fn each_operation_needs_a_permission_of_its_own() {
    let (refund, void) = (Command::Move(ChildOperation::Refund), Command::Move(ChildOperation::Void));
    let may_refund = [Permission::Operate(refund)];
    assert!(is_allowed(&may_refund, Action::OperateAtAll));
    assert!(is_allowed(&may_refund, Action::Operate(refund)));
    for other in [void, Command::Cancel, Command::Expire, Command::Delete] {
        assert!(!is_allowed(&may_refund, Action::Operate(other)));
        assert!(!is_allowed(&[Add(ECommerce), Change(ECommerce), View(ECommerce)], Action::Operate(other)));
    }
}
