//! The words of an agreement under which later payments are made.

use super::word_list;

word_list! {
    /// What later payments are for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AgreementType {
        /// Whenever something happens, such as a balance that is low.
        EventBased = "event_based",
        /// One price in parts.
        Installment = "installment",
        /// The same again and again.
        Recurring = "recurring",
        /// Without a plan.
        Unscheduled = "unscheduled",
        /// Anything else.
        Other = "other",
    }
}

word_list! {
    /// Whether each payment takes the same.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Variability {
        /// It does.
        Fixed = "fixed",
        /// It need not.
        Variable = "variable",
    }
}

word_list! {
    /// How often something is paid.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Frequency {
        /// At no fixed times.
        Irregular = "irregular",
        /// Every day.
        Daily = "daily",
        /// Every week.
        Weekly = "weekly",
        /// Twice a month.
        SemiMonthly = "semi_monthly",
        /// Every month.
        Monthly = "monthly",
        /// Every three months.
        Quarterly = "quarterly",
        /// Twice a year.
        SemiAnnually = "semi_annually",
        /// Every year.
        Yearly = "yearly",
        /// Otherwise.
        Other = "other",
    }
}
