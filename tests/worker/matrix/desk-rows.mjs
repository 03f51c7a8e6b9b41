/**
 * A row for each address of the desk: who may go there (`anyone`, `signed in`, or `everything`, or permissions that are enough together), with
 * what a request succeeds, and what it answers. `path` and `fields` are given the ids of the visitor's own merchant, or those of
 * another one, which must be answered like ids that do not exist.
 */
/** Each of these permits to see payments of a kind. */
const SEEING = ["add", "change", "view"].flatMap((verb) => [`Can ${verb} e-commerce payments`, `Can ${verb} payment requests`]);
const VIEW = ["Can view e-commerce payments", "Can view payment requests"];
const log = { access: VIEW, instead: SEEING.filter((name) => !VIEW.includes(name)), status: 200 };
const resend = { access: ["payment.inquiry"], status: 303 };
const owners = { access: "everything", status: 303 };
/** Each of these permits an operation. */
const OPERATING = ["capture", "refund", "void", "cancel", "expire", "delete"].map((name) => `payment.${name}`);

export const DESK_ROWS = [
  { name: "desk_style", access: "anyone", path: ({ style }) => `/style/${style}`, status: 200 },
  { name: "desk_show_sign_in", access: "anyone", path: () => "/sign-in/", status: 200 },
  { name: "desk_sign_in", access: "anyone", path: () => "/sign-in/", fields: () => ({ username: "nobody", password: "nothing" }), status: 401 },
  { name: "desk_show_lost_password", access: "anyone", path: () => "/sign-in/lost-password/", status: 200 },
  { name: "desk_lost_password", access: "anyone", path: () => "/sign-in/lost-password/", fields: () => ({ username: "nobody" }), status: 200 },
  { name: "desk_show_choice", access: "anyone", path: () => `/sign-in/link/${"A".repeat(43)}/`, status: 410 },
  { name: "desk_choose_password", access: "anyone", path: () => `/sign-in/link/${"A".repeat(43)}/`, fields: () => ({ password: "a long password", again: "a long password" }), status: 410 },
  { name: "desk_show_provider", access: "anyone", path: () => "/sign-in/provider/", status: 200 },
  { name: "desk_go_to_provider", access: "anyone", path: () => "/sign-in/provider/", fields: () => ({ merchant: "nobody" }), status: 400 },
  // Who signed in by a password has no provider to go to.
  { name: "desk_go_to_provider_again", access: "signed in", path: () => "/sign-in/provider/again/", fields: () => ({ form_to: "/payments/export/" }), status: 404 },
  { name: "desk_return_from_provider", access: "anyone", path: () => "/sign-in/provider/return/nobody/?code=a&state=b", status: 400 },
  { name: "desk_sign_out", access: "signed in", path: () => "/sign-out/", fields: () => ({}), status: 303 },
  { name: "desk_choose_language", access: "signed in", path: () => "/language/", fields: () => ({ language: "en" }), status: 303 },
  { name: "desk_new_payment", access: ["Can add payment requests"], instead: ["Can add e-commerce payments"], path: () => "/new-payment/", status: 200 },
  { name: "desk_create_payment", access: ["Can add payment requests"], instead: ["Can add e-commerce payments"], path: () => "/new-payment/", fields: () => ({ key: "matrix", type: "payment_request" }), status: 400 },
  { name: "desk_save_template", access: ["Can add payment requests"], instead: ["Can add e-commerce payments"], path: () => "/new-payment/templates/", fields: () => ({ key: "matrix", type: "payment_request", template: "Tea" }), status: 200 },
  { name: "desk_delete_template", access: ["Can add payment requests"], instead: ["Can add e-commerce payments"], path: () => "/new-payment/templates/delete/", fields: () => ({ type: "payment_request", template: "nobody's" }), status: 303 },
  { name: "desk_payments", access: ["Can view e-commerce payments", "Can view payment requests"], instead: SEEING, path: () => "/payments/", status: 200 },
  { name: "desk_export_payments", access: [...VIEW, "Can export payments"], instead: SEEING, path: () => "/payments/export/", fields: () => ({}), status: 200 },
  { name: "desk_payment", access: ["Can view e-commerce payments"], instead: SEEING, path: ({ session_id }) => `/payments/${session_id}/`, status: 200 },
  { name: "desk_operate", access: ["payment.cancel"], instead: OPERATING, path: ({ session_id }) => `/payments/${session_id}/operate/`, fields: () => ({ operation: "cancel", version: "0" }), status: 303 },
  { name: "desk_inquire", access: ["payment.inquiry"], path: ({ session_id }) => `/payments/${session_id}/inquire/`, fields: () => ({}), status: 400 },
  { name: "desk_notify", access: ["payment.inquiry"], path: ({ session_id }) => `/payments/${session_id}/notify/`, fields: () => ({}), status: 400 },
  { name: "desk_payment_link", access: ["Can view e-commerce payments"], instead: SEEING, path: ({ session_id }) => `/payments/${session_id}/link/`, status: 200 },
  { name: "desk_send_payment", access: ["Can change e-commerce payments"], instead: ["Can change payment requests"], path: ({ session_id }) => `/payments/${session_id}/send/`, fields: () => ({ channel: "email" }), status: 400 },
  { name: "desk_edit_payment", access: ["Can change e-commerce payments"], instead: ["Can change payment requests"], path: ({ session_id }) => `/payments/${session_id}/edit/`, status: 200 },
  { name: "desk_change_payment", access: ["Can change e-commerce payments"], instead: ["Can change payment requests"], path: ({ session_id }) => `/payments/${session_id}/edit/`, fields: () => ({ tag: "none" }), status: 303 },
  { name: "desk_approvals", access: ["Can approve"], instead: OPERATING, path: () => "/approvals/", status: 200 },
  { name: "desk_approval_policy", access: ["Can approve"], instead: OPERATING, path: () => "/approvals/policy/", status: 200 },
  { name: "desk_check_approval_policy", access: "everything", path: () => "/approvals/policy/check/", fields: () => ({ version: "0" }), status: 409 },
  { name: "desk_change_approval_policy", access: "everything", path: () => "/approvals/policy/", fields: () => ({ version: "0" }), status: 409 },
  { name: "desk_approval", access: ["Can approve"], instead: OPERATING, path: ({ approval }) => `/approvals/${approval}/`, status: 200 },
  // The stored request is not what its hash says.
  { name: "desk_approve", access: ["Can approve"], path: ({ approval }) => `/approvals/${approval}/approve/`, fields: () => ({ hash: "none" }), status: 409 },
  { name: "desk_reject", access: ["Can approve"], path: ({ approval }) => `/approvals/${approval}/reject/`, fields: () => ({ note: "no" }), status: 303 },
  { name: "desk_withdraw", access: ["payment.refund"], instead: OPERATING, path: ({ approval }) => `/approvals/${approval}/withdraw/`, fields: () => ({}), status: 409 },
  { name: "desk_attention", access: VIEW, instead: SEEING, path: () => "/attention/", status: 200 },
  { name: "desk_resolve_attention", access: ["Can change e-commerce payments"], instead: ["Can change payment requests"], path: ({ entry }) => `/attention/${entry}/resolve/`, fields: () => ({ note: "given back" }), status: 303 },
  { name: "desk_totals", access: VIEW, instead: SEEING, path: () => "/totals/?from=2026-11-01&to=2026-11-30", status: 200 },
  { name: "desk_customers", access: VIEW, instead: SEEING, path: () => "/customers/", status: 200 },
  { name: "desk_delete_card", ...owners, path: () => "/customers/card/", fields: () => ({ customer_id: "c", card: `card_00${"0".repeat(32)}` }) },
  { name: "desk_resume_debits", ...owners, path: () => "/customers/resume/", fields: () => ({ customer_id: "c", agreement: "a" }), status: 404 },
  { name: "desk_erase_customer", ...owners, path: () => "/customers/erase/", fields: () => ({ customer_id: "c", confirmed: "c" }) },
  { name: "desk_home", access: "signed in", path: () => "/", status: 200 },
  { name: "desk_show_code", access: "signed in", path: () => "/sign-in/code/", status: 303 },
  { name: "desk_give_code", access: "signed in", path: () => "/sign-in/code/", fields: () => ({ factor: "000000" }), status: 401 },
  { name: "desk_me", access: "signed in", path: () => "/me/", status: 200 },
  { name: "desk_choose_preferences", access: "signed in", path: () => "/me/preferences/", fields: () => ({ language: "", time_zone: "Asia/Kuwait" }), status: 303 },
  { name: "desk_end_session", access: "signed in", path: () => "/me/sessions/", fields: () => ({ session: "0".repeat(64) }), status: 404 },
  { name: "desk_show_factor", access: "signed in", path: () => "/me/factor/", status: 200 },
  { name: "desk_set_factor", access: "signed in", path: () => "/me/factor/", fields: () => ({ offered: "", code: "000000" }), status: 200 },
  { name: "desk_deliveries", ...log, path: () => "/deliveries/" },
  { name: "desk_delivery", ...log, path: ({ delivery }) => `/deliveries/${delivery}/` },
  { name: "desk_resend_delivery", ...resend, path: ({ delivery }) => `/deliveries/${delivery}/resend/`, fields: () => ({}) },
  { name: "desk_resend_deliveries", ...resend, path: () => "/deliveries/resend/", fields: () => ({ state: "given_up", days: "1" }) },
  { name: "desk_webhooks", access: ["Can manage access"], path: () => "/webhooks/", status: 200 },
  { name: "desk_change_webhooks", ...owners, path: () => "/webhooks/", fields: () => ({ operations: "https://shop.example.com/hook" }) },
  { name: "desk_send_test_webhook", ...owners, path: () => "/webhooks/test/", fields: () => ({ place: "nothing" }) },
  { name: "desk_replace_webhook_secret", access: "everything", path: () => "/webhooks/secret/", fields: () => ({ version: "0" }), status: 409 },
  { name: "desk_enable_receiver", ...owners, path: () => "/webhooks/enable/", fields: ({ receiver }) => ({ address: receiver }) },
];
