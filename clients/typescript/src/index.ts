/**
 * A client of the Till checkout API. Its types are generated from the description that Till serves at `/openapi.json`.
 *
 * ```ts
 * const till = createTill({ baseUrl: "https://pay.example.com", key: process.env.TILL_KEY });
 * const { session_id, checkout_url } = await till.create({ type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet"] });
 * ```
 */
import createClient, { type Client } from "openapi-fetch";
import type { components, operations, paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

type Schemas = components["schemas"];
export type Transaction = Schemas["Transaction"];
export type Notification = Schemas["Notification"];
export type Challenge = Schemas["Challenge"];
export type OperationResult = Schemas["OperationResult"];
export type OperationDone = Schemas["OperationDone"];
export type SavedCard = Schemas["SavedCard"];
export type Problem = Schemas["Problem"];
/** The stable codes of problems that this version knows. Others may follow. */
export type ProblemCode = Problem["code"];

type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { "application/json": infer Sent } } } ? Sent : never;
export type NewTransaction = Body<"create_transaction">;
export type PaymentInstrument = NonNullable<NewTransaction["payment_instrument"]>;
export type TransactionChange = Body<"patch_transaction">;
export type Operation = Body<"operate">;
export type Inquiry = Body<"inquire">;
export type Listing = NonNullable<operations["list_transactions"]["parameters"]["query"]>;

/** A page of a listing: `next` is the `cursor` of the page that follows, null on the last one. */
export interface Page {
  results: Transaction[];
  next: string | null;
}

/** A request that was refused. `problem.errors` names every wrong field. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly status: number;
  /** After how many seconds the request may succeed, if the answer said so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, response: Response) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = response.status;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }
}

/** An answer that is not Till's: of a proxy, for example. */
export class UnexpectedAnswer extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the answer has status ${status} and no problem body`);
    this.name = "UnexpectedAnswer";
    this.status = status;
  }
}

/** What a request offers as proof of who sends it. It stays on the server. */
export type Credential =
  | {
      /** A private key of the merchant. */
      key: string;
    }
  | {
      /** The name and the password of a user. */
      username: string;
      password: string;
    }
  | {
      /** A token of access, or what gets one: called before each request, so that it can renew a token that expires. */
      token: string | (() => string | Promise<string>);
    };

export type TillOptions = Credential & {
  /** The origin of the installation. */
  baseUrl: string;
  /** Another implementation of `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
};

/** Base64 of the text in UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

async function authorization(credential: Credential): Promise<string> {
  if ("key" in credential) return `Api-Key ${credential.key}`;
  if ("username" in credential) return `Basic ${base64(`${credential.username}:${credential.password}`)}`;
  return `Bearer ${typeof credential.token === "string" ? credential.token : await credential.token()}`;
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "code" in error && "detail" in error;
}

async function read<Data>(answered: Promise<Answered<unknown>>): Promise<Data> {
  const { data, error, response } = await answered;
  if (isProblem(error)) throw new ProblemError(error, response);
  if (!response.ok) throw new UnexpectedAnswer(response.status);
  return data as Data;
}

/** The operations of a merchant's server. Every one throws `ProblemError` if it is refused. */
export class Till {
  /** Every operation of the API, typed by its path. */
  readonly api: Client<paths>;

  constructor({ baseUrl, fetch, ...credential }: TillOptions) {
    this.api = createClient<paths>({ baseUrl, ...(fetch ? { fetch } : {}) });
    this.api.use({
      onRequest: async ({ request }) => {
        request.headers.set("Authorization", await authorization(credential));
        return request;
      },
    });
  }

  /** Creates a payment transaction. With an idempotency key the same request is done once. */
  create(order: Omit<NewTransaction, "payment_instrument">, { idempotencyKey }: { idempotencyKey?: string } = {}): Promise<Transaction> {
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return read(this.api.POST("/b/checkout/v1/pymt-txn/", { body: order, params: { header } }));
  }

  /** Creates a payment transaction and charges it at once. A payment that does not succeed is refused. */
  createAndPay(
    order: NewTransaction & { payment_instrument: PaymentInstrument },
    { idempotencyKey }: { idempotencyKey?: string } = {},
  ): Promise<Notification | Challenge> {
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return read(this.api.POST("/b/checkout/v1/pymt-txn/", { body: order, params: { header } }));
  }

  /** Retrieves a payment transaction. */
  retrieve(session_id: string): Promise<Transaction> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/{session_id}/", { params: { path: { session_id } } }));
  }

  /** Changes some of a payment transaction. */
  change(session_id: string, change: TransactionChange): Promise<Transaction> {
    return read(this.api.PATCH("/b/checkout/v1/pymt-txn/{session_id}/", { params: { path: { session_id } }, body: change }));
  }

  /** Lists payment transactions, the newest first, a page at a time. */
  list(query: Listing = {}): Promise<Page> {
    return read(this.api.GET("/b/checkout/v1/pymt-txn/", { params: { query } }));
  }

  /** Captures, refunds, voids, cancels, expires or deletes. With a tracking key the same request is done once. */
  operate(operation: Operation, { trackingKey }: { trackingKey?: string } = {}): Promise<OperationResult | OperationDone> {
    const header = trackingKey === undefined ? {} : { "Tracking-Key": trackingKey };
    return read(this.api.POST("/b/pbl/v2/operation/", { body: operation, params: { header } }));
  }

  /** Asks how far a payment is: the gateways are asked if its outcome is open. */
  inquire(inquiry: Inquiry): Promise<Notification> {
    return read(this.api.POST("/b/pbl/v2/inquiry/", { body: inquiry }));
  }
}

/** A client for the merchant of a key. */
export const createTill = (options: TillOptions): Till => new Till(options);
