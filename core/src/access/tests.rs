//! The rules of permission, with principals made by hand.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use super::operator::ROOT;
use super::user::Preferences;
use super::*;
use crate::settings::situation::Merchant;
use crate::settings::{WebhookSecrets, parse};
use crate::value::id::UserId;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;
use crate::words::role::Role;
use Permission::{Add, Change, UseGateway, View};
use Plugin::{ECommerce, PaymentRequest};

fn merchant() -> MerchantId {
    MerchantId::parse("demo").unwrap()
}

fn code(text: &str) -> PgCode {
    PgCode::parse(text).unwrap()
}

fn caller(rights: Rights) -> Caller {
    let secrets = WebhookSecrets {
        hmac_key: Sealed(String::new()),
        signing: Vec::new(),
        previous_until: None,
        next_hmac: None,
    };
    let document = r#"{"name":{"en":"Shop","ar":"متجر"},"country":"KW","currencies":["KWD"],"plugins":{"e_commerce":{}}}"#;
    let settings = parse::stored(&merchant(), 1, document, secrets).unwrap();
    Caller {
        rights,
        prefix: None,
        is_basic: false,
        situation: Merchant { settings: Rc::new(settings), clock_offset: Duration::ZERO }
            .at(Timestamp::from_millis(0)),
    }
}

/// What a request wants: to call at all, or something in particular.
trait Wanted {
    fn ask(self, caller: Caller) -> Result<(), Rejection>;
}

impl Wanted for Action {
    fn ask(self, caller: Caller) -> Result<(), Rejection> {
        may(&Principal::Merchant(caller), self)
    }
}

impl Wanted for Particular<'_> {
    fn ask(self, caller: Caller) -> Result<(), Rejection> {
        caller.may(self)
    }
}

fn user(permissions: &[Permission], is_superuser: bool) -> Rights {
    Rights::User(Rc::new(User {
        id: UserId(34),
        username: "sara".into(),
        first_name: None,
        last_name: None,
        email: None,
        phone: None,
        is_superuser,
        permissions: permissions.to_vec().into(),
        preferences: Preferences::default(),
    }))
}

/// What a user with these permissions may do, which a private key with them as its scope may do too.
fn is_allowed(permissions: &[Permission], wanted: impl Wanted + Copy) -> bool {
    let asked = wanted.ask(caller(user(permissions, false)));
    let scoped = Rights::Key(KeyKind::Private, Some(permissions.to_vec().into()));
    if asked != Err(Rejection::KeyRequired) {
        assert_eq!(wanted.ask(caller(scoped)), asked);
    }
    match asked {
        Ok(()) => true,
        Err(rejection) => {
            assert!(
                matches!(rejection, Rejection::PermissionMissing | Rejection::KeyRequired),
                "{rejection:?}"
            );
            false
        }
    }
}

const OF_A_MERCHANT: [Action; 13] = [
    Action::Debit,
    Action::ManageMerchant,
    Action::ManageAccess,
    Action::Create,
    Action::Retrieve,
    Action::Update,
    Action::List,
    Action::Cards,
    Action::PayByWallet,
    Action::PayInCash,
    Action::ListMethods,
    Action::Operate,
    Action::Inquire,
];

#[test]
fn a_private_key_may_do_everything_and_a_public_key_pays_by_wallet_only() {
    for action in OF_A_MERCHANT {
        assert_eq!(action.ask(caller(Rights::Key(KeyKind::Private, None))), Ok(()));
        let wanted = if action == Action::PayByWallet { Ok(()) } else { Err(Rejection::PrivateKeyRequired) };
        assert_eq!(action.ask(caller(Rights::Key(KeyKind::Public, None))), wanted);
        assert!(!is_allowed(&[], action), "{action:?} without any permission");
    }
    let codes = [code("knet")];
    let update = Codes { stored: &codes, given: &codes, is_replaced: true };
    for particular in [
        Particular::Create(ECommerce, &codes),
        Particular::Retrieve(PaymentRequest),
        Particular::Update(ECommerce, update),
        Particular::UseGateway(&codes[0]),
        Particular::Operate(Command::Delete),
    ] {
        assert_eq!(particular.ask(caller(Rights::Key(KeyKind::Private, None))), Ok(()));
        assert_eq!(
            particular.ask(caller(Rights::Key(KeyKind::Public, None))),
            Err(Rejection::PrivateKeyRequired)
        );
        assert!(!is_allowed(&[], particular), "{particular:?} without any permission");
    }
}

