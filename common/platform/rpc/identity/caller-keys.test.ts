import { describe, expect, it } from "vitest";
import { Env } from "../../config/env.ts";
import { generateCallerKey, readCallerCredentials, readCallerKeys } from "./caller-keys.ts";

const a = generateCallerKey();
const b = generateCallerKey();

describe("readCallerKeys", () => {
  it("reads names with one or several keys, separated by commas or lines", () => {
    const keys = readCallerKeys(
      new Env({ CALLER_KEYS: `gateway=${a.text}, indexer=${b.text}\r\ngateway=${b.text}\n\n` }),
    );
    expect(keys).toEqual(
      new Map([
        ["gateway", [a.key, b.key]],
        ["indexer", [b.key]],
      ]),
    );
  });

  it("is undefined where it isn't set", () => {
    expect(readCallerKeys(new Env({}))).toBeUndefined();
  });

  it.each([
    ["gateway"],
    ["=x"],
    [`Gateway=${a.text}`],
    [`${"g".repeat(64)}=${a.text}`],
    [`gateway=${a.text}=`],
    [`gateway=${a.text.slice(0, -1)}`],
    [`gateway=${a.text}*`],
    [`gateway=${Buffer.alloc(31).toString("base64url")}`],
    [`gateway=${Buffer.alloc(1_025).toString("base64url")}`],
  ])("refuses %s, naming the entry and never a key", (entry) => {
    const env = new Env({ CALLER_KEYS: `indexer=${b.text},${entry}` });
    expect(() => readCallerKeys(env)).toThrow(
      "CALLER_KEYS: expected name=key in entry 2, the key 32 to 1024 bytes as base64url without padding",
    );
  });

  it("bounds their number", () => {
    const env = new Env({ CALLER_KEYS: `gateway=${a.text},`.repeat(1_001) });
    expect(() => readCallerKeys(env)).toThrow("CALLER_KEYS: expected at most 1000 keys");
  });
});

describe("readCallerCredentials", () => {
  it("reads name and key", () => {
    const env = new Env({ CALLER_NAME: "gateway", CALLER_KEY: a.text });
    expect(readCallerCredentials(env, "tidemark.auth")).toEqual({
      name: "gateway",
      key: a.key,
      audience: "tidemark.auth",
    });
  });

  it("refuses a bad name or key", () => {
    const read = (name: string, key: string) => () =>
      readCallerCredentials(new Env({ CALLER_NAME: name, CALLER_KEY: key }), "x");
    expect(read("a b", a.text)).toThrow("CALLER_NAME: expected 1 to 63");
    expect(read("gateway", "short")).toThrow(/^CALLER_KEY: expected 32 to 1024 bytes as base64url without padding$/);
    expect(read("gateway", "")).toThrow("CALLER_KEY: expected a secret, it is not set");
  });
});

describe("generateCallerKey", () => {
  it("makes a new key of 32 bytes each time, in the form that the configuration takes", () => {
    expect(a.key).toHaveLength(32);
    expect(a.text).not.toBe(b.text);
    expect(readCallerKeys(new Env({ CALLER_KEYS: `x=${a.text}` }))?.get("x")).toEqual([a.key]);
  });
});
