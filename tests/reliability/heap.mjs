/**
 * The memory of the Worker's own isolate after garbage collection, read through the inspector of the runtime.
 * The memory of the process says little about it: it is released late, if at all.
 */
import { once } from "node:events";
import WebSocket from "ws";

/** How long the inspector may take to answer. */
const PATIENCE = 30_000;

/** Calls of the inspector of a Worker over one connection. */
class Inspector {
  #socket;
  #calls = new Map();
  #last = 0;
  /** Where expressions are evaluated: the global scope of the Worker. */
  context;

  static async connect(url) {
    const inspector = new Inspector();
    inspector.#socket = new WebSocket(url.replace(/^http/, "ws"));
    inspector.#socket.on("message", (data) => inspector.#read(JSON.parse(data)));
    await once(inspector.#socket, "open");
    await inspector.call("Runtime.enable");
    return inspector;
  }

  #read({ id, method, params, result, error }) {
    if (method === "Runtime.executionContextCreated") this.context ??= params.context.id;
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  }

  call(method, params = {}) {
    const id = (this.#last += 1);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      setTimeout(() => reject(new Error(`the inspector did not answer ${method}`)), PATIENCE).unref();
    });
  }

  close() {
    this.#socket.close();
  }
}

/**
 * Collects the garbage of the Worker and returns what is left, in bytes: objects of JavaScript with their
 * buffers, and the memory of WebAssembly, which grows and never shrinks.
 *
 * @param {import("../worker/harness.mjs").Till} till started with `inspector: true`
 * @returns {Promise<{ objects: number, wasm: number }>}
 */
export async function held(till) {
  const inspector = await Inspector.connect(await till.inspectorUrl());
  try {
    const { context: contextId } = inspector;
    const { result } = await inspector.call("Runtime.evaluate", { contextId, expression: "WebAssembly.Memory.prototype" });
    // Looking for objects collects the garbage first; what finalizers release is collected the second time.
    await inspector.call("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const { objects } = await inspector.call("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const functionDeclaration = "function () { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0); }";
    const wasm = await inspector.call("Runtime.callFunctionOn", { objectId: objects.objectId, functionDeclaration, returnByValue: true });
    const usage = await inspector.call("Runtime.getHeapUsage");
    return { objects: usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0), wasm: wasm.result.value };
  } finally {
    inspector.close();
  }
}
