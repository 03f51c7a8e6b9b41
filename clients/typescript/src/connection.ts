/** How requests are sent, and answers read. */
import createClient, { type Client } from "openapi-fetch";
import { NoAnswer, type Problem, ProblemError, UnexpectedAnswer } from "./errors.js";
import type { paths } from "./schema.js";

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

export type Api = Client<paths>;

/** Base64 of the text in UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

async function authorization(credential: Credential): Promise<string> {
  if ("key" in credential) return `Api-Key ${credential.key}`;
  if ("username" in credential) return `Basic ${base64(`${credential.username}:${credential.password}`)}`;
  return `Bearer ${typeof credential.token === "string" ? credential.token : await credential.token()}`;
}

/** Refuses what would be sent as the text "undefined", such as an environment variable that is not set. */
function check(baseUrl: unknown, credential: object): void {
  if (typeof baseUrl !== "string" || !/^https?:\/\/[^/?#\s]+\/?$/.test(baseUrl)) {
    throw new TypeError("baseUrl must be the origin of a Till, such as https://pay.example.com");
  }
  const given = Object.entries(credential);
  if (given.length === 0) throw new TypeError("a key, a username with a password, or a token must be given");
  for (const [name, value] of given) {
    const isRight = typeof value === "string" ? value !== "" : name === "token" && typeof value === "function";
    if (!isRight) throw new TypeError(`${name} must be a text that is not empty; is its environment variable set?`);
  }
  if ("username" in credential !== "password" in credential) throw new TypeError("a username and its password must both be given");
}

export function connect({ baseUrl, fetch, ...credential }: TillOptions): Api {
  check(baseUrl, credential);
  const send = fetch ?? ((request: Request) => globalThis.fetch(request));
  const api = createClient<paths>({
    baseUrl,
    fetch: async (request) => {
      try {
        return await send(request);
      } catch (error) {
        // Who aborts knows why.
        if (request.signal.aborted) throw error;
        throw new NoAnswer(request.method, request.url, error);
      }
    },
  });
  api.use({
    onRequest: async ({ request }) => {
      request.headers.set("Authorization", await authorization(credential));
      return request;
    },
  });
  return api;
}

interface Answered {
  data?: unknown;
  error?: unknown;
  response: Response;
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "code" in error && "detail" in error;
}

/** What was answered; throws if it is a refusal, or not an answer of Till. */
export async function read<Data>(answered: Promise<Answered>): Promise<Data> {
  const { data, error, response } = await answered;
  if (isProblem(error)) throw new ProblemError(error, response);
  if (!response.ok) throw new UnexpectedAnswer(response.status);
  return data as Data;
}

/** The header of a key with which the same request is done once, if there is one. */
export function once<Header extends string>(name: Header, key: string | undefined): { [name in Header]?: string } {
  return (key === undefined ? {} : { [name]: key }) as { [name in Header]?: string };
}

/** The path parameters of a request. */
export const on = <Path>(path: Path): { params: { path: Path } } => ({ params: { path } });

/** A body that is sent as it is. */
export const asIs = <Sent>(body: Sent): Sent => body;
