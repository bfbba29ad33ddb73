import { expect, it } from "vitest";
import { HostSlots } from "./host-slots.ts";

const forever = new AbortController().signal;

it("lets a number of requests to each host run, and the next one when one has ended", async () => {
  const slots = new HostSlots(2);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (host: string, name: string, signal = forever) =>
    slots.run(
      host,
      () => {
        running.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const leaving = new AbortController();
  const first = run("a", "a1");
  const others = [run("a", "a2"), run("b", "b1")];
  const left = expect(run("a", "a3", leaving.signal)).rejects.toThrow("gone");
  others.push(run("a", "a4"));
  leaving.abort(new Error("gone"));
  await left;
  expect(running).toEqual(["a1", "a2", "b1"]);
  ends.get("a1")?.();
  await first;
  await expect.poll(() => running).toEqual(["a1", "a2", "b1", "a4"]);
  for (const end of ends.values()) end();
  await Promise.all(others);
});
