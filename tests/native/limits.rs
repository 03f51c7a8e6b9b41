//! How often a payment transaction may be tried, by all callers together.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::native::{PaymentInput, pay_by_wallet};
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_core::words::Wallet;
use checkout_tests::shop::{Shop, order, refusal_of, refused};
use pollster::block_on;

mod declines;

/// A payer goes to a bank's page, to another one, and back again: each is an attempt that is withdrawn for
/// the next.
fn try_times(shop: &Shop, session_id: &SessionId, times: usize) {
    for code in ["knet", "credit-card"].into_iter().cycle().take(times) {
        let _page = shop.pay_to_page(session_id, code);
    }
}

fn pay_by_google(shop: &Shop, session_id: &SessionId) -> Result<(), Failure> {
    let payload = r#"{"paymentMethodData": {"tokenizationData":{"token":"x"}}}"#;
    let body = format!(r#"{{"session_id":"{session_id}","pg_code":"credit-card","payload":{payload}}}"#);
    let input = PaymentInput { caller: shop.private(), idempotency_key: None, body: body.as_bytes() };
    block_on(pay_by_wallet(&shop.world, Wallet::GooglePay, input)).map(|_| ())
}

#[test]
fn a_payment_is_tried_ten_times_a_minute() {
    let shop = Shop::open(1);
    let (session_id, other) =
        (shop.create(&order(&["knet", "credit-card"])), shop.create(&order(&["knet", "credit-card"])));
    try_times(&shop, &session_id, 4);
    shop.wait(20);
    try_times(&shop, &session_id, 6);
    let requests = shop.world.http.count();
    let refusal = Rejection::TooManyAttempts { retry_after: 40 };
    assert_eq!(refused(shop.pay(&session_id, "knet")), refusal);
    assert_eq!(refusal_of(pay_by_google(&shop, &session_id)), refusal.during("payment"));
    assert_eq!(shop.world.http.count(), requests, "no gateway was asked");
    // The page that waits can still be reached, and another transaction is not limited.
    let _resumed = shop.pay_to_page(&session_id, "credit-card");
    try_times(&shop, &other, 10);
    shop.wait(40);
    try_times(&shop, &session_id, 1);
    assert_eq!(shop.world.store.attempts(&session_id).len(), 11);
}

#[test]
fn a_payment_is_tried_sixty_times_a_day() {
    let shop = Shop::open_with(2, |settings| {
        let plugin = settings.pointer_mut("/plugins/e_commerce").and_then(serde_json::Value::as_object_mut);
        plugin.map(|plugin| plugin.insert("expiration_time".into(), "30 00:00:00".into()));
    });
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    for _ in 0..6 {
        try_times(&shop, &session_id, 10);
        shop.wait(60);
    }
    let seconds = 24 * 3_600 - 6 * 60;
    assert_eq!(refused(shop.pay(&session_id, "knet")), Rejection::TooManyAttempts { retry_after: seconds });
    shop.wait(seconds);
    try_times(&shop, &session_id, 1);
}
