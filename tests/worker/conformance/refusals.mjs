export async function notOffered() { throw new Error("todo"); }
