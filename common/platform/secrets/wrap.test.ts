import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { unwrap, wrap } from "./wrap.ts";

const KEY = randomBytes(32);
const CONTENT = Buffer.from("secret");

it("gives back what it encrypted, with another nonce each time", () => {
  const wrapped = wrap(KEY, "a", CONTENT);
  expect(unwrap(KEY, "a", wrapped)).toEqual(CONTENT);
  expect(wrap(KEY, "a", CONTENT)).not.toEqual(wrapped);
  expect(unwrap(KEY, "a", wrap(KEY, "a", Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
});

it("opens nothing with another key, for another name, or after a change of any byte", () => {
  const wrapped = wrap(KEY, "a", CONTENT);
  expect(unwrap(randomBytes(32), "a", wrapped)).toBeUndefined();
  expect(unwrap(KEY, "b", wrapped)).toBeUndefined();
  for (let index = 0; index < wrapped.length; index += 1) {
    const changed = Buffer.from(wrapped);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(unwrap(KEY, "a", changed)).toBeUndefined();
  }
  expect(unwrap(KEY, "a", wrapped.subarray(0, 27))).toBeUndefined();
});
