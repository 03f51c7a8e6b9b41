//! The table of the desk's addresses, each declared once: who may go there, and by which permission.

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::attention::AttentionId;
use crate::route::{Action, Segment, fill};
use crate::value::id::{ApprovalId, DeliveryId, MerchantId, SessionId};

/// Who may go to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskAccess {
    /// Anyone, signed in or not.
    Anyone,
    /// Those who are signed in and may do this.
    Staff(Action),
    /// Those who are signed in, may do this, and gave a factor a short while ago.
    Fresh(Action),
}

impl DeskAccess {
    /// What those who are signed in must be permitted to do; `None` if nobody needs to be signed in.
    #[must_use]
    pub const fn action(self) -> Option<Action> {
        match self {
            Self::Anyone => None,
            Self::Staff(action) | Self::Fresh(action) => Some(action),
        }
    }
}

/// What is known of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeskFacts {
    /// Its word in the operator's log.
    pub name: &'static str,
    /// Its method: a `GET` changes nothing.
    pub method: &'static str,
    /// Its path, with `{}` for each part that varies.
    pub pattern: &'static str,
    /// Who may go there.
    pub access: DeskAccess,
}

/// What a method and a path mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeskMatch {
    /// This address.
    Route(DeskRoute),
    /// The address answers another method only.
    WrongMethod {
        /// For the header `Allow`.
        allow: &'static str,
    },
    /// There is no such address.
    Nothing,
}

