import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it, vi } from "vitest";
import { ConfigError } from "../../../common/platform/config/config-error.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { KEY_LEAD_MS, RETIRED_KEY_MS } from "../base/lifetimes.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { KeyRing, type KeyRingOptions } from "./key-ring.ts";

const AUDIENCE = "somebody";
const DAY_MS = 86_400_000;
const LEAD_MS = Number(KEY_LEAD_MS);
const REREAD_MS = 5_000;
const expected = { type: "at+jwt", audience: AUDIENCE } as const;

async function given(options: Partial<KeyRingOptions> = {}) {
  const database = options.database ?? (await openAuthDatabase());
  const time = new FakeClock();
  const base = {
    database,
    clock: time.now,
    monotonicNow: () => Number(time.now()),
    issuer: "https://auth.example",
    wrapKeys: [new Uint8Array(32).fill(1)] as const,
    rotationMs: DAY_MS,
    ...options,
  };
  const replica = (more: Partial<KeyRingOptions> = {}) => KeyRing.open({ ...base, ...more });
  const rsaReplica = () => KeyRing.openLazily({ ...base, algorithm: "RS256" });
  const signed = (ring: KeyRing, lifetimeS = 900) => {
    const iat = Number(time.now() / 1_000n);
    return ring.sign("at+jwt", { sub: "me", aud: AUDIENCE, iat, exp: iat + lifetimeS });
  };
  return { database, time, replica, rsaReplica, signed, ring: await replica() };
}

const keyIdOf = (token: string) => decodeProtectedHeader(token).kid;
const keyIdsOf = async (ring: KeyRing) => (await ring.jwks()).keys.map(({ kid }) => kid);
const statusesOf = async (ring: KeyRing) => (await ring.list()).map(({ status }) => status).toSorted();