#[test]
fn a_credential_for_another_audience_is_as_good_as_unknown() {
    let merchant = || Principal::Merchant(caller(Rights::Key(KeyKind::Private, None)));
    for action in OF_A_MERCHANT {
        for other in [Principal::Operator(ROOT), Principal::Session, Principal::Anyone] {
            assert_eq!(may(&other, action), Err(Rejection::CredentialsInvalid), "{action:?}");
        }
    }
    for other in [merchant(), Principal::Session, Principal::Anyone] {
        for action in [Action::ReadInstallation, Action::Support, Action::Administer] {
            assert_eq!(may(&other, action), Err(Rejection::CredentialsInvalid));
        }
    }
    for other in [merchant(), Principal::Operator(ROOT), Principal::Anyone] {
        assert_eq!(may(&other, Action::UseSession), Err(Rejection::CredentialsInvalid));
    }
    assert_eq!(may(&Principal::Operator(ROOT), Action::Administer), Ok(()));
    let reader = Principal::Operator(Operator { role: Role::Read, ..ROOT });
    assert_eq!(may(&reader, Action::ReadInstallation), Ok(()));
    assert_eq!(may(&reader, Action::Support), Err(Rejection::PermissionMissing));
    assert_eq!(may(&Principal::Session, Action::UseSession), Ok(()));
    for all in [merchant(), Principal::Operator(ROOT), Principal::Session, Principal::Anyone] {
        assert_eq!(may(&all, Action::Anything), Ok(()));
    }
}

#[test]
fn each_role_of_an_operator_may_do_what_those_before_may() {
    let asked = |role, action| may(&Principal::Operator(Operator { role, ..ROOT }), action);
    let table = [
        (Role::Read, [true, false, false]),
        (Role::Support, [true, true, false]),
        (Role::Admin, [true, true, true]),
    ];
    for (role, wanted) in table {
        let actions = [Action::ReadInstallation, Action::Support, Action::Administer];
        assert_eq!(actions.map(|action| asked(role, action).is_ok()), wanted, "{role:?}");
        for other in [Action::Create, Action::ManageAccess, Action::UseSession] {
            assert_eq!(
                asked(role, other),
                Err(Rejection::CredentialsInvalid),
                "{role:?} is no merchant and no payer"
            );
        }
    }
}

#[test]
fn a_user_who_may_create_may_pay_by_wallet() {
    assert!(is_allowed(&[Add(ECommerce)], Action::PayByWallet));
    assert!(!is_allowed(&[View(ECommerce), Change(ECommerce)], Action::PayByWallet));
}

#[test]
fn creating_needs_the_plugin_and_every_gateway() {
    let (knet, cash) = (code("knet"), code("cash"));
    let both = [knet.clone(), cash.clone()];
    let all = vec![Add(ECommerce), UseGateway(knet.clone()), UseGateway(cash)];
    assert!(is_allowed(&all, Action::Create));
    assert!(is_allowed(&all, Particular::Create(ECommerce, &both)));
    assert!(!is_allowed(&all, Particular::Create(PaymentRequest, &both)));
    assert!(!is_allowed(&[Add(ECommerce), UseGateway(knet)], Particular::Create(ECommerce, &both)));
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
        assert!(is_allowed(&own, Particular::Retrieve(ECommerce)));
        assert!(!is_allowed(&own, Particular::Retrieve(PaymentRequest)));
        assert!(!is_allowed(&own, Action::List), "the listing shows both plugins");
    }
    assert!(is_allowed(&[View(ECommerce), Add(PaymentRequest)], Action::List));
    assert!(!is_allowed(&[UseGateway(code("knet"))], Action::Retrieve));
}

