//! Refunds and voids that another person has to permit.

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::access::user::Preferences;
use checkout_core::approval::stage::ApprovalState;
use checkout_core::child::stage::OperationStage;
use checkout_core::flow::account::user::add_user;
use checkout_core::flow::merchant::approvals::{approve, list_approvals, read_approval, reject, withdraw};
use checkout_core::flow::merchant::timeline::read_timeline;
use checkout_core::port::DeskSessions as _;
use checkout_core::rejection::Rejection;
use checkout_core::strings::facts::say;
use checkout_core::value::id::{ReferenceNumber, SessionId, UserId};
use checkout_core::words::Language;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, json_of, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn refunds() -> Value {
    json!({"operations": ["refund"]})
}

fn stages(shop: &Shop, session_id: &SessionId) -> Vec<OperationStage> {
    shop.world.store.children(session_id).iter().map(|child| child.stage).collect()
}

fn approve_as(shop: &Shop, clerk: u32, id: &ReferenceNumber) -> Result<Value, Rejection> {
    let approved = block_on(approve(&shop.world, &shop.clerk(clerk), id, b"{}"));
    if let Ok(shown) = &approved { Ok(json_of(shown)) } else { Err(refused(approved)) }
}

#[test]
fn what_has_to_be_approved_moves_nothing_until_another_person_approves_it() {
    let (shop, session_id) = Shop::with_policy(1, &refunds());
    let id = shop.ask(&session_id, "4.000");
    let _ = shop.sweep();
    assert_eq!(stages(&shop, &session_id), []);
    assert_eq!(approve_as(&shop, 1, &id), Err(Rejection::OwnApproval));
    let shown = approve_as(&shop, 2, &id).unwrap();
    assert_eq!(
        (&shown["state"], &shown["approved_by"][0]["by"]["name"]),
        (&json!("approved"), &json!("clerk2"))
    );
    let _ = shop.sweep();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    let child = shop.world.store.children(&session_id).pop().unwrap();
    assert_eq!((child.amount.to_string().as_str(), child.note.as_deref()), ("4.000", Some("box 7")));
    let done = shop.approval(&id);
    assert_eq!((done.state, done.reference), (ApprovalState::Done, Some(child.reference)));
    for _ in 0..3 {
        shop.wait(3_600);
        let _ = shop.sweep();
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done], "it is done once");
    let timeline = block_on(read_timeline(&shop.world, &shop.private(), &session_id)).unwrap();
    for word in ["approval_asked", "approval_given"] {
        assert!(timeline.contains(word), "{word}: {timeline}");
    }
    assert!(!timeline.contains(r#""kind":"approval","#), "what goes to nobody is no webhook");
}

#[test]
fn a_key_asks_only_where_the_settings_bind_keys() {
    let (shop, session_id) = Shop::with_policy(2, &refunds());
    let by_key = |shop: &Shop, session_id: &SessionId| {
        shop.refund(&shop.world, shop.private(), (session_id, "1.000"), None).unwrap().status
    };
    assert_eq!(by_key(&shop, &session_id), 200);
    let (shop, session_id) = Shop::with_policy(3, &json!({"operations": ["refund"], "keys": true}));
    assert_eq!(by_key(&shop, &session_id), 202);
}

#[test]
fn only_what_exceeds_the_amount_of_its_currency_is_asked_for_and_parts_add_up() {
    let (shop, session_id) =
        Shop::with_policy(4, &json!({"operations": ["refund"], "above": {"KWD": "3.000"}}));
    let refund =
        |amount| shop.refund(&shop.world, shop.clerk(1), (&session_id, amount), None).unwrap().status;
    assert_eq!([refund("2.000"), refund("1.000"), refund("0.001")], [200, 200, 202]);
    let (shop, session_id) =
        Shop::with_policy(5, &json!({"operations": ["refund"], "above": {"USD": "100"}}));
    assert_eq!(shop.refund(&shop.world, shop.clerk(1), (&session_id, "0.001"), None).unwrap().status, 202);
}

#[test]
fn two_different_persons_approve_where_two_are_needed() {
    let (shop, session_id) = Shop::with_policy(6, &json!({"operations": ["refund"], "approvers": 2}));
    let id = shop.ask(&session_id, "4.000");
    for _ in 0..2 {
        assert_eq!(approve_as(&shop, 2, &id).unwrap()["state"], "asked", "one person counts once");
    }
    let _ = shop.sweep();
    assert_eq!(stages(&shop, &session_id), []);
    assert_eq!(approve_as(&shop, 1, &id), Err(Rejection::OwnApproval));
    assert_eq!(approve_as(&shop, 3, &id).unwrap()["state"], "approved");
    let _ = shop.sweep();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
}

#[test]
fn a_request_ends_once() {
    for end in ["reject", "withdraw", "expire"] {
        let (shop, session_id) = Shop::with_policy(7, &refunds());
        let id = shop.ask(&session_id, "4.000");
        match end {
            "reject" => {
                let own = block_on(reject(&shop.world, &shop.clerk(1), &id, br#"{"note":"no"}"#));
                assert_eq!(refused(own), Rejection::OwnApproval);
                let shown = block_on(reject(&shop.world, &shop.clerk(2), &id, br#"{"note":"no"}"#)).unwrap();
                assert_eq!(json_of(&shown)["ended_note"], "no");
            }
            "withdraw" => {
                let other = block_on(withdraw(&shop.world, &shop.clerk(2), &id));
                assert_eq!(refused(other), Rejection::PermissionMissing);
                let _ = block_on(withdraw(&shop.world, &shop.clerk(1), &id)).unwrap();
            }
            _ => {
                shop.wait(48 * 3_600);
                assert_eq!(
                    approve_as(&shop, 2, &id),
                    Err(Rejection::ApprovalEnded { state: "expired" }),
                    "also before the sweep has seen it"
                );
                let _ = shop.sweep();
            }
        }
        let state = shop.approval(&id).state;
        assert!(matches!(state, ApprovalState::Rejected | ApprovalState::Withdrawn | ApprovalState::Expired));
        assert_eq!(approve_as(&shop, 3, &id), Err(Rejection::ApprovalEnded { state: state.as_str() }));
        let _ = shop.sweep();
        assert_eq!((shop.approval(&id).state, stages(&shop, &session_id)), (state, Vec::new()));
        let _ = shop.ask(&session_id, "4.000");
    }
}

#[test]
fn one_request_is_open_for_an_operation_on_an_attempt() {
    let (shop, session_id) = Shop::with_policy(8, &refunds());
    let id = shop.ask(&session_id, "4.000");
    let again = || refused(shop.refund(&shop.world, shop.clerk(3), (&session_id, "1.000"), None));
    assert_eq!(again(), Rejection::ApprovalOpen);
    let _ = approve_as(&shop, 2, &id).unwrap();
    assert_eq!(again(), Rejection::ApprovalOpen, "approved, and not begun");
    let _ = shop.sweep();
    let _ = shop.ask(&session_id, "1.000");
}

#[test]
fn a_request_fails_and_says_so_when_less_is_left() {
    let (shop, session_id) = Shop::with_policy(9, &refunds());
    let id = shop.ask(&session_id, "4.000");
    let by_key = shop.refund(&shop.world, shop.private(), (&session_id, "1.000"), None).unwrap();
    assert_eq!(by_key.status, 200);
    let _ = approve_as(&shop, 2, &id).unwrap();
    let _ = shop.sweep();
    let failed = shop.approval(&id);
    assert_eq!(failed.state, ApprovalState::Failed);
    assert_eq!(
        failed.failure.map(|why| say(Language::En, &why)).as_deref(),
        Some("9.000 KWD is left, and 10.000 was when it was asked for")
    );
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done], "the refund by the key");
}

#[test]
fn the_same_key_asks_once_and_is_answered_with_the_state() {
    let (shop, session_id) = Shop::with_policy(10, &refunds());
    let ask = |amount| shop.refund(&shop.world, shop.clerk(1), (&session_id, amount), Some("K-1"));
    let (first, again) = (ask("4.000").unwrap(), ask("4.000").unwrap());
    assert_eq!((first.body, first.is_replayed, again.is_replayed), (again.body, false, true));
    assert_eq!(refused(ask("5.000")), Rejection::IdempotencyKeyReused);
    assert_eq!(shop.approvals(&session_id).len(), 1);
}

#[test]
fn the_same_key_asks_once_also_when_nothing_has_to_be_approved_any_more() {
    for is_approved in [true, false] {
        let (shop, session_id) = Shop::with_policy(13, &refunds());
        let ask = || shop.refund(&shop.world, shop.clerk(1), (&session_id, "4.000"), Some("K-1"));
        assert_eq!(ask().unwrap().status, 202);
        let id = shop.approvals(&session_id)[0].id.clone();
        if is_approved {
            let _ = approve_as(&shop, 2, &id).unwrap();
            let _ = shop.sweep();
        }
        shop.configure(|settings| drop(settings.as_object_mut().unwrap().remove("approvals")));
        assert!(ask().unwrap().is_replayed);
        let _ = shop.sweep();
        let done = if is_approved { vec![OperationStage::Done] } else { vec![] };
        assert_eq!(stages(&shop, &session_id), done);
    }
}

#[test]
fn what_the_bank_refuses_has_failed_and_what_it_does_later_is_done() {
    let (shop, session_id) = Shop::with_policy(11, &refunds());
    let id = shop.ask(&session_id, "4.000");
    shop.bank.on_operating(Mood::Mute);
    let _ = approve_as(&shop, 2, &id).unwrap();
    let _ = shop.sweep();
    assert_eq!(shop.approval(&id).state, ApprovalState::Approved, "what may have moved is not called failed");
    for _ in 0..3 {
        shop.wait(120);
        let _ = shop.sweep();
    }
    assert_eq!(shop.approval(&id).state, ApprovalState::Done);
    let (shop, session_id) = Shop::with_policy(12, &refunds());
    let id = shop.ask(&session_id, "4.000");
    shop.bank.on_operating(Mood::Refuses);
    let _ = approve_as(&shop, 2, &id).unwrap();
    let _ = shop.sweep();
    assert_eq!(shop.approval(&id).state, ApprovalState::Failed);
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
}

#[test]
fn another_merchants_request_is_like_one_that_does_not_exist() {
    let (shop, session_id) = Shop::with_policy(13, &refunds());
    let id = shop.ask(&session_id, "4.000");
    let other = shop.handed_to("other");
    let clerk = other.clerk(9);
    let world = &other.world;
    assert_eq!(refused(block_on(read_approval(world, &clerk, &id))), Rejection::NotFound);
    assert_eq!(refused(block_on(approve(world, &clerk, &id, b"{}"))), Rejection::NotFound);
    assert_eq!(refused(block_on(reject(world, &clerk, &id, br#"{"note":"x"}"#))), Rejection::NotFound);
    assert_eq!(refused(block_on(withdraw(world, &clerk, &id))), Rejection::NotFound);
    assert!(block_on(list_approvals(world, &clerk, "")).unwrap().results.is_empty());
}

#[test]
fn pages_of_the_list_follow_each_other_and_narrow_to_a_state() {
    let (shop, session_id) = Shop::with_policy(14, &refunds());
    for _ in 0..3 {
        let id = shop.ask(&session_id, "4.000");
        shop.wait(1);
        let _ = block_on(withdraw(&shop.world, &shop.clerk(1), &id)).unwrap();
    }
    let open = shop.ask(&session_id, "2.000");
    let list = |query: &str| json_of(&block_on(list_approvals(&shop.world, &shop.clerk(1), query)).unwrap());
    let ids = |page: &Value| -> Vec<String> {
        page["results"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().into()).collect()
    };
    let first = list("limit=3");
    let rest = list(&format!("limit=3&cursor={}", first["next"].as_str().unwrap()));
    assert_eq!((ids(&first).len(), ids(&rest).len(), &rest["next"]), (3, 1, &Value::Null));
    assert_eq!(ids(&list("state=asked")), [open.to_string()]);
    assert_eq!(ids(&list("state=withdrawn")).len(), 3);
    let wrong = refused(block_on(list_approvals(&shop.world, &shop.clerk(1), "state=x&nonsense=1")));
    assert!(matches!(wrong, Rejection::Invalid(found) if found.len() == 2));
}

#[test]
fn those_who_can_approve_are_written_to_and_who_asked_learns_the_end() {
    let (shop, session_id) = Shop::with_policy(15, &refunds());
    let body = json!({"username": "clerk1", "email": "clerk1@shop.example"}).to_string();
    let added = add_user(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body.as_bytes());
    assert_eq!(json_of(&block_on(added).unwrap())["id"], 1);
    let refuse = || {
        let id = shop.ask(&session_id, "4.000");
        let _ = block_on(reject(&shop.world, &shop.clerk(2), &id, br#"{"note":"no"}"#)).unwrap();
        let sent = shop.world.store.alert_deliveries().into_iter().map(|row| row.message.body);
        sent.collect::<Vec<String>>()
    };
    let letters = refuse();
    assert!(
        letters.iter().any(|body| body.contains("clerk1@shop.example") && body.contains("rejected")),
        "{letters:?}"
    );
    let arabic = Preferences { language: Some(Language::Ar), time_zone: Some("Asia/Kolkata".into()) };
    block_on(shop.world.store.choose_preferences(UserId(1), &arabic)).unwrap();
    let letters = refuse();
    assert!(
        letters.iter().any(|body| body.contains("clerk1@shop.example") && body.contains("تم رفض الاسترداد"))
    );
    assert!(letters.iter().all(|body| !body.contains("box 7")), "what was noted may name the payer");
}

#[test]
fn a_stale_remaining_amount_moves_nothing() {
    let (shop, session_id) = Shop::with_policy(16, &json!({"operations": ["void"]}));
    let refund = |remaining: &str| {
        let body = json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "1.000", "remaining": remaining})
            .to_string();
        let input = checkout_core::flow::merchant::operate::OperationInput {
            caller: shop.private(),
            tracking_key: None,
            idempotency_key: None,
            body: body.as_bytes(),
        };
        block_on(checkout_core::flow::merchant::operate::operate(&shop.world, input))
    };
    assert_eq!(refund("10.000").unwrap().status, 200);
    let stale = refused(refund("10.000"));
    assert!(
        matches!(stale, Rejection::RemainingChanged { available } if available.to_string() == "9.000"),
        "{stale:?}"
    );
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
}