/// Declares the addresses, a line each: the variant with the parts that vary, method, path, name and who may go there.
macro_rules! desk_routes {
    ($($(#[$doc:meta])* $name:ident $(($($part:ident: $kind:ty),+))? = $method:ident $path:literal, $word:literal, $access:expr;)*) => {
        /// One address of the desk, with its method.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum DeskRoute {
            $($(#[$doc])* $name $(($($kind),+))?,)*
        }

        impl DeskRoute {
            /// What is known of every address.
            pub(crate) const TABLE: &[DeskFacts] = &[
                $(DeskFacts { name: $word, method: stringify!($method), pattern: $path, access: $access },)*
            ];

            /// What is known of this one.
            #[must_use]
            pub const fn facts(&self) -> DeskFacts {
                match self {
                    $(Self::$name { .. } =>
                        DeskFacts { name: $word, method: stringify!($method), pattern: $path, access: $access },)*
                }
            }

            /// The transaction that it names, for who loads it first.
            #[must_use]
            pub fn session(&self) -> Option<&SessionId> {
                match self {
                    $(Self::$name $(($($part),+))? => {
                        let named: &[Option<&SessionId>] = &[$($(Segment::session($part)),+)?];
                        named.iter().flatten().next().copied()
                    })*
                }
            }

            /// The path.
            #[must_use]
            pub fn path(&self) -> String {
                match self {
                    $(Self::$name $(($($part),+))? => fill($path, &[$($(Segment::write($part)),+)?]),)*
                }
            }

            fn read(facts: &DeskFacts, parts: &[&str]) -> Option<Self> {
                let mut parts = parts.iter();
                match facts.name {
                    $($word => {
                        $($(let $part = <$kind as Segment>::read(parts.next()?)?;)+)?
                        parts.next().is_none().then_some(Self::$name $(($($part),+))?)
                    })*
                    _ => None,
                }
            }
        }
    };
}

desk_routes! {
    /// The style sheet, whose name is of its text.
    StyleSheet(name: String) = GET "/style/{}", "desk_style", DeskAccess::Anyone;
    /// Ask for a name and a password.
    ShowSignIn = GET "/sign-in/", "desk_show_sign_in", DeskAccess::Anyone;
    /// Sign in.
    SignIn = POST "/sign-in/", "desk_sign_in", DeskAccess::Anyone;
    /// Ask who forgot a password.
    ShowLostPassword = GET "/sign-in/lost-password/", "desk_show_lost_password", DeskAccess::Anyone;
    /// Send who forgot a password a link.
    LostPassword = POST "/sign-in/lost-password/", "desk_lost_password", DeskAccess::Anyone;
    /// Ask for a password, by a link.
    ShowChoice(token: String) = GET "/sign-in/link/{}/", "desk_show_choice", DeskAccess::Anyone;
    /// Take the password.
    ChoosePassword(token: String) = POST "/sign-in/link/{}/", "desk_choose_password", DeskAccess::Anyone;
    /// Ask for the company whose provider signs in.
    ShowProvider = GET "/sign-in/provider/", "desk_show_provider", DeskAccess::Anyone;
    /// Go to the provider.
    GoToProvider = POST "/sign-in/provider/", "desk_go_to_provider", DeskAccess::Anyone;
    /// Go to the provider again, with a form that needs a fresh factor.
    GoToProviderAgain = POST "/sign-in/provider/again/", "desk_go_to_provider_again", DeskAccess::Staff(Action::Anything);
    /// Come back from the provider of a merchant.
    ReturnFromProvider(merchant: MerchantId) = GET "/sign-in/provider/return/{}/", "desk_return_from_provider", DeskAccess::Anyone;
    /// Sign out.
    SignOut = POST "/sign-out/", "desk_sign_out", DeskAccess::Staff(Action::Anything);
    /// Ask for a code to sign in.
    ShowCode = GET "/sign-in/code/", "desk_show_code", DeskAccess::Staff(Action::Anything);
    /// Take the code.
    GiveCode = POST "/sign-in/code/", "desk_give_code", DeskAccess::Staff(Action::Anything);
    /// Show the visitor's own factor and sessions.
    Me = GET "/me/", "desk_me", DeskAccess::Staff(Action::Anything);
    /// Choose the language and the time zone of the visitor.
    ChoosePreferences = POST "/me/preferences/", "desk_choose_preferences", DeskAccess::Staff(Action::Anything);
    /// End a session of the visitor.
    EndSession = POST "/me/sessions/", "desk_end_session", DeskAccess::Staff(Action::Anything);
    /// Offer a second factor.
    ShowFactor = GET "/me/factor/", "desk_show_factor", DeskAccess::Staff(Action::Anything);
    /// Set the second factor up.
    SetFactor = POST "/me/factor/", "desk_set_factor", DeskAccess::Fresh(Action::Anything);
    /// Show the desk in another language.
    ChooseLanguage = POST "/language/", "desk_choose_language", DeskAccess::Staff(Action::Anything);
    /// Fill in a new payment.
    NewPayment = GET "/new-payment/", "desk_new_payment", DeskAccess::Staff(Action::Create);
    /// Create a payment.
    CreatePayment = POST "/new-payment/", "desk_create_payment", DeskAccess::Staff(Action::Create);
    /// Save what is filled in of a new payment as a template.
    SaveTemplate = POST "/new-payment/templates/", "desk_save_template", DeskAccess::Staff(Action::Create);
    /// Delete a template.
    DeleteTemplate = POST "/new-payment/templates/delete/", "desk_delete_template", DeskAccess::Staff(Action::Create);
    /// List the payments.
    Payments = GET "/payments/", "desk_payments", DeskAccess::Staff(Action::List);
    /// Export the payments of a list.
    ExportPayments = POST "/payments/export/", "desk_export_payments", DeskAccess::Fresh(Action::Export);
    /// Show a payment.
    Payment(id: SessionId) = GET "/payments/{}/", "desk_payment", DeskAccess::Staff(Action::Retrieve);
    /// Refund, void, capture or cancel a payment.
    Operate(id: SessionId) = POST "/payments/{}/operate/", "desk_operate", DeskAccess::Fresh(Action::Operate);
    /// Ask the gateway what became of a payment.
    InquirePayment(id: SessionId) = POST "/payments/{}/inquire/", "desk_inquire", DeskAccess::Staff(Action::Inquire);
    /// Notify the merchant of a payment.
    NotifyPayment(id: SessionId) = POST "/payments/{}/notify/", "desk_notify", DeskAccess::Staff(Action::Inquire);
    /// Show the link of a payment.
    PaymentLink(id: SessionId) = GET "/payments/{}/link/", "desk_payment_link", DeskAccess::Staff(Action::Retrieve);
    /// Send the payer the message about a payment.
    SendPayment(id: SessionId) = POST "/payments/{}/send/", "desk_send_payment", DeskAccess::Staff(Action::Update);
    /// Show the form that changes one that can still be paid.
    EditPayment(id: SessionId) = GET "/payments/{}/edit/", "desk_edit_payment", DeskAccess::Staff(Action::Update);
    /// Change it.
    ChangePayment(id: SessionId) = POST "/payments/{}/edit/", "desk_change_payment", DeskAccess::Staff(Action::Update);
    /// List the requests for approval.
    Approvals = GET "/approvals/", "desk_approvals", DeskAccess::Staff(Action::ReadApprovals);
    /// Show which refunds and voids have to be approved. No request is called as its address is.
    ApprovalPolicy = GET "/approvals/policy/", "desk_approval_policy", DeskAccess::Staff(Action::ReadApprovals);
    /// Show what a changed policy would mean.
    CheckApprovalPolicy = POST "/approvals/policy/check/", "desk_check_approval_policy", DeskAccess::Staff(Action::ManageMerchant);
    /// Change the policy.
    ChangeApprovalPolicy = POST "/approvals/policy/", "desk_change_approval_policy", DeskAccess::Fresh(Action::ManageMerchant);
    /// Show one.
    Approval(id: ApprovalId) = GET "/approvals/{}/", "desk_approval", DeskAccess::Staff(Action::ReadApprovals);
    /// Approve one.
    Approve(id: ApprovalId) = POST "/approvals/{}/approve/", "desk_approve", DeskAccess::Fresh(Action::Approve);
    /// Reject one.
    Reject(id: ApprovalId) = POST "/approvals/{}/reject/", "desk_reject", DeskAccess::Staff(Action::Approve);
    /// Take one back.
    Withdraw(id: ApprovalId) = POST "/approvals/{}/withdraw/", "desk_withdraw", DeskAccess::Staff(Action::Operate);
    /// List what a person should look at.
    Attention = GET "/attention/", "desk_attention", DeskAccess::Staff(Action::List);
    /// Resolve an entry of that list.
    ResolveAttention(id: AttentionId) = POST "/attention/{}/resolve/", "desk_resolve_attention", DeskAccess::Staff(Action::Update);
    /// What payments add up to.
    Totals = GET "/totals/", "desk_totals", DeskAccess::Staff(Action::List);
    /// Show a customer.
    Customers = GET "/customers/", "desk_customers", DeskAccess::Staff(Action::List);
    /// Delete a saved card of a customer.
    DeleteCard = POST "/customers/card/", "desk_delete_card", DeskAccess::Staff(Action::ManageMerchant);
    /// Resume an agreement of a customer.
    ResumeDebits = POST "/customers/resume/", "desk_resume_debits", DeskAccess::Fresh(Action::ManageMerchant);
    /// Erase what identifies a customer.
    EraseCustomer = POST "/customers/erase/", "desk_erase_customer", DeskAccess::Fresh(Action::ManageMerchant);
    /// The first screen.
    Home = GET "/", "desk_home", DeskAccess::Staff(Action::Anything);
    /// The log of webhooks and messages.
    Deliveries = GET "/deliveries/", "desk_deliveries", DeskAccess::Staff(Action::List);
    /// One delivery with every try.
    Delivery(id: DeliveryId) = GET "/deliveries/{}/", "desk_delivery", DeskAccess::Staff(Action::List);
    /// Send it again.
    ResendDelivery(id: DeliveryId) = POST "/deliveries/{}/resend/", "desk_resend_delivery", DeskAccess::Staff(Action::Inquire);
    /// Send many again.
    ResendDeliveries = POST "/deliveries/resend/", "desk_resend_deliveries", DeskAccess::Staff(Action::Inquire);
    /// Where webhooks go, and the receivers that fail.
    Webhooks = GET "/webhooks/", "desk_webhooks", DeskAccess::Staff(Action::ManageAccess);
    /// Change where webhooks go.
    ChangeWebhooks = POST "/webhooks/", "desk_change_webhooks", DeskAccess::Staff(Action::ManageMerchant);
    /// Send a test webhook.
    SendTestWebhook = POST "/webhooks/test/", "desk_send_test_webhook", DeskAccess::Staff(Action::ManageMerchant);
    /// Enable a receiver again.
    EnableReceiver = POST "/webhooks/enable/", "desk_enable_receiver", DeskAccess::Staff(Action::ManageMerchant);
    /// Make another secret by which webhooks are signed.
    ReplaceWebhookSecret = POST "/webhooks/secret/", "desk_replace_webhook_secret", DeskAccess::Fresh(Action::ManageMerchant);
}

impl DeskRoute {
    /// Whether its page shows who payers are, to those who may see it.
    #[must_use]
    pub(crate) const fn shows_payers(&self) -> bool {
        matches!(
            self,
            Self::Home
                | Self::Payments
                | Self::Payment(_)
                | Self::PaymentLink(_)
                | Self::EditPayment(_)
                | Self::Approvals
                | Self::Approval(_)
                | Self::Attention
                | Self::NewPayment
                | Self::Customers
                | Self::Delivery(_)
        )
    }
}

/// What `method` on `path` means. `HEAD` is read as `GET`.
#[must_use]
pub fn find(method: &str, path: &str) -> DeskMatch {
    let method = if method == "HEAD" { "GET" } else { method };
    let mut allow = None;
    for facts in DeskRoute::TABLE {
        let Some(route) = parts(facts.pattern, path).and_then(|parts| DeskRoute::read(facts, &parts)) else {
            continue;
        };
        if facts.method == method {
            return DeskMatch::Route(route);
        }
        allow = allow.or(Some(facts.method));
    }
    allow.map_or(DeskMatch::Nothing, |allow| DeskMatch::WrongMethod { allow })
}

/// The parts of a path that vary in its pattern; `None` if it is of another pattern.
fn parts<'a>(pattern: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let (mut fixed, mut given) = (pattern.split('/'), path.split('/'));
    let mut parts = Vec::new();
    loop {
        match (fixed.next(), given.next()) {
            (None, None) => return Some(parts),
            (Some("{}"), Some(part)) if !part.is_empty() => parts.push(part),
            (Some(fixed), Some(given)) if fixed == given => {}
            _ => return None,
        }
    }
}

/// Where to go after a form, as the form names it: a page of the desk, with its query. Anything else leads to the first screen.
#[must_use]
pub fn way_back(named: Option<&str>) -> String {
    let is_page = |text: &&str| {
        let path = text.split('?').next().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#' | b'"');
        text.bytes().all(is_plain) && is_staffs(path)
    };
    named.filter(is_page).map_or_else(|| DeskRoute::Home.path(), String::from)
}

fn is_staffs(path: &str) -> bool {
    let DeskMatch::Route(route) = find("GET", path) else { return false };
    route.facts().access.action().is_some() && route != DeskRoute::ShowCode
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_own_name_and_address_and_is_found() {
        for (place, facts) in DeskRoute::TABLE.iter().enumerate() {
            let before = DeskRoute::TABLE.iter().take(place);
            assert!(before.clone().all(|other| other.name != facts.name), "{}", facts.name);
            assert!(
                before.clone().all(|other| (other.method, other.pattern) != (facts.method, facts.pattern)),
                "{}",
                facts.name
            );
            assert!(facts.name.starts_with("desk_") && matches!(facts.method, "GET" | "POST"));
        }
        assert_eq!(find("HEAD", "/"), DeskMatch::Route(DeskRoute::Home));
        assert_eq!(find("GET", "/style/a.css"), DeskMatch::Route(DeskRoute::StyleSheet("a.css".into())));
        assert_eq!(DeskRoute::StyleSheet("a.css".into()).path(), "/style/a.css");
    }

    #[test]
    fn other_methods_and_addresses_are_refused() {
        assert_eq!(find("GET", "/sign-out/"), DeskMatch::WrongMethod { allow: "POST" });
        for path in ["", "/sign-in", "/sign-in//", "/style/", "/style/a/b", "//", "/b/checkout/v1/pymt-txn/"]
        {
            assert_eq!(find("GET", path), DeskMatch::Nothing, "{path}");
        }
    }

    #[test]
    fn the_way_back_never_leaves_the_desk() {
        for good in ["/?state=paid&q=a%20b", "/"] {
            assert_eq!(way_back(Some(good)), good);
        }
        for bad in [
            "//evil.example/",
            "https://evil.example/",
            "/\\evil.example/",
            "/sign-in/",
            "/sign-out/",
            "/style/a",
            "",
            "?a",
            "/?a=\r\nSet-Cookie: b",
            "/#a",
            "/%2f/evil.example",
        ] {
            assert_eq!(way_back(Some(bad)), "/", "{bad:?}");
        }
        assert_eq!(way_back(None), "/");
    }
}
