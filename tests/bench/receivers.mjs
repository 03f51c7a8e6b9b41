/** Starts the receivers of `receiver-process.mjs`, and asks them what came. */
import { fork } from "node:child_process";
import { once } from "node:events";

export class Receivers {
  #child;
  #port;
  #asked = 0;
  #answers = new Map();

  static async start() {
    const receivers = new Receivers();
    receivers.#child = fork(new URL("receiver-process.mjs", import.meta.url), { stdio: "inherit" });
    const [{ port }] = await once(receivers.#child, "message");
    receivers.#port = port;
    receivers.#child.on("message", ({ number, received }) => {
      receivers.#answers.get(number)?.(received);
      receivers.#answers.delete(number);
    });
    return receivers;
  }

  /** The address of a receiver, by its number from 1 to 250. */
  address(number, path = "ok") {
    return `http://127.0.0.${number}:${this.#port}/${path}`;
  }

  #ask(ask) {
    const number = (this.#asked += 1);
    return new Promise((resolve) => {
      this.#answers.set(number, resolve);
      this.#child.send({ ask, number });
    });
  }

  /** Every request that came: `{ id, at, to, path, status, body }`. */
  received() {
    return this.#ask("received");
  }

  reset() {
    return this.#ask("reset");
  }

  down() {
    return this.#ask("down");
  }

  up() {
    return this.#ask("up");
  }

  stop() {
    this.#child.disconnect();
  }
}
