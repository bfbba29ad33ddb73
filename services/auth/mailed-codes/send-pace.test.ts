import { expect, it } from "vitest";
import { SendPace } from "./send-pace.ts";

/** A pace with a clock that the sends move, and the waits that it made. */
function given(randoms: readonly number[] = []) {
  let nowMs = 0;
  const waits: number[] = [];
  const rest = [...randoms];
  const pace = new SendPace({
    now: () => nowMs,
    sleep: async (milliseconds) => void waits.push(milliseconds),
    random: () => rest.shift() ?? 0,
  });
  const send = (milliseconds: number, error?: Error) =>
    pace.send(async () => {
      nowMs += milliseconds;
      if (error !== undefined) throw error;
    });
  return { pace, send, waits };
}

it("imitates one of the latest sends", async () => {
  const { pace, send, waits } = given([0, 0.5, 0.999]);
  for (const milliseconds of [9, 10, 300]) await send(milliseconds);
  for (let count = 0; count < 3; count += 1) await pace.imitate();
  expect(waits).toEqual([9, 10, 300]);
});

it("forgets old sends, and waits before the first one too", async () => {
  const { pace, send, waits } = given();
  await pace.imitate();
  await send(5_000);
  for (let count = 0; count < 32; count += 1) await send(20);
  await pace.imitate();
  expect(waits).toEqual([200, 20]);
});

it("fails as long as sends fail", async () => {
  const { pace, send } = given();
  const away = new Error("the server is away");
  await expect(send(1, away)).rejects.toBe(away);
  await expect(pace.imitate()).rejects.toBe(away);
  await send(1);
  await expect(pace.imitate()).resolves.toBeUndefined();
});
