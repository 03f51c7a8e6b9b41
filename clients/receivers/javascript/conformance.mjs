// Reads lines of cases and prints for each whether this program accepts the webhook: see ../README.md.
import { readFileSync } from "node:fs";
import { verifyField, verifyHeaders } from "./verify.mjs";

for (const line of readFileSync(0, "utf8").split("\n").filter((text) => text !== "")) {
  const { kind, headers, body, secrets, hmac_key, now } = JSON.parse(line);
  const bytes = Buffer.from(body, "base64");
  const isRight = kind === "headers" ? verifyHeaders(headers, bytes, secrets, { now }) : verifyField(bytes, hmac_key);
  console.log(isRight ? "ok" : "refused");
}
