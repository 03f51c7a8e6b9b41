import { type Api, type TillOptions, connect, on, once, read } from "./connection.js";
import { Agreements, Approvals, Attention, Audit, Brand, type Bytes, Cards, Deliveries, Images, Keys, Messages, Payments, Receivers, Users, WebhookSettings } from "./resources.js";
import type {
  Answer, ApprovalShown, Body, Challenge, Filters, Inquiry, Listing, NewTransaction, Notification, Once, Operation, OperationDone, OperationResult, Page,
  PaymentInstrument, Query, Transaction, TransactionChange,
} from "./types.js";

/** Of `attach`: the transaction that gets the file, and whether a short address is answered too. */
export type Attachment = Omit<Body<"upload_attachment">, "file">;

/** The operations of a merchant's server. Every one throws `ProblemError` if it is refused, `NoAnswer` if none came. */
export class Till {
  /** Every operation of the API, typed by its path. */
  readonly api: Api;
  readonly payments: Payments;
  readonly cards: Cards;
  readonly agreements: Agreements;
  readonly approvals: Approvals;
  readonly attention: Attention;
  readonly deliveries: Deliveries;
  readonly receivers: Receivers;
  readonly webhooks: WebhookSettings;
  readonly brand: Brand;
  readonly images: Images;
  readonly keys: Keys;
  readonly users: Users;
  readonly messages: Messages;
  readonly audit: Audit;

  constructor(options: TillOptions) {
    this.api = connect(options);
    this.payments = new Payments(this.api);
    this.cards = new Cards(this.api);
    this.agreements = new Agreements(this.api);
    this.approvals = new Approvals(this.api);
    this.attention = new Attention(this.api);
    this.deliveries = new Deliveries(this.api);
    this.receivers = new Receivers(this.api);
    this.webhooks = new WebhookSettings(this.api);
    this.brand = new Brand(this.api);
    this.images = new Images(this.api);
    this.keys = new Keys(this.api);
    this.users = new Users(this.api);
    this.messages = new Messages(this.api);
    this.audit = new Audit(this.api);
  }

  /** Creates a payment transaction. With an idempotency key the same request is done once. */
  create(order: Omit<NewTransaction, "payment_instrument">, { idempotencyKey }: Once = {}): Promise<Transaction> {
    return read(this.api.POST("/b/checkout/v1/pymt-txn/", { body: order, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }

  /** Creates a payment transaction and charges it at once. A payment that does not succeed is refused. */
  createAndPay(
    order: NewTransaction & { payment_instrument: PaymentInstrument },
    { idempotencyKey }: Once = {},
  ): Promise<Notification | Challenge> {
    return read(this.api.POST("/b/checkout/v1/pymt-txn/", { body: order, params: { header: once("Idempotency-Key", idempotencyKey) } }));
  }

  /** Retrieves a payment transaction. */
  retrieve(session_id: string): Promise<Transaction> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/", on({ session_id })));
  }

  /** Changes some of a payment transaction. */
  change(session_id: string, change: TransactionChange): Promise<Transaction> {
    return read(this.api.PATCH("/b/checkout/v1/pymt-txn/{session_id}/", { ...on({ session_id }), body: change }));
  }

  /** Replaces all of a payment transaction: what is not given is removed. */
  replace(session_id: string, order: Body<"replace_transaction">): Promise<Transaction> {
    return read(this.api.PUT("/b/checkout/v1/pymt-txn/{session_id}/", { ...on({ session_id }), body: order }));
  }

  /** Lists payment transactions, the newest first, a page at a time. */
  list(query: Listing = {}): Promise<Page> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/", { params: { query } }));
  }

  /** Exports what a listing with these filters holds, as CSV. */
  exportTable(filters: Filters = {}): Promise<string> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/export/", { params: { query: filters }, parseAs: "text" }));
  }

  /** Why the payments of a transaction went to their gateways. */
  routing(session_id: string): Promise<Answer<"read_routing">> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/routing/", on({ session_id })));
  }

  /** The captures, refunds and voids of a transaction, with who asked for them, why, and what was noted. */
  operations(session_id: string): Promise<Answer<"list_operations">> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/operations/", on({ session_id })));
  }

  /** One capture, refund or void. */
  operation(session_id: string, reference_number: string): Promise<Answer<"read_operation">> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/operations/{reference_number}/", on({ session_id, reference_number })));
  }

  /** What happened to a transaction: its attempts, operations, events, webhooks and messages. */
  events(session_id: string): Promise<Answer<"read_timeline">> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/events/", on({ session_id })));
  }

  /** What the payments of days add up to, by day, currency and gateway; of today without days. */
  totals(days: Query<"read_totals"> = {}): Promise<Answer<"read_totals">> {
    return read(this.api.GET("/b/checkout/v1/totals/", { params: { query: days } }));
  }

  /** The payment methods that the merchant has. */
  methods(filters: Body<"list_methods">): Promise<Answer<"list_methods">> {
    return read(this.api.POST("/b/pbl/v2/payment-methods/", { body: filters }));
  }

  /** Uploads a file for the payer. Its name counts: the ending says what it is. */
  attach(file: Bytes, name: string, to: Attachment = {}): Promise<Answer<"upload_attachment">> {
    const form = new FormData();
    form.set("file", file instanceof Blob ? file : new Blob([file]), name);
    for (const [field, value] of Object.entries(to)) if (value !== undefined) form.set(field, String(value));
    return read(this.api.POST("/b/checkout/v1/upload-attachment/", { body: { file: name, ...to }, bodySerializer: () => form }));
  }

  /** Captures, refunds, voids, cancels, expires or deletes. With a tracking key the same request is done once. What has to be approved is answered with the request. */
  operate(operation: Operation, { trackingKey }: { trackingKey?: string } = {}): Promise<OperationResult | OperationDone | ApprovalShown> {
    return read(this.api.POST("/b/pbl/v2/operation/", { body: operation, params: { header: once("Tracking-Key", trackingKey) } }));
  }

  /** Asks how far a payment is: the gateways are asked if its outcome is open. */
  inquire(inquiry: Inquiry): Promise<Notification> {
    return read(this.api.POST("/b/pbl/v2/inquiry/", { body: inquiry }));
  }

  /** Notifies the receiver of a transaction, or another address, of what is known. */
  notify(session_id: string, whom: Body<"notify"> = {}): Promise<Notification> {
    return read(this.api.POST("/b/checkout/v1/pymt-txn/{session_id}/notify/", { ...on({ session_id }), body: whom }));
  }

  /** Erases what identifies a payer. Repeat while something is left. */
  erase(payer: Body<"erase">): Promise<Answer<"erase">> {
    return read(this.api.POST("/b/checkout/v1/erase/", { body: payer }));
  }
}

/** A client for the merchant of a key. */
export const createTill = (options: TillOptions): Till => new Till(options);
