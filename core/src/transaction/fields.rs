//! The fields of a payment transaction, a line each: everything that only depends on the field.
//!
//! What each side needs is passed to its macro by `transaction_fields`:
//!
//! | side | what derives from it |
//! |---|---|
//! | `request` | [`Request`](crate::draft::request::DraftRequest): the names in a body, each with its raw value |
//! | `patched` | what a `PATCH` leaves as it is stored |
//! | `form` | which names of a form are lists, objects and flags |
//! | `read` | how a field of [`Details`](crate::transaction::Details) is read, in the order in which violations are listed |
//! | `refused` | what create and update refuse by name |
//! | `flags` | [`Flags`](crate::draft::flags::Flags) |
//! | `stored` | [`Details`](crate::transaction::Details), in the order of the stored text, and its readers |
//! | `shown` | the members of [`view`](crate::answer::view), sorted by name |
//! | `notified` | what notifications repeat of it |
//! | `computed` | in the API description, what is only shown |
//!
//! Rules that span fields are code: the plugin, the gateways and the amount are read together in
//! [`draft`](crate::draft), and what an open attempt is charged by cannot change (`flow::merchant::update`).

pub(crate) mod sorted;

use crate::wire::json::name_of;

/// Passes what one side needs of the table to a macro, a row for each field.
///
/// The lines are in groups, by who decides the field:
///
/// - `columns` and `details` are written by create, `PUT` and `PATCH`, while the transaction can be paid;
/// - `columns` are stored in columns of their own, the details in one text; they are read together;
/// - `details` have a type, `=` how they are read with their limit (a function of `draft::details`; without it they are
///   read elsewhere), `form` for lists, objects and flags, `shown` and `notified`, each `by` a function if it is not
///   just the value: what is shown as it is, is copied from the stored text ([`raw`](super::raw)). `after` names the field after which the violations of this one are listed, out of the alphabet;
/// - `decided` are stored, and not written by the merchant;
/// - `flags` are written for one answer and stored nowhere;
/// - `refused` are no fields of a transaction; `payment_instrument` is taken out before, where it is permitted;
/// - `computed` are only shown.
macro_rules! transaction_fields {
    ($side:ident => $declare:ident) => {
        $crate::transaction::fields::sides! {
            $side $declare
            columns {
                /// The plugin.
                kind as "type";
                /// The total without fees.
                amount;
                /// ISO 4217 code.
                currency_code;
                /// The gateways from which the payer chooses.
                pg_codes, form List;
                /// The period in which the transaction can be paid.
                expiration_time;
            }
            details {
                /// What the payment is for.
                payment_type: PaymentType, shown by payment_type;
                /// The merchant's order number.
                order_no: Option<String> = order_no(128), shown, notified;
                /// The merchant's id of the payer.
                customer_id: Option<String> = customer_id(64) after customer_last_name, shown, notified;
                /// The payer's first name.
                customer_first_name: Option<String> = text(64), shown, notified;
                /// The payer's last name.
                customer_last_name: Option<String> = text(64), shown, notified;
                /// The payer's e-mail address.
                customer_email: Option<String> = email(128), shown, notified;
                /// The payer's phone number.
                customer_phone: Option<String> = text(16), shown, notified;
                /// Another phone number of the payer.
                customer_phone_2: Option<String> = text(16), shown;
                /// The payer's date of birth, `YYYY-MM-DD`.
                customer_birthdate: Option<String> = date, shown, notified;
                /// For the merchant's tracking.
                product_type: Option<String> = text(128), shown;
                /// For the merchant's accounting.
                vendor_name: Option<String> = text(64), shown;
                /// The language of the page and of all communication, if the merchant named it. Without it a page is in
                /// the language of its reader's browser.
                language: Option<Language> = language, shown by language;
                /// Where the payer goes after the payment.
                redirect_url: Option<WebAddress> = redirect_url, shown;
                /// Where notifications go.
                webhook_url: Option<WebAddress> = webhook_url, shown;
                /// When payment is due; for information only, it never changes the state.
                due_datetime: Option<Timestamp> = date_time, shown by due_datetime;
                /// The agreement under which later payments are made.
                agreement: Option<Box<Agreement>> = agreement,
                    form Object { extra_params: Object, seller: Object }, shown, notified;
                /// Where the payer lives.
                billing_address: Option<Box<Address>> = billing_address,
                    form Object, shown, notified by put_address;
                /// Where the goods go.
                shipping_address: Option<Box<ShippingAddress>> = shipping_address, form Object, shown;
                /// Whether the payer is to give the address of delivery.
                capture_delivery_address: Option<bool> = flag, form Flag, shown, notified;
                /// Whether the payer is to give the place of delivery.
                capture_delivery_location: Option<bool> = flag, form Flag, shown, notified;
                /// The requirements for a card, as the merchant gave them; answers show those that apply.
                card_acceptance_criteria: Option<CardAcceptanceCriteria> = card_acceptance_criteria,
                    form Object, shown by card_acceptance_criteria, notified by put_criteria;
                /// The merchant's recipients of copies of e-mails to the payer.
                email_recipients: Vec<String> = email_recipients, form SeparatedList, shown;
                /// About which events the payer is notified.
                notifications: Option<Notifications> = notifications,
                    form Object { email: List, sms: List, whatsapp: List }, shown;
                /// The id of the user who made the transaction.
                initiator_id: Option<u32> = initiator_id, shown;
                /// The merchant's log of a bulk dispatch.
                transaction_log_id: Option<u32> = number(0..=2_147_483_647), shown, notified;
                /// The file that goes with it: in JSON the address that a response showed, in a multipart body a part.
                attachment: Option<Box<AttachedFile>>, shown by attachment;
                /// The uploaded file that the merchant named, as the merchant wrote it.
                attachment_upload_url: Option<String>, shown;
                /// The slug of the merchant's unit.
                unit_code: Option<String> = unit_code(64);
                /// The merchant's own keys, as the merchant wrote them.
                extra: Option<Box<RawValue>> = extra, form OpenObject, shown, notified;
                /// How the page of this transaction looks, in place of the same members of the settings' brand, as the
                /// merchant wrote it.
                branding_options: Option<Box<RawValue>> = branding_options,
                    form Object { support: Object, links: Object }, shown;
            }
            decided {
                /// Whether the payer may choose how much to pay, as the settings said when the transaction was made.
                is_amount_editable: bool;
                /// The user who made the transaction, as they were then.
                initiator: Option<Box<Initiator>>;
                /// Whether who named the customer may not manage cards, so that the session shows no tokens of the customer's
                /// cards and deletes none.
                withholds_cards: bool;
            }
            flags {
                /// Show `attachment_short_url`.
                shortify_attachment_url;
                /// Show `checkout_short_url`.
                shortify_checkout_url;
                /// Show `qr_code_url`.
                generate_qr_code;
                /// Show `sdk_setup_preload_payload`.
                include_sdk_setup_preload;
            }
            refused {
                /// Charges the transaction at create. An update refuses it, so that nobody takes an updated
                /// transaction for a paid one.
                payment_instrument: NotSupported, form Object { payload: Verbatim, payload.token: Text };
            }
            computed {
                /// The short address of the attachment, if the request asked for it.
                attachment_short_url;
                /// What the first payment method that is offered costs, with its fee.
                billing after amount;
                /// The same as `checkout_url`.
                checkout_page_url;
                /// The short address of the checkout page, if the request asked for it.
                checkout_short_url;
                /// Where the payer pays.
                checkout_url;
                /// What the payer agreed to when they paid, if a card is charged again or saved by it.
                consent;
                /// When it was created.
                created_at;
                /// Whether the first gateway charges at once or only holds the money.
                operation;
                /// What was taken so far, fees included.
                paid_amount;
                /// When it was paid.
                paid_at;
                /// The payment methods that the payer can choose now.
                payment_methods;
                /// A picture of the address of the checkout page, if the request asked for it.
                qr_code_url;
                /// The signed receipt of a transaction that has ended (JWS).
                receipt;
                /// The reference number of the attempt that counts: the one that paid, or the latest.
                reference_number;
                /// What was given back.
                refunded_amount;
                /// What a checkout SDK needs to begin, if the request asked for it.
                sdk_setup_preload_payload;
                /// Its id. Anyone who knows it may see and pay it.
                session_id;
                /// The gateway that completed the payment.
                settled_pg_code;
                /// Its state.
                state;
                /// The same as `transactions`.
                transaction;
                /// Its captures, refunds and voids.
                transactions;
                /// What was released.
                voided_amount;
            }
        }
    };
}
pub(crate) use transaction_fields;

