import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../shared/config/config-error.ts";
import { FakeClock } from "../../shared/testing/fake-clock.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { KeyRing, type KeyRingOptions } from "./key-ring.ts";
import { KEY_LEAD_MS, RETIRED_KEY_MS } from "./key-schedule.ts";

const AUDIENCE = "somebody";
const DAY_MS = 86_400_000;
const LEAD_MS = Number(KEY_LEAD_MS);
const REREAD_MS = 30_000;
const expected = { type: "at+jwt", audience: AUDIENCE } as const;

async function given(options: Partial<KeyRingOptions> = {}) {
  const database = options.database ?? (await openAuthDatabase());
  const time = new FakeClock();
  const replica = (more: Partial<KeyRingOptions> = {}) =>
    KeyRing.open({
      database,
      clock: time.now,
      issuer: "https://auth.example",
      wrapKey: new Uint8Array(32).fill(1),
      rotationMs: DAY_MS,
      ...options,
      ...more,
    });
  const signed = (ring: KeyRing, lifetimeS = 900) => {
    const iat = Number(time.now() / 1_000n);
    return ring.sign("at+jwt", { sub: "me", aud: AUDIENCE, iat, exp: iat + lifetimeS });
  };
  return { database, time, replica, signed, ring: await replica() };
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

  it("lets another replica sign and verify with a rotation's keys within 30 s", async () => {
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
    const start = replica({ wrapKey: new Uint8Array(32).fill(2) });
    await expect(start).rejects.toBeInstanceOf(ConfigError);
    await expect(start).rejects.toMatchObject({ variable: "KEY_ENCRYPTION_KEY" });
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
  });

  it("reads its keys again after the clock was set back", async () => {
    const { ring, signed, time, database } = await given();
    await breakDatabase(database);
    time.advance(-1);
    await expect(signed(ring)).rejects.toThrow();
  });
});

async function breakDatabase({ query }: AuthDatabase): Promise<void> {
  await query.schema.dropTable("signing_key").execute();
}