#[test]
fn a_replacement_needs_the_gateways_that_are_set_and_a_change_only_those_it_sets() {
    let (knet, cash) = ([code("knet")], [code("cash")]);
    let update =
        |stored, given, is_replaced| Particular::Update(ECommerce, Codes { stored, given, is_replaced });
    let none = [Change(ECommerce)];
    let of_cash = [Change(ECommerce), UseGateway(code("cash"))];
    let of_both = [Change(ECommerce), UseGateway(code("cash")), UseGateway(code("knet"))];
    assert!(!is_allowed(&none, update(&knet, &knet, true)), "PUT without the gateway that is set");
    assert!(!is_allowed(&of_cash, update(&knet, &cash, true)));
    assert!(is_allowed(&of_both, update(&knet, &cash, true)));
    assert!(is_allowed(&none, update(&knet, &knet, false)), "PATCH while the gateways stay");
    assert!(!is_allowed(&none, update(&knet, &cash, false)));
    let [two, turned] = [["knet", "cash"], ["cash", "knet"]].map(|codes| codes.map(code));
    let three = ["knet", "cash", "mpgs"].map(code);
    for (stored, given) in [(&knet[..], &cash[..]), (&two, &cash), (&cash, &two), (&two, &turned)] {
        let changed = update(stored, given, false);
        assert!(!is_allowed(&of_cash, changed), "PATCH of {stored:?} to {given:?} with cash only");
        assert!(is_allowed(&of_both, changed));
    }
    assert!(!is_allowed(&of_both, update(&three, &two, false)), "a gateway taken away");
    assert!(!is_allowed(&[Add(ECommerce), UseGateway(code("knet"))], update(&knet, &knet, false)));
}

#[test]
fn each_operation_needs_a_permission_of_its_own() {
    let (refund, void) = (Command::Move(ChildOperation::Refund), Command::Move(ChildOperation::Void));
    let may_refund = [Permission::Operate(refund)];
    assert!(is_allowed(&may_refund, Action::Operate));
    assert!(is_allowed(&may_refund, Particular::Operate(refund)));
    for other in [void, Command::Cancel, Command::Expire, Command::Delete] {
        assert!(!is_allowed(&may_refund, Particular::Operate(other)));
        assert!(!is_allowed(
            &[Add(ECommerce), Change(ECommerce), View(ECommerce)],
            Particular::Operate(other)
        ));
    }
}

#[test]
fn a_superuser_may_do_what_users_can_be_permitted_and_no_more() {
    let codes = [code("knet")];
    for action in OF_A_MERCHANT {
        let for_keys = matches!(action, Action::Cards | Action::PayInCash);
        let wanted = if for_keys { Err(Rejection::KeyRequired) } else { Ok(()) };
        assert_eq!(action.ask(caller(user(&[], true))), wanted, "{action:?}");
    }
    for particular in [Particular::Create(ECommerce, &codes), Particular::Operate(Command::Delete)] {
        assert_eq!(particular.ask(caller(user(&[], true))), Ok(()));
    }
    let superuser = Principal::Merchant(caller(user(&[], true)));
    assert_eq!(may(&superuser, Action::Administer), Err(Rejection::CredentialsInvalid));
}

#[test]
fn cards_and_cash_are_for_keys_whatever_a_user_may_do() {
    let all: Vec<Permission> = [Permission::ManageCards, Permission::AcknowledgeCash].into();
    assert!(is_allowed(&[Add(ECommerce)], Action::Debit), "charging a card is creating a payment");
    for action in [Action::Cards, Action::PayInCash] {
        assert_eq!(action.ask(caller(user(&all, false))), Err(Rejection::KeyRequired));
        let scoped = |scope: Vec<Permission>| caller(Rights::Key(KeyKind::Private, Some(scope.into())));
        assert_eq!(action.ask(scoped(all.clone())), Ok(()));
        assert_eq!(action.ask(scoped(Vec::new())), Err(Rejection::PermissionMissing));
    }
}

#[test]
fn a_public_key_can_be_for_some_gateways_only() {
    let (knet, cards) = (code("knet"), code("cards"));
    let scoped = || caller(Rights::Key(KeyKind::Public, Some([UseGateway(code("cards"))].to_vec().into())));
    assert_eq!(Particular::Pay(ECommerce, &cards).ask(scoped()), Ok(()));
    assert_eq!(Particular::Pay(ECommerce, &knet).ask(scoped()), Err(Rejection::PermissionMissing));
    assert_eq!(Particular::Pay(ECommerce, &knet).ask(caller(Rights::Key(KeyKind::Public, None))), Ok(()));
    assert_eq!(Action::Create.ask(scoped()), Err(Rejection::PrivateKeyRequired));
}

#[test]
fn paying_by_wallet_needs_the_plugin_and_the_gateway() {
    let knet = code("knet");
    let wanted = Particular::Pay(ECommerce, &knet);
    assert!(is_allowed(&[Add(ECommerce), UseGateway(knet.clone())], wanted));
    assert!(!is_allowed(&[Add(PaymentRequest), UseGateway(knet.clone())], wanted));
    assert!(!is_allowed(&[Add(ECommerce)], wanted));
}