/// The grammar of the table, and the rows of each side.
macro_rules! sides {
    (
        $side:ident $declare:ident
        columns { $($(#[doc = $column_about:literal])* $column:ident $(as $wire:literal)? $(, form $column_form:ident)?;)* }
        details { $(
            $(#[doc = $about:literal])* $name:ident: $type:ty
                $(= $reader:ident $(($limit:expr))? $(after $before:ident)?)?
                $(, form $form:ident $({ $($member:ident: $member_form:ident),* })?)?
                $(, shown $(by $shown:ident)?)?
                $(, notified $(by $notified:ident)?)?;
        )* }
        decided { $($(#[doc = $decided_about:literal])* $decided:ident: $decided_type:ty;)* }
        flags { $($(#[doc = $flag_about:literal])* $flag:ident;)* }
        refused { $(
            $(#[doc = $refused_about:literal])* $refused:ident: $rule:ident
                $(, form $refused_form:ident $({ $($($refused_member:ident).+: $refused_member_form:ident),* })?)?;
        )* }
        computed { $($(#[doc = $computed_about:literal])* $computed:ident $(after $computed_before:ident)?;)* }
    ) => {
        $crate::transaction::fields::side! {
            $side $declare
            request {
                $($(#[doc = $column_about])* $column $(as $wire)?;)*
                $($(#[doc = $about])* $name;)*
                $($(#[doc = $flag_about])* $flag;)*
                $($(#[doc = $refused_about])* $refused;)*
            }
            patched { $($column;)* $($name;)* }
            form {
                $($($column: $column_form;)?)*
                $($($name: $form $({ $($member: $member_form;)* })?;)?)*
                $($($refused: $refused_form $({ $($($refused_member).+: $refused_member_form;)* })?;)?)*
                $($flag: Flag;)*
            }
            read { $($($name = $reader $(($limit))? $(after $before)?;)?)* }
            refused { $($refused: $rule;)* }
            flags { $($(#[doc = $flag_about])* $flag;)* }
            stored { $($(#[doc = $about])* $name: $type;)* $($(#[doc = $decided_about])* $decided: $decided_type;)* }
            shown {
                $($column $(as $wire)? => $column;)*
                $($($name $(=> $shown)?;)?)*
                $($computed $(after $computed_before)? => $computed;)*
            }
            notified { $($($name $(=> $notified)?;)?)* }
            computed { $($(#[doc = $computed_about])* $computed;)* }
        }
    };
}
pub(crate) use sides;

/// Passes the rows of the side that is named first.
macro_rules! side {
    (request $declare:ident request $rows:tt $($rest:tt)*) => { $declare! $rows };
    (patched $declare:ident patched $rows:tt $($rest:tt)*) => { $declare! $rows };
    (form $declare:ident form $rows:tt $($rest:tt)*) => { $declare! $rows };
    (read $declare:ident read $rows:tt $($rest:tt)*) => { $declare! $rows };
    (refused $declare:ident refused $rows:tt $($rest:tt)*) => { $declare! $rows };
    (flags $declare:ident flags $rows:tt $($rest:tt)*) => { $declare! $rows };
    (stored $declare:ident stored $rows:tt $($rest:tt)*) => { $declare! $rows };
    (shown $declare:ident shown $rows:tt $($rest:tt)*) => { $declare! $rows };
    (notified $declare:ident notified $rows:tt $($rest:tt)*) => { $declare! $rows };
    (computed $declare:ident computed $rows:tt $($rest:tt)*) => { $declare! $rows };
    ($side:ident $declare:ident $other:ident $rows:tt $($rest:tt)*) => {
        $crate::transaction::fields::side! { $side $declare $($rest)* }
    };
}
pub(crate) use side;

macro_rules! declare_refused {
    ($($name:ident: $rule:ident;)*) => {
        /// What create and update refuse by name.
        pub const REFUSED: &[&str] = &[$(stringify!($name)),*];
    };
}
transaction_fields!(refused => declare_refused);

macro_rules! declare_shown {
    ($($name:ident $(as $wire:literal)? $(after $before:ident)? $(=> $show:ident)?;)*) => {
        /// The members of a transaction, as the API shows it.
        pub const SHOWN: &[&str] = &[$(name_of!($name $($wire)?)),*];
    };
}
transaction_fields!(shown => declare_shown);

macro_rules! declare_notified {
    ($($name:ident $(=> $put:ident)?;)*) => {
        /// The fields that a notification repeats.
        pub const NOTIFIED: &[&str] = &[$(stringify!($name)),*];
    };
}
transaction_fields!(notified => declare_notified);

macro_rules! declare_computed {
    ($($(#[doc = $about:literal])* $name:ident;)*) => {
        /// The members that are only shown, with what is said of them.
        pub const COMPUTED: &[(&str, &[&str])] = &[$((stringify!($name), &[$($about),*])),*];
    };
}
transaction_fields!(computed => declare_computed);
