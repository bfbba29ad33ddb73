import { describe, expect, it } from "vitest";
import { type TestIssuer, testIssuer } from "../testing/test-issuer.ts";
import { JwksCache } from "./jwks-cache.ts";
import { JwksError } from "./jwks-error.ts";

const MINUTE_MS = 60_000;

/** A source whose keys, failures and time the test controls. */
async function given() {
  const issuers: TestIssuer[] = [await testIssuer("any", "one")];
  const state = { nowMs: 1_000_000, calls: 0, failure: undefined as Error | undefined, answer: undefined as unknown };
  const source = async () => {
    state.calls += 1;
    if (state.failure !== undefined) throw state.failure;
    return state.answer === undefined ? { keys: issuers.map(({ jwk }) => jwk) } : state.answer;
  };
  const publish = async (keyId: string) => {
    issuers.push(await testIssuer("any", keyId));
  };
  const failures: JwksError[] = [];
  const onFailure = (error: JwksError) => void failures.push(error);
  return { state, publish, failures, cache: new JwksCache(source, () => state.nowMs, { onFailure }) };
}

describe("JwksCache", () => {
  it("loads the keys once", async () => {
    const { cache, state } = await given();
    const keys = await Promise.all([cache.find("one"), cache.find("one"), cache.find("one")]);
    expect(keys).toEqual([expect.any(CryptoKey), keys[0], keys[0]]);
    expect(state.calls).toBe(1);
  });

  it("loads them again after five minutes", async () => {
    const { cache, state } = await given();
    await cache.find("one");
    state.nowMs += 5 * MINUTE_MS - 1;
    await cache.find("one");
    expect(state.calls).toBe(1);
    state.nowMs += 1;
    await cache.find("one");
    expect(state.calls).toBe(2);
  });

  it("loads them for an unknown key, but at most every ten seconds", async () => {
    const { cache, state, publish } = await given();
    await cache.find("one");
    await publish("two");
    for (const _ of Array(100)) expect(await cache.find("two")).toBeUndefined();
    expect(state.calls).toBe(1);
    state.nowMs += 10_000;
    expect(await cache.find("two")).toBeInstanceOf(CryptoKey);
    for (const _ of Array(100)) await cache.find(crypto.randomUUID());
    expect(state.calls).toBe(2);
  });

  it("drops a key that is no longer published", async () => {
    const { cache, state } = await given();
    await cache.find("one");
    state.answer = { keys: [] };
    state.nowMs += 5 * MINUTE_MS;
    expect(await cache.find("one")).toBeUndefined();
  });

  it("uses its keys for an hour if it can't load new ones", async () => {
    const { cache, state } = await given();
    await cache.find("one");
    state.failure = new Error("away");
    state.nowMs += 60 * MINUTE_MS;
    expect(await cache.find("one")).toBeInstanceOf(CryptoKey);
    state.nowMs += 1;
    await expect(cache.find("one")).rejects.toMatchObject({ code: "unavailable", cause: { cause: state.failure } });
  });

  it("is unavailable without keys, tries at most every second, and recovers", async () => {
    const { cache, state } = await given();
    state.failure = new Error("away");
    for (const _ of Array(10)) await expect(cache.find("one")).rejects.toMatchObject({ code: "unavailable" });
    expect(state.calls).toBe(1);
    state.failure = undefined;
    state.nowMs += 1_000;
    expect(await cache.find("one")).toBeInstanceOf(CryptoKey);
  });

  it("reports each failed load, with a cause that never is an empty text", async () => {
    const { cache, state, failures } = await given();
    const refused = new JwksError("refused", "https://issuer.example/jwks answers 406");
    const severalAddresses = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    for (const failure of [new Error("away"), severalAddresses, refused]) {
      state.failure = failure;
      for (const _ of Array(3)) await expect(cache.find("one")).rejects.toThrow();
      state.nowMs += 1_000;
    }
    expect(failures.map(({ reason, message }) => [reason, message])).toEqual([
      ["unreachable", "the JWKS can't be reached: away"],
      ["unreachable", "the JWKS can't be reached: ECONNREFUSED"],
      ["refused", "https://issuer.example/jwks answers 406"],
    ]);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a text", "keys"],
    ["no list", { keys: {} }],
    ["a key without its point", { keys: [{ kty: "EC", crv: "P-256", kid: "one" }] }],
    [
      "such a key beside one of another kind",
      {
        keys: [
          { kty: "EC", crv: "P-256", kid: "one" },
          { kty: "oct", k: "AA" },
        ],
      },
    ],
  ])("takes %s for a failure", async (_, answer) => {
    const { cache, state, failures } = await given();
    state.answer = answer;
    await expect(cache.find("one")).rejects.toMatchObject({ code: "unavailable" });
    expect(failures).toEqual([expect.objectContaining({ reason: "malformed" })]);
  });

  it("verifies with the other keys where one is malformed", async () => {
    const { cache, state, failures } = await given();
    const { jwk } = await testIssuer("any", "one");
    state.answer = { keys: [null, "key", { ...jwk, x: 7, kid: "seven" }, jwk] };
    expect(await cache.find("one")).toBeInstanceOf(CryptoKey);
    expect(await cache.find("seven")).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it("ignores keys of other kinds and uses (RFC 7517 section 5)", async () => {
    const { cache, state } = await given();
    const { jwk } = await testIssuer("any", "one");
    const secret = { kty: "oct", k: "AAAA", kid: "secret" };
    state.answer = { keys: [secret, { ...jwk, kid: "enc", use: "enc" }, { ...jwk, kid: 7 }, jwk] };
    expect(await cache.find("one")).toBeInstanceOf(CryptoKey);
    expect(await cache.find("secret")).toBeUndefined();
    expect(await cache.find("enc")).toBeUndefined();
  });
});
