/**
 * Shortens the names of what a WebAssembly module imports, in the module and in its JavaScript. The binding tool
 * gives each a name with a hash in it, which no compression makes shorter.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Stop } from "./project.mjs";

const IMPORTS = 2;
const HEADER_BYTES = 8;
/** The kinds of imports that occur. */
const FUNCTION = 0;
const TAG = 4;

/** A number in LEB128, as bytes. */
function encode(number) {
  const bytes = [];
  for (let rest = number; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** Reads a module from a position on. */
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  name() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
}

const nameBytes = (name) => [...encode(Buffer.byteLength(name)), ...Buffer.from(name)];

/** The section of imports, its functions under other names. */
function renamed(section, rename) {
  const reader = new Reader(section, 0);
  const count = reader.number();
  const bytes = encode(count);
  for (let import_ = 0; import_ < count; import_ += 1) {
    const module = reader.name();
    const name = reader.name();
    const kind = section[reader.at++];
    if (kind !== FUNCTION && kind !== TAG) throw new Stop(`the import ${name} is of the unknown kind ${kind}`);
    const attribute = kind === TAG ? [section[reader.at++]] : [];
    const given = kind === FUNCTION ? rename(name) : name;
    bytes.push(...nameBytes(module), ...nameBytes(given), kind, ...attribute, ...encode(reader.number()));
  }
  return Buffer.from(bytes);
}

/** Gives the imports of the module short names, in both files. */
export function shortenImports(wasm, script) {
  const bytes = readFileSync(wasm);
  const names = new Map();
  const rename = (name) => {
    if (!name.startsWith("__wb")) return name;
    names.set(name, `_${names.size.toString(36)}`);
    return names.get(name);
  };
  const parts = [bytes.subarray(0, HEADER_BYTES)];
  for (const reader = new Reader(bytes, HEADER_BYTES); reader.at < bytes.length; ) {
    const start = reader.at;
    const id = bytes[reader.at++];
    const length = reader.number();
    const from = reader.at;
    reader.at += length;
    if (id === IMPORTS) {
      const section = renamed(bytes.subarray(from, reader.at), rename);
      parts.push(Buffer.from([id, ...encode(section.length)]), section);
    } else {
      parts.push(bytes.subarray(start, reader.at));
    }
  }
  let text = readFileSync(script, "utf8");
  for (const [name, short] of names) {
    const places = text.split(`${name}:`);
    if (places.length !== 2) throw new Stop(`${name} is ${places.length - 1} times in ${script}, not once`);
    text = places.join(`${short}:`);
  }
  writeFileSync(wasm, Buffer.concat(parts));
  writeFileSync(script, text);
}
