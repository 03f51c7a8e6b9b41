//! What endpoints do, as far as someone must be permitted to do it.

use crate::words::role::Role;

/// What a caller must be permitted to do before the body of a request is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Create payment transactions.
    Create,
    /// Upload files for payment transactions that exist or will be created.
    Upload,
    /// Retrieve payment transactions.
    Retrieve,
    /// Update payment transactions.
    Update,
    /// List payment transactions.
    List,
    /// Export payment transactions as a table.
    Export,
    /// List and delete saved cards: for keys only.
    Cards,
    /// Charge a saved card without the payer.
    Debit,
    /// Pay a transaction by device wallet.
    PayByWallet,
    /// Acknowledge that a transaction is paid in cash.
    PayInCash,
    /// List the merchant's payment methods.
    ListMethods,
    /// Capture, refund, void or end payments.
    Operate,
    /// See requests for approval.
    ReadApprovals,
    /// Decide about requests for approval: for persons only.
    Approve,
    /// Inquire about a payment.
    Inquire,
    /// Manage the merchant's own users and keys.
    ManageAccess,
    /// Manage the merchant's own webhooks, and erase its payers: for those who may do everything for the merchant.
    ManageMerchant,
    /// See and pay the transaction whose id the caller has.
    UseSession,
    /// Read what the installation is configured with, and what was done to it.
    ReadInstallation,
    /// Help merchants, and decide what waits for a person: what moves no money to anyone else, and gives no new access.
    Support,
    /// Decide who has access, and how merchants are configured.
    Administer,
    /// What everyone may do: nothing is asked about the caller.
    Anything,
}

/// What a caller must hold to do an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The credential of a merchant: a key or a user, as far as it is permitted.
    Merchant,
    /// The credential of an operator with this role, or a higher one.
    Operator(Role),
    /// The id of a session.
    Session,
    /// Nothing.
    Nothing,
}

impl Action {
    /// What a caller must hold to do it.
    #[must_use]
    pub const fn needs(self) -> Needs {
        match self {
            Self::Create
            | Self::Upload
            | Self::Retrieve
            | Self::Update
            | Self::List
            | Self::Export
            | Self::Cards
            | Self::Debit
            | Self::PayByWallet
            | Self::PayInCash
            | Self::ListMethods
            | Self::Operate
            | Self::ReadApprovals
            | Self::Approve
            | Self::Inquire
            | Self::ManageAccess
            | Self::ManageMerchant => Needs::Merchant,
            Self::UseSession => Needs::Session,
            Self::ReadInstallation => Needs::Operator(Role::Read),
            Self::Support => Needs::Operator(Role::Support),
            Self::Administer => Needs::Operator(Role::Admin),
            Self::Anything => Needs::Nothing,
        }
    }

    /// Whether it loads first the transaction that its body names, so that both can be read with who calls.
    #[must_use]
    pub const fn loads_what_its_body_names(self) -> bool {
        matches!(self, Self::PayByWallet | Self::PayInCash | Self::Inquire | Self::Debit)
    }

    /// How refusals of a request name the operation, even if its body cannot be read.
    #[must_use]
    pub const fn operation(self) -> Option<&'static str> {
        if matches!(self, Self::PayByWallet | Self::PayInCash) { Some("payment") } else { None }
    }
}
