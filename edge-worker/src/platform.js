/**
 * What the Worker's module asks of the platform in one call where the bindings would make dozens: each call
 * from WebAssembly costs more than what it carries.
 */

/**
 * The statements of a batch. `text` has for each statement its values and then its SQL, one after the other;
 * `lengths` the number of its values, the length of each in UTF-16 code units (-1 for NULL), and the length of
 * its SQL.
 */
function prepare(database, text, lengths) {
  const statements = [];
  let from = 0;
  const take = (length) => {
    if (length < 0) return null;
    from += length;
    return text.slice(from - length, from);
  };
  for (let at = 0; at < lengths.length; ) {
    const end = at + 1 + lengths[at];
    const values = [];
    for (at += 1; at < end; at += 1) values.push(take(lengths[at]));
    statements.push(database.prepare(take(lengths[at])).bind(...values));
    at += 1;
  }
  return statements;
}

/** The rows that one statement answers: a JSON list of lists of cells. */
export async function rows(database, text, lengths) {
  const [statement] = prepare(database, text, lengths);
  return JSON.stringify(await statement.raw());
}

/** Runs statements as one transaction. */
export async function batch(database, text, lengths) {
  await database.batch(prepare(database, text, lengths));
}

/** A response; `head` has the names and values of its headers, each ended by a line break. */
export function respond(status, head, body) {
  const lines = head.split("\n");
  const headers = [];
  for (let at = 0; at + 1 < lines.length; at += 2) headers.push([lines[at], lines[at + 1]]);
  // The platform may read the body after the module's memory has moved.
  return new Response(body.length === 0 ? null : body.slice(), { status, headers });
}
