/** The installation of the operator's pages: at https://pay.example.com, with the secrets that their commands made. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { start } from "../../worker/harness.mjs";

const HOST = "pay.example.com";

export class Installation {
  constructor(clone) {
    this.clone = clone;
    const [key, certificate] = ["key", "certificate"].map((name) => join(clone.base, `${name}.pem`));
    execFileSync("openssl", [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", key,
      "-out", certificate, "-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`,
    ], { stdio: "ignore" });
    this.certificate = certificate;
    this.front = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => this.#pass(request, response));
  }

  #pass(request, response) {
    const { method, url, headers } = request;
    const inner = http.request({ host: "127.0.0.1", port: this.till.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    inner.on("error", () => response.destroy());
    request.pipe(inner);
  }

  /** Starts once the deployment was asked for. */
  async startIfDeployed() {
    const { calls } = this.clone;
    if (this.till || !existsSync(calls) || !readFileSync(calls, "utf8").includes('["deploy"')) return;
    const text = readFileSync(join(this.clone.home, "till.secrets"), "utf8");
    const secrets = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    this.till = await start({ alone: true, bindings: { PUBLIC_URL: `https://${HOST}`, ...secrets } });
    this.front.listen(0, "127.0.0.1");
    await once(this.front, "listening");
    this.clone.route(HOST, this.front.address().port, this.certificate);
  }

  async end() {
    this.front.close();
    this.front.closeAllConnections();
    await this.till?.end();
  }
}
