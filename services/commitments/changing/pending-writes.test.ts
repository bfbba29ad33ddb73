import { setImmediate } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { expect, it } from "vitest";
import { PendingWrites } from "./pending-writes.ts";

/** A statement that fills a message. */
const long = CompiledQuery.raw("x".repeat(128 * 1024));
const short = CompiledQuery.raw("select 1");

it("are sent when they fill a message, while the next ones are built, and in order", async () => {
  const steps: string[] = [];
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let sent = 0;
  const writes = new PendingWrites(async (statements) => {
    const message = sent++;
    steps.push(`send ${message} of ${statements.length}`);
    await answers[message]?.promise;
    steps.push(`answer ${message}`);
  });
  await writes.add([short, long]);
  await writes.add([short]);
  steps.push("built more");
  const added = writes.add([long]);
  answers[0]?.resolve();
  await added;
  await writes.add([short]);
  answers[1]?.resolve();
  expect(await writes.take()).toEqual([short]);
  expect(steps).toEqual(["send 0 of 2", "built more", "answer 0", "send 1 of 2", "answer 1"]);
});

it("throw the failure of a message before anything else is sent", async () => {
  const writes = new PendingWrites(() => Promise.reject(new Error("refused")));
  await writes.add([long]);
  await expect(writes.add([long])).rejects.toThrow("refused");
  await expect(writes.take()).rejects.toThrow("refused");
  await writes.settled();
});

it("are settled once nothing is being sent", async () => {
  const answer = Promise.withResolvers<void>();
  const steps: string[] = [];
  const writes = new PendingWrites(() => answer.promise);
  await writes.add([long]);
  const settled = writes.settled().then(() => steps.push("settled"));
  await setImmediate();
  steps.push("answer");
  answer.reject(new Error("refused"));
  await settled;
  expect(steps).toEqual(["answer", "settled"]);
});
