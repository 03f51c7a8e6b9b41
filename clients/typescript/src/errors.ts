import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];
/** The stable codes of problems that this version knows. Others may follow. */
export type ProblemCode = Problem["code"];

/** A request that was refused. `problem.errors` names every wrong field. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly status: number;
  /** After how many seconds the request may succeed, if the answer said so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, response: Response) {
    const fields = Object.keys(problem.errors ?? {});
    super(`${problem.code}: ${problem.detail}${fields.length > 0 ? ` Wrong: ${fields.join(", ")}` : ""}`);
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

/**
 * No answer came, so nobody knows whether the request was done. Repeat it with the same idempotency or tracking key, or look
 * first. `cause` is the error of `fetch`.
 */
export class NoAnswer extends Error {
  constructor(method: string, url: string, cause: unknown) {
    const { origin, pathname } = new URL(url);
    super(`no answer to ${method} ${origin}${pathname}: it may have been done or not`, { cause });
    this.name = "NoAnswer";
  }
}
