/** Names for what the description generates. */
import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];
export type Transaction = Schemas["Transaction"];
export type Notification = Schemas["Notification"];
export type Challenge = Schemas["Challenge"];
export type OperationResult = Schemas["OperationResult"];
export type OperationDone = Schemas["OperationDone"];
export type ApprovalShown = Answer<"read_approval">;
export type SavedCard = Schemas["SavedCard"];
export type PaymentWebhook = Schemas["PaymentWebhook"];
export type AlertWebhook = Schemas["AlertWebhook"];

/** The name of an operation in the description. */
export type Name = keyof operations;

type Content<Part> = Part extends { content: { "application/json": infer Sent } }
  ? Sent
  : Part extends { content: { "text/html": infer Sent } }
    ? Sent
    : void;

/** The JSON body that an operation takes. */
export type Body<Of extends Name> = operations[Of] extends { requestBody: { content: { "application/json": infer Sent } } } ? Sent : never;
/** The filters of an operation. */
export type Query<Of extends Name> = operations[Of] extends { parameters: { query?: infer Filters } } ? NonNullable<Filters> : never;
/** What an operation answers when it succeeds. */
export type Answer<Of extends Name> = operations[Of]["responses"] extends { 200: infer Done }
  ? Content<Done>
  : operations[Of]["responses"] extends { 201: infer Made }
    ? Content<Made>
    : void;

export type NewTransaction = Body<"create_transaction">;
export type PaymentInstrument = NonNullable<NewTransaction["payment_instrument"]>;
export type TransactionChange = Body<"patch_transaction">;
export type Operation = Body<"operate">;
export type Inquiry = Body<"inquire">;
export type Listing = Query<"list_transactions">;
/** Which payment transactions an export has. */
export type Filters = Query<"export_transactions">;

/** A page of a listing: `next` is the `cursor` of the page that follows, null on the last one. */
export interface Page {
  results: Transaction[];
  next: string | null;
}

/** The same request with the same key is done once. */
export interface Once {
  idempotencyKey?: string;
}
