//! Debits under one agreement at once, where its terms are enforced.

use super::*;

fn strict(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        settings.as_object_mut().unwrap().insert("agreements".into(), json!({"enforce": true}));
    })
}

/// An order under an agreement without an interval, of two payments.
fn twice(more: &Value) -> Value {
    let terms = json!({"id": "a-1", "type": "other", "total_cycles": 2});
    with(with(agreement("a-1"), &json!({"agreement": terms})), more)
}

fn code(answer: Result<NativeAnswer, Failure>) -> &'static str {
    refused(answer).code()
}

/// Debits each of the sessions while the gateway is asked about the one before.
fn debit_within(shop: &Shop, token: &str, sessions: &[SessionId], refusals: &mut Vec<&'static str>) {
    let Some((session_id, others)) = sessions.split_first() else { return };
    let body = json!({"session_id": session_id.as_str(), "token": token}).to_string();
    let mut inner = Vec::new();
    let world = Interrupted::after_send(&shop.world, || debit_within(shop, token, others, &mut inner));
    let answer = block_on(auto_debit(&world, input(shop, body.as_bytes(), None), DebitAnswerShape::Native));
    drop(world);
    if let Err(failure) = answer {
        refusals.push(refused(Err::<(), _>(failure)).code());
        debit_within(shop, token, others, refusals);
    }
    refusals.extend(inner);
}

#[test]
fn sixteen_debits_at_once_take_one_cycle() {
    let shop = strict(1);
    let token = paid(&shop, &agreement("a-1"));
    shop.wait(30 * 86_400);
    let sessions: Vec<SessionId> = (0..16).map(|_| shop.create(&agreement("a-1"))).collect();
    let mut refusals = Vec::new();
    debit_within(&shop, &token, &sessions, &mut refusals);
    assert_eq!(refusals, ["agreement_in_progress"; 15]);
    assert_eq!(shop.bank.approved(), 2, "one payment of the payer, one of the merchant");
    assert_eq!(code(try_debit(&shop, &sessions[15], &token)), "agreement_too_early");
}

#[test]
fn debits_at_once_take_as_many_cycles_as_are_left() {
    let shop = strict(2);
    let token = paid(&shop, &twice(&json!({})));
    let sessions: Vec<SessionId> = (0..8).map(|_| shop.create(&twice(&json!({})))).collect();
    let mut refusals = Vec::new();
    debit_within(&shop, &token, &sessions, &mut refusals);
    assert_eq!(refusals, ["agreement_in_progress"; 6]);
    assert_eq!(shop.bank.approved(), 3);
    assert_eq!(code(try_debit(&shop, &sessions[7], &token)), "agreement_cycles_done");
}

#[test]
fn a_cycle_stays_taken_while_the_outcome_is_unknown_and_is_given_back_when_nothing_was_paid() {
    for (mood, is_taken) in [(Mood::ChargesMute, true), (Mood::Deaf, false)] {
        let shop = strict(3);
        let token = paid(&shop, &agreement("a-1"));
        shop.wait(30 * 86_400);
        let [first, second] = [(); 2].map(|()| shop.create(&agreement("a-1")));
        shop.bank.on_opening(mood);
        assert_eq!(text(&debit(&shop, &first, &token), "result"), Some("pending"));
        shop.bank.on_opening(Mood::Fine);
        assert_eq!(code(try_debit(&shop, &second, &token)), "agreement_in_progress");
        shop.wait(60);
        shop.sweep();
        if shop.state(&first) != "paid" {
            // A charge that the bank does not find yet is looked for again.
            shop.wait(600);
            shop.sweep();
        }
        assert_eq!(shop.state(&first) == "paid", is_taken, "{mood:?}: {:?}", shop.results(&first));
        if is_taken {
            assert_eq!(code(try_debit(&shop, &second, &token)), "agreement_too_early");
        } else {
            assert_eq!(text(&debit(&shop, &second, &token), "result"), Some("success"));
        }
    }
}

#[test]
fn a_declined_debit_gives_its_cycle_back() {
    let shop = strict(4);
    let token = paid(&shop, &agreement("a-1"));
    shop.wait(30 * 86_400);
    shop.bank.decline_cards();
    let [first, second] = [(); 2].map(|()| shop.create(&agreement("a-1")));
    for session_id in [&first, &second] {
        assert_eq!(text(&debit(&shop, session_id, &token), "result"), Some("failed"));
    }
}

#[test]
fn an_agreement_has_the_currency_of_its_first_payment() {
    let shop = strict(5);
    let maximum = json!({"agreement": {"id": "a-1", "type": "other", "max_amount_per_cycle": "100"}});
    let priced = |amount: &str, currency: &str| {
        let price = json!({"amount": amount, "currency_code": currency});
        with(with(agreement("a-1"), &maximum), &price)
    };
    let token = paid(&shop, &priced("10.00", "SAR"));
    for foreign in [priced("100.000", "KWD"), priced("1.00", "USD")] {
        assert_eq!(refusal(&shop, &foreign, &token), Rejection::AgreementBroken(Breach::OtherCurrency));
    }
    let session_id = shop.create(&priced("100.00", "SAR"));
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("success"));
}

#[test]
fn a_fixed_amount_and_the_currency_hold_also_where_other_terms_are_not_enforced() {
    let shop = Shop::open(6);
    let fixed = json!({"agreement": {"id": "a-1", "type": "other", "amount_variability": "fixed"}});
    let priced = |amount: &str, currency: &str| {
        let price = json!({"amount": amount, "currency_code": currency});
        with(with(agreement("a-1"), &fixed), &price)
    };
    let token = paid(&shop, &priced("10.000", "KWD"));
    let broken = |body: &Value| refusal(&shop, body, &token);
    assert_eq!(broken(&priced("10.001", "KWD")), Rejection::AgreementBroken(Breach::OtherAmount));
    assert_eq!(broken(&priced("10.00", "SAR")), Rejection::AgreementBroken(Breach::OtherCurrency));
    let session_id = shop.create(&priced("10.000", "KWD"));
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("success"));
}
