/** Reports to the parent of this process how each test of a file ended. A suite is no test, unless it is left out: what is in it is not known. */
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const isSkipped = data.skip !== undefined || data.todo !== undefined;
    const outcome = isSkipped ? "skipped" : type === "test:pass" ? "passed" : "failed";
    // A suite fails by itself only if a hook or the file does; otherwise a test in it has failed, which was reported.
    const isSuite = data.details.type === "suite";
    if (isSuite && data.skip === undefined && (outcome !== "failed" || data.details.error?.failureType === "subtestsFailed")) continue;
    process.send({ outcome });
  }
}