describe("KeyRing", () => {
  it("makes an active and a next key at its first start, and keeps them", async () => {
    const { ring, replica } = await given();
    expect(await statusesOf(ring)).toEqual(["active", "next"]);
    expect(await keyIdsOf(await replica())).toEqual(await keyIdsOf(ring));
  });

  it("signs with type, key ID and issuer", async () => {
    const { ring, signed } = await given();
    const token = await signed(ring);
    const [active] = (await ring.list()).filter(({ status }) => status === "active");
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "at+jwt", kid: active?.keyId });
    expect(decodeJwt(token)).toMatchObject({ iss: "https://auth.example", sub: "me", aud: AUDIENCE });
  });

  it("verifies its own tokens of the expected type and audience until they expire", async () => {
    const { ring, signed, time } = await given();
    const token = await signed(ring);
    expect(await ring.verify(token, expected)).toMatchObject({ sub: "me" });
    expect(await ring.verify(token, { ...expected, type: "tidemark-actor+jwt" })).toBeUndefined();
    expect(await ring.verify(token, { ...expected, audience: "another" })).toBeUndefined();
    time.advance(910_000);
    expect(await ring.verify(token, expected)).toBeUndefined();
  });

  it("doesn't verify tokens of another ring", async () => {
    const { ring } = await given();
    const foreign = await given();
    expect(await ring.verify(await foreign.signed(foreign.ring), expected)).toBeUndefined();
  });

  it("rotates when a key's time is over, and publishes the next one early", async () => {
    const { ring, signed, time } = await given();
    const before = await signed(ring);
    const shown = await keyIdsOf(ring);
    time.advance(DAY_MS);
    await ring.maintain();
    const after = await signed(ring);
    expect(keyIdOf(after)).not.toBe(keyIdOf(before));
    expect(shown).toContain(keyIdOf(after));
    expect(await statusesOf(ring)).toEqual(["active", "next", "retired"]);
  });

  it("publishes a retired key until its last token has expired", async () => {
    const { ring, signed, time } = await given();
    time.advance(LEAD_MS);
    const token = await signed(ring, 3_600);
    await ring.rotate();
    time.advance(3_600_000);
    expect(await ring.verify(token, expected)).toBeDefined();
    await ring.maintain();
    expect(await keyIdsOf(ring)).toContain(keyIdOf(token));
    time.advance(Number(RETIRED_KEY_MS) - 3_600_000);
    await ring.maintain();
    expect(await keyIdsOf(ring)).not.toContain(keyIdOf(token));
  });

  it("lets another replica sign and verify with a rotation's keys within 5 s", async () => {
    const { ring, replica, signed, time } = await given();
    const other = await replica();
    time.advance(LEAD_MS);
    await signed(other);
    await ring.rotate();
    const fresh = await signed(ring);
    expect(await other.verify(fresh, expected)).toBeDefined();
    expect(keyIdOf(await signed(other))).not.toBe(keyIdOf(fresh));
    time.advance(REREAD_MS + 1);
    expect(keyIdOf(await signed(other))).toBe(keyIdOf(fresh));
  });

  it("refuses to rotate to a key that verifiers may not know yet", async () => {
    const { ring, time } = await given();
    await expect(ring.rotate()).rejects.toMatchObject({ code: "failed_precondition" });
    time.advance(LEAD_MS);
    await expect(ring.rotate()).resolves.toHaveLength(3);
    await expect(ring.rotate()).rejects.toMatchObject({ code: "failed_precondition" });
  });

  it("refuses what a removed key signed at once, in another replica within 5 s, and signs with the next one", async () => {
    const { ring, replica, signed, time, database } = await given();
    const other = await replica();
    const [token, leaked] = [
      await signed(ring),
      (await ring.list()).find(({ status }) => status === "active")?.keyId ?? "",
    ];
    const next = (await ring.list()).find(({ status }) => status === "next")?.keyId;
    expect((await ring.remove([leaked], true)).map(({ keyId }) => keyId)).toEqual([leaked]);
    expect(await ring.verify(token, expected)).toBeDefined();
    await ring.remove([leaked], false);
    expect(await ring.verify(token, expected)).toBeUndefined();
    expect(await keyIdsOf(ring)).not.toContain(leaked);
    expect(keyIdOf(await signed(ring))).toBe(next);
    expect(await statusesOf(ring)).toEqual(["active", "next"]);
    time.advance(REREAD_MS + 1);
    expect(await other.verify(token, expected)).toBeUndefined();
    expect(await other.has(leaked)).toBe(false);
    expect(keyIdOf(await signed(other))).toBe(next);
    expect(await ring.remove([leaked], false)).toEqual([]);
    const events = await database.query.selectFrom("audit").select(["event", "details"]).orderBy("event").execute();
    expect(events).toEqual([
      { event: "key.removed", details: JSON.stringify({ key_id: leaked, status: "active" }) },
      { event: "key.rotated", details: JSON.stringify({ key_id: next }) },
    ]);
  });

  it("begins anew without all of its keys", async () => {
    const { ring, signed } = await given();
    const [before, token] = [await keyIdsOf(ring), await signed(ring)];
    expect(await ring.remove("all", false)).toHaveLength(2);
    const after = await keyIdsOf(ring);
    expect(after).toHaveLength(2);
    expect(after.filter((keyId) => before.includes(keyId))).toEqual([]);
    expect(await ring.verify(token, expected)).toBeUndefined();
    expect(await ring.verify(await signed(ring), expected)).toBeDefined();
  });

  it("records a rotation, but not the creation of the first keys", async () => {
    const { ring, database, time } = await given();
    const events = () => database.query.selectFrom("audit").select(["event", "details"]).execute();
    expect(await events()).toEqual([]);
    time.advance(LEAD_MS);
    const keyId = (await ring.rotate()).find(({ status }) => status === "active")?.keyId;
    expect(await events()).toEqual([{ event: "key.rotated", details: JSON.stringify({ key_id: keyId }) }]);
  });

  it("fails to open keys that were wrapped with another key, and names the variable", async () => {
    const { replica } = await given();
    const start = replica({ wrapKeys: [new Uint8Array(32).fill(2)] });
    await expect(start).rejects.toBeInstanceOf(ConfigError);
    await expect(start).rejects.toMatchObject({ variable: "KEY_ENCRYPTION_KEY" });
  });

  it("opens keys that were wrapped with its other key, and wraps new ones with the present one", async () => {
    const { ring, replica, signed, time } = await given();
    const [before, present] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const changed = await replica({ wrapKeys: [present, before] });
    expect(keyIdOf(await signed(changed))).toBe(keyIdOf(await signed(ring)));
    time.advance(LEAD_MS);
    await changed.rotate();
    await expect(replica({ wrapKeys: [before] })).rejects.toBeInstanceOf(ConfigError);
    await expect(replica({ wrapKeys: [before, present] })).resolves.toBeDefined();
  });

  it("doesn't sign with old keys while the database is away, but publishes and verifies with them", async () => {
    const { ring, signed, time, database } = await given();
    const token = await signed(ring);
    await breakDatabase(database);
    await expect(signed(ring)).resolves.toBeDefined();
    time.advance(REREAD_MS + 1);
    await expect(signed(ring)).rejects.toThrow();
    expect(await ring.verify(token, expected)).toBeDefined();
    expect(await keyIdsOf(ring)).toContain(keyIdOf(token));
    time.advance(300_000);
    await expect(ring.verify(token, expected)).rejects.toThrow();
    await expect(ring.jwks()).rejects.toThrow();
  });

  it.each([4_000, -3_600_000, 3_600_000])(
    "goes on with its keys when the wall clock steps by %d ms",
    async (stepMs) => {
      const monotonic = { nowMs: 0 };
      const { ring, signed, time, database } = await given({ monotonicNow: () => monotonic.nowMs });
      await breakDatabase(database);
      time.advance(stepMs);
      const token = await signed(ring);
      monotonic.nowMs += 300_000;
      await expect(signed(ring)).rejects.toThrow();
      expect(await ring.publicKey(keyIdOf(token) ?? "")).toBeDefined();
      monotonic.nowMs += 1;
      await expect(ring.publicKey(keyIdOf(token) ?? "")).rejects.toThrow();
    },
  );
});

