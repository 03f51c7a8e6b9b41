/** The parts of a merchant's account, each with its operations. */
import { type Api, asIs, on, once, read } from "./connection.js";
import type { Answer, Body, Challenge, Notification, Once, Query, SavedCard } from "./types.js";

/** Bytes, as a browser, Node or a Worker has them. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

class Resource {
  protected readonly api: Api;

  constructor(api: Api) {
    this.api = api;
  }
}

/** Payments that the merchant's server makes itself, with what the payer gave it. */
export class Payments extends Resource {
  applePay(payment: Body<"pay_by_apple_pay">, { idempotencyKey }: Once = {}): Promise<Notification | Challenge> {
    return read(this.api.POST("/b/pbl/v2/payment/apple-pay/", { body: payment, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }

  googlePay(payment: Body<"pay_by_google_pay">, { idempotencyKey }: Once = {}): Promise<Notification | Challenge> {
    return read(this.api.POST("/b/pbl/v2/payment/google-pay/", { body: payment, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }

  /** Cash on delivery. */
  cash(payment: Body<"pay_in_cash">, { idempotencyKey }: Once = {}): Promise<Answer<"pay_in_cash">> {
    return read(this.api.POST("/b/pbl/v2/payment/cash/", { body: payment, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }

  /** Charges a saved card by its agreement, without the payer. */
  autoDebit(payment: Body<"auto_debit">, { idempotencyKey }: Once = {}): Promise<Answer<"auto_debit">> {
    return read(this.api.POST("/b/pbl/v2/payment/auto-debit/", { body: payment, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }
}

/** Saved cards. Only a key may read them. */
export class Cards extends Resource {
  list(whose: Body<"list_cards">): Promise<SavedCard[]> {
    return read(this.api.POST("/b/pbl/v2/card/", { body: whose }));
  }

  delete(token: string, whose: Query<"delete_card">): Promise<void> {
    return read(this.api.DELETE("/b/pbl/v2/card/{token}/", { params: { path: { token }, query: whose } }));
  }
}

/** Agreements under which saved cards are debited. Only a key may read them. */
export class Agreements extends Resource {
  list(whose: Body<"list_agreements">): Promise<Answer<"list_agreements">> {
    return read(this.api.POST("/b/checkout/v1/agreements/", { body: whose }));
  }

  /** After the last new try was declined. */
  resume(which: Body<"resume_agreement">): Promise<Answer<"resume_agreement">> {
    return read(this.api.POST("/b/checkout/v1/agreements/resume/", { body: which }));
  }
}

/** Refunds and voids that another person has to permit. Only users approve and reject. */
export class Approvals extends Resource {
  /** The newest first, a page at a time. */
  list(filters: Query<"list_approvals"> = {}): Promise<Answer<"list_approvals">> {
    return read(this.api.GET("/b/checkout/v1/approvals/", { params: { query: filters } }));
  }

  retrieve(approval_id: string): Promise<Answer<"read_approval">> {
    return read(this.api.GET("/b/checkout/v1/approvals/{approval_id}/", on({ approval_id })));
  }

  approve(approval_id: string, seen: Body<"approve"> = {}): Promise<Answer<"approve">> {
    return read(this.api.POST("/b/checkout/v1/approvals/{approval_id}/approve/", { ...on({ approval_id }), body: seen }));
  }

  reject(approval_id: string, why: Body<"reject">): Promise<Answer<"reject">> {
    return read(this.api.POST("/b/checkout/v1/approvals/{approval_id}/reject/", { ...on({ approval_id }), body: why }));
  }

  withdraw(approval_id: string): Promise<Answer<"withdraw">> {
    return read(this.api.POST("/b/checkout/v1/approvals/{approval_id}/withdraw/", on({ approval_id })));
  }
}

/** What a person should look at. */
export class Attention extends Resource {
  /** The newest first, a page at a time: those that are open, without another state. */
  list(filters: Query<"list_own_attention"> = {}): Promise<Answer<"list_own_attention">> {
    return read(this.api.GET("/b/checkout/v1/attention/", { params: { query: filters } }));
  }

  /** After it was dealt with, with a note. */
  resolve(entry_id: string, how: Body<"resolve_own_attention">): Promise<Answer<"resolve_own_attention">> {
    return read(this.api.POST("/b/checkout/v1/attention/{entry_id}/resolve/", { ...on({ entry_id }), body: how }));
  }
}

/** The log of webhooks that were sent, or are to be. */
export class Deliveries extends Resource {
  /** The newest first, a page at a time. */
  list(filters: Query<"read_own_deliveries"> = {}): Promise<Answer<"read_own_deliveries">> {
    return read(this.api.GET("/b/access/v1/deliveries/", { params: { query: filters } }));
  }

  /** One with every try. */
  retrieve(delivery_id: string): Promise<Answer<"read_own_delivery">> {
    return read(this.api.GET("/b/access/v1/deliveries/{delivery_id}/", on({ delivery_id })));
  }

  /** Sends one again, or those of a period. Repeat while `may_continue`. */
  resend(which: Body<"resend_own_deliveries">): Promise<Answer<"resend_own_deliveries">> {
    return read(this.api.POST("/b/access/v1/resend/", { body: which }));
  }
}

/** The servers that get webhooks. */
export class Receivers extends Resource {
  list(): Promise<Answer<"list_own_receivers">> {
    return read(this.api.GET("/b/access/v1/receivers/"));
  }

  /** Lets one that was disabled have what is held for it. */
  enable(receiver: Body<"enable_own_receiver">): Promise<Answer<"enable_own_receiver">> {
    return read(this.api.POST("/b/access/v1/receivers/enable/", { body: receiver }));
  }
}

/** Where webhooks go, and what signs them. */
export class WebhookSettings extends Resource {
  addresses(): Promise<Answer<"read_own_webhook_addresses">> {
    return read(this.api.GET("/b/access/v1/webhook-addresses/"));
  }

  changeAddresses(change: Body<"change_own_webhook_addresses">): Promise<Answer<"change_own_webhook_addresses">> {
    return read(this.api.PATCH("/b/access/v1/webhook-addresses/", { body: change }));
  }

  /** Sends a sample, and answers what the receiver said. */
  sendTest(test: Body<"send_own_test_webhook">): Promise<Answer<"send_own_test_webhook">> {
    return read(this.api.POST("/b/access/v1/test-webhooks/", { body: test }));
  }

  /** A new secret, shown once. Both sign for a day. */
  addSecret(): Promise<Answer<"add_own_webhook_secret">> {
    return read(this.api.POST("/b/access/v1/webhook-secrets/"));
  }

  /** The secret before it signs no longer. */
  dropPreviousSecret(): Promise<void> {
    return read(this.api.DELETE("/b/access/v1/webhook-secrets/previous/"));
  }

  /** A new key of the field `signature`, shown once. */
  replaceSignatureKey(body: Body<"replace_own_signature_key"> = {}): Promise<Answer<"replace_own_signature_key">> {
    return read(this.api.POST("/b/access/v1/signature-keys/", { body }));
  }
}

/** How the page looks. */
export class Brand extends Resource {
  retrieve(): Promise<Answer<"read_own_brand">> {
    return read(this.api.GET("/b/access/v1/brand/"));
  }

  replace(brand: Body<"replace_own_brand">): Promise<Answer<"replace_own_brand">> {
    return read(this.api.PUT("/b/access/v1/brand/", { body: brand }));
  }

  /** A screen of the page, as HTML. */
  preview(screen: Query<"preview_own_brand"> = {}): Promise<string> {
    return read(this.api.GET("/b/access/v1/brand/preview/", { params: { query: screen }, parseAs: "text" }));
  }
}

/** Images for the brand and for what is sold. */
export class Images extends Resource {
  list(): Promise<Answer<"list_own_images">> {
    return read(this.api.GET("/b/access/v1/images/"));
  }

  /** `mediaType` is that of the bytes, such as `image/png`. */
  upload(image: Bytes, mediaType: string): Promise<Answer<"upload_own_image">> {
    const sent = { body: image as unknown as string, bodySerializer: asIs, headers: { "Content-Type": mediaType } };
    return read(this.api.POST("/b/access/v1/images/", sent));
  }

  delete(image: string): Promise<void> {
    return read(this.api.DELETE("/b/access/v1/images/{image}/", on({ image })));
  }
}

/** Keys of the API. */
export class Keys extends Resource {
  list(): Promise<Answer<"list_own_keys">> {
    return read(this.api.GET("/b/access/v1/keys/"));
  }

  /** A new one, shown once. */
  add(key: Body<"add_own_key">): Promise<Answer<"add_own_key">> {
    return read(this.api.POST("/b/access/v1/keys/", { body: key }));
  }

  revoke(prefix: string): Promise<void> {
    return read(this.api.DELETE("/b/access/v1/keys/{prefix}/", on({ prefix })));
  }
}

/** People who may do some of what a key may. */
export class Users extends Resource {
  /** The roles, with the permissions that each fills in. */
  roles(): Promise<Answer<"list_roles">> {
    return read(this.api.GET("/b/access/v1/roles/"));
  }

  list(): Promise<Answer<"list_own_users">> {
    return read(this.api.GET("/b/access/v1/users/"));
  }

  add(user: Body<"add_own_user">): Promise<Answer<"add_own_user">> {
    return read(this.api.POST("/b/access/v1/users/", { body: user }));
  }

  retrieve(user_id: number): Promise<Answer<"read_own_user">> {
    return read(this.api.GET("/b/access/v1/users/{user_id}/", on({ user_id: String(user_id) })));
  }

  change(user_id: number, change: Body<"change_own_user">): Promise<Answer<"change_own_user">> {
    return read(this.api.PATCH("/b/access/v1/users/{user_id}/", { ...on({ user_id: String(user_id) }), body: change }));
  }

  /** Sends a link to choose a password. */
  invite(user_id: number): Promise<Answer<"invite_own_user">> {
    return read(this.api.POST("/b/access/v1/users/{user_id}/invite/", on({ user_id: String(user_id) })));
  }

  /** Removes the second factor of someone who lost it. */
  resetFactor(user_id: number): Promise<void> {
    return read(this.api.POST("/b/access/v1/users/{user_id}/reset-factor/", on({ user_id: String(user_id) })));
  }
}

/** Messages to payers. */
export class Messages extends Resource {
  /** What became of each, the newest first, a page at a time. */
  list(filters: Query<"read_own_messages"> = {}): Promise<Answer<"read_own_messages">> {
    return read(this.api.GET("/b/access/v1/messages/", { params: { query: filters } }));
  }

  /** Sends the payer the message about the present state of a payment once more. */
  remind(about: Body<"message_notification">): Promise<Answer<"message_notification">> {
    return read(this.api.POST("/b/pbl/v2/message-notification/", { body: about }));
  }
}

/** Who changed what in the merchant's account. */
export class Audit extends Resource {
  list(filters: Query<"read_own_audit"> = {}): Promise<Answer<"read_own_audit">> {
    return read(this.api.GET("/b/access/v1/audit/", { params: { query: filters } }));
  }
}
