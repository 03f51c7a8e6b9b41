//! What the desk says, in English and Arabic. Each screen has its own words.

mod access_link;
mod approval;
mod approval_policy;
mod attention;
mod customer;
mod deliveries;
mod factor;
mod fault;
mod frame;
mod history;
pub(super) mod isolated;
mod me;
mod new_payment;
mod payment;
mod problem;
mod provider;
mod refused;
mod sign_in;
mod template;
mod totals;
mod webhooks;

use crate::words::Language;

pub use access_link::AccessLinkWords;
pub use approval::ApprovalWords;
pub use approval_policy::ApprovalPolicyWords;
pub use attention::AttentionWords;
pub use customer::CustomerWords;
pub use deliveries::DeliveryWords;
pub use factor::FactorWords;
pub use frame::{FrameWords, NavigationWords};
pub use me::MeWords;
pub use new_payment::{NewPaymentWords, PaymentLinkWords};
pub use payment::PaymentWords;
pub use problem::ProblemWords;
pub use provider::ProviderWords;
pub use sign_in::SignInWords;
pub use template::TemplateWords;
pub use totals::TotalWords;
pub use webhooks::WebhookWords;

/// The words of one language.
#[derive(Debug)]
pub struct DeskWords {
    /// The language.
    pub language: Language,
    /// What is around every screen.
    pub frame: FrameWords,
    /// The entries of the navigation.
    pub navigation: NavigationWords,
    /// Requests for approval.
    pub approval: ApprovalWords,
    /// Which refunds and voids have to be approved.
    pub approval_policy: ApprovalPolicyWords,
    /// What a person should look at.
    pub attention: AttentionWords,
    /// Customers, and one of them.
    pub customer: CustomerWords,
    /// The form of a new payment.
    pub new_payment: NewPaymentWords,
    /// Templates of a new payment.
    pub template: TemplateWords,
    /// Payments, and one of them.
    pub payment: PaymentWords,
    /// The link of a payment.
    pub payment_link: PaymentLinkWords,
    /// Why there is no screen.
    pub problem: ProblemWords,
    /// What someone sees of themselves.
    pub me: MeWords,
    /// The second factor.
    pub factor: FactorWords,
    /// A lost password, and the choice of one.
    pub access_link: AccessLinkWords,
    /// Signing in.
    pub sign_in: SignInWords,
    /// Signing in through a provider.
    pub provider: ProviderWords,
    /// The log of webhooks and messages.
    pub deliveries: DeliveryWords,
    /// What payments add up to, and the first screen.
    pub totals: TotalWords,
    /// Where webhooks go.
    pub webhooks: WebhookWords,
}

impl DeskWords {
    const ENGLISH: Self = Self {
        language: Language::En,
        access_link: AccessLinkWords::ENGLISH,
        frame: FrameWords::ENGLISH,
        navigation: NavigationWords::ENGLISH,
        approval: ApprovalWords::ENGLISH,
        approval_policy: ApprovalPolicyWords::ENGLISH,
        attention: AttentionWords::ENGLISH,
        customer: CustomerWords::ENGLISH,
        new_payment: NewPaymentWords::ENGLISH,
        template: TemplateWords::ENGLISH,
        payment: PaymentWords::ENGLISH,
        payment_link: PaymentLinkWords::ENGLISH,
        problem: ProblemWords::ENGLISH,
        me: MeWords::ENGLISH,
        factor: FactorWords::ENGLISH,
        sign_in: SignInWords::ENGLISH,
        provider: ProviderWords::ENGLISH,
        deliveries: DeliveryWords::ENGLISH,
        totals: TotalWords::ENGLISH,
        webhooks: WebhookWords::ENGLISH,
    };
    const ARABIC: Self = Self {
        language: Language::Ar,
        access_link: AccessLinkWords::ARABIC,
        frame: FrameWords::ARABIC,
        navigation: NavigationWords::ARABIC,
        approval: ApprovalWords::ARABIC,
        approval_policy: ApprovalPolicyWords::ARABIC,
        attention: AttentionWords::ARABIC,
        customer: CustomerWords::ARABIC,
        new_payment: NewPaymentWords::ARABIC,
        template: TemplateWords::ARABIC,
        payment: PaymentWords::ARABIC,
        payment_link: PaymentLinkWords::ARABIC,
        problem: ProblemWords::ARABIC,
        me: MeWords::ARABIC,
        factor: FactorWords::ARABIC,
        sign_in: SignInWords::ARABIC,
        provider: ProviderWords::ARABIC,
        deliveries: DeliveryWords::ARABIC,
        totals: TotalWords::ARABIC,
        webhooks: WebhookWords::ARABIC,
    };

    /// The words of a language.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &Self::ENGLISH,
            Language::Ar => &Self::ARABIC,
        }
    }
}