describe("KeyRing of RS256", () => {
  it("makes no key at the start, as an RSA key takes its time, but the first ones with the first signature", async () => {
    const { rsaReplica, signed } = await given();
    const ring = await rsaReplica();
    expect(await statusesOf(ring)).toEqual([]);
    const token = await signed(ring);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "RS256" });
    expect(await statusesOf(ring)).toEqual(["active", "next"]);
    expect(await ring.verify(token, expected)).toMatchObject({ sub: "me" });
  });

  it("makes the first keys for a JWKS that verifiers keep, so that it has the key of the first signature", async () => {
    const { rsaReplica, signed } = await given();
    const ring = await rsaReplica();
    await ring.maintain();
    expect((await ring.jwks()).keys).toEqual([]);
    const { keys } = await ring.jwks(true);
    expect(keys.map(({ kid }) => kid)).toContain(keyIdOf(await signed(ring)));
  });

  it("makes the first keys once for all signatures that need them", async () => {
    const { database, rsaReplica, signed } = await given();
    const ring = await rsaReplica();
    const write = vi.spyOn(database, "write");
    const tokens = await Promise.all([signed(ring), signed(ring), signed(ring)]);
    expect(new Set(tokens.map(keyIdOf)).size).toBe(1);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("publishes no keys while the database is away and there are none yet", async () => {
    const { database, rsaReplica } = await given();
    const ring = await rsaReplica();
    await database.query.schema.dropTable("rsa_signing_key").execute();
    expect((await ring.jwks(true)).keys).toEqual([]);
  });

  it("makes the first keys once, even if several replicas need them at the same time, and shows them at once", async () => {
    const { rsaReplica, signed } = await given();
    const [one, other, third] = await Promise.all([rsaReplica(), rsaReplica(), rsaReplica()]);
    const [token, another] = await Promise.all([signed(one), signed(other), third.jwks(true)]);
    expect(keyIdOf(token)).toBe(keyIdOf(another));
    expect(await keyIdsOf(third)).toEqual(await keyIdsOf(one));
  });

  it("rotates as the other one does, which neither sees nor signs with its keys", async () => {
    const { ring, rsaReplica, signed, time } = await given();
    const rsa = await rsaReplica();
    const before = await signed(rsa);
    const others = await ring.list();
    time.advance(DAY_MS);
    await rsa.maintain();
    expect(await statusesOf(rsa)).toEqual(["active", "next", "retired"]);
    expect(keyIdOf(await signed(rsa))).not.toBe(keyIdOf(before));
    expect(await ring.list()).toEqual(others);
    expect(await ring.publicKey(keyIdOf(before) ?? "")).toBeUndefined();
  });

  it("signs nothing that passes as a token of the other one (RFC 8725 section 3.1)", async () => {
    const { ring, rsaReplica, signed } = await given();
    const rsa = await rsaReplica();
    expect(await ring.verify(await signed(rsa), expected)).toBeUndefined();
    expect(await rsa.verify(await signed(ring), expected)).toBeUndefined();
  });

  it("keeps its private keys wrapped", async () => {
    const { database, rsaReplica, signed } = await given();
    await signed(await rsaReplica());
    const rows = await database.query.selectFrom("rsa_signing_key").selectAll().execute();
    expect(rows).toHaveLength(2);
    for (const { private_key, public_jwk } of rows) {
      expect(Buffer.from(private_key).toString("latin1")).not.toContain("PRIVATE KEY");
      expect(Object.keys(JSON.parse(public_jwk)).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    }
  });
});

async function breakDatabase({ query }: AuthDatabase): Promise<void> {
  await query.schema.dropTable("signing_key").execute();
}
