import { decodeProtectedHeader } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rpcJwks } from "../../../common/platform/jwt/jwks-source.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { KeyStatus } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { deriveKeys } from "../../../services/auth/base/derived-keys.ts";
import { KEY_LEAD_MS } from "../../../services/auth/base/lifetimes.ts";
import { migrateStore, openStore } from "../../../services/auth/base/open-store.ts";
import { KeyRing } from "../../../services/auth/keys/key-ring.ts";
import { AccessTokens } from "../../../services/auth/signed-tokens/access-tokens.ts";
import { AccessTokenVerifier } from "../../../services/auth/testing/access-token-verifier.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";
import {
  type AuthFixture,
  authStore,
  describeAuth,
  ISSUER,
  KEY_ENCRYPTION_KEY,
} from "../../support/processes/auth-fixture.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const LEAD_MS = Number(KEY_LEAD_MS);
const DAY_MS = 86_400_000;

describeEachDatabase("signing keys of several replicas", ({ create }) => {
  const time = new FakeClock();
  let database: TestDatabase;
  let stops: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    database = await create();
    const store = await openStore(authStore(database));
    await migrateStore(store);
    await store.close();
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    stops = [];
    await database.remove();
  });

  /** Opens a replica with its own connections. */
  const startReplica = async (wrapKey = new Uint8Array(32).fill(3)) => {
    const store = await openStore(authStore(database));
    stops.push(() => store.close());
    const monotonicNow = () => Number(time.now());
    return KeyRing.open({
      database: store,
      clock: time.now,
      monotonicNow,
      issuer: ISSUER,
      wrapKeys: [wrapKey],
      rotationMs: DAY_MS,
    });
  };
  const startReplicas = () => Promise.all([startReplica(), startReplica(), startReplica(), startReplica()]);
  const shown = async (ring: KeyRing) => (await ring.list()).map(({ keyId, status }) => `${status} ${keyId}`);

  it("are the same, even if several create the first ones at the same time", async () => {
    const rings = await startReplicas();
    const [first = [], ...others] = await Promise.all(rings.map(shown));
    expect(first.map((text) => text.split(" ")[0]).toSorted()).toEqual(["active", "next"]);
    for (const other of others) expect(other).toEqual(first);
  });

  it("rotate once, even if several find it due at the same time", async () => {
    const rings = await startReplicas();
    const before = await rings[0].list();
    time.advance(DAY_MS);
    await Promise.all(rings.map((ring) => ring.maintain()));
    const after = await Promise.all(rings.map(shown));
    for (const keys of after) expect(keys).toEqual(after[0]);
    const keyIdOf = (status: string) => before.find((key) => key.status === status)?.keyId;
    expect(after[0]).toContain(`active ${keyIdOf("next")}`);
    expect(after[0]).toContain(`retired ${keyIdOf("active")}`);
    expect(after[0]).toHaveLength(3);
  });

  it("can't be used by a process with another KEY_ENCRYPTION_KEY", async () => {
    await startReplica();
    await expect(startReplica(new Uint8Array(32).fill(4))).rejects.toMatchObject({ variable: "KEY_ENCRYPTION_KEY" });
  });

  it("aren't readable in the database", async () => {
    const ring = await startReplica();
    const store = await openStore(authStore(database));
    stops.push(() => store.close());
    const rows = await store.query.selectFrom("signing_key").selectAll().execute();
    expect(rows).toHaveLength((await ring.list()).length);
    for (const { private_key, public_jwk } of rows) {
      expect(Buffer.from(private_key).toString("latin1")).not.toContain("PRIVATE KEY");
      expect(JSON.parse(public_jwk)).not.toHaveProperty("d");
    }
  });
});

describeAuth("the keys of the auth service", (service) => {
  it("are listed and rotated by operators", async () => {
    const { keys } = service();
    const before = (await keys.listKeys({})).keys;
    expect(before.map(({ status }) => status).toSorted()).toEqual([KeyStatus.NEXT, KeyStatus.ACTIVE]);
    expect(await refusal(keys.rotateKeys({}))).toMatchObject({ code: "failed_precondition" });
    service().time.advance(LEAD_MS);
    const after = (await keys.rotateKeys({})).keys;
    expect(after.map(({ status }) => status).toSorted()).toEqual([KeyStatus.NEXT, KeyStatus.ACTIVE, KeyStatus.RETIRED]);
    expect(await publishedKeyIds(service())).toEqual(after.map(({ keyId }) => keyId));
  });

  it.each(["gateway", "commitments", "resource-server", "stranger"] as const)(
    "can't be listed or rotated by %s",
    async (caller) => {
      const { keys } = service().as(caller);
      expect(await refusal(keys.listKeys({}))).toMatchObject({ code: "permission_denied" });
      expect(await refusal(keys.rotateKeys({}))).toMatchObject({ code: "permission_denied" });
    },
  );

  it("let a resource server verify tokens of before and after a rotation", async () => {
    const { time, as } = service();
    const tokens = await issuer(service());
    const verifier = new AccessTokenVerifier({
      jwks: rpcJwks(as("resource-server").authorization),
      issuer: ISSUER,
      audience: ISSUER,
      issuedFor: "any sale",
      tenancy: "live",
      now: () => Number(time.now()),
    });
    const verify = (token: string) => verifier.verify(`Bearer ${token}`, ["read_entities"]);
    const before = await tokens.issue();
    await expect(verify(before)).resolves.toMatchObject({ scopes: ["read_entities"] });
    time.advance(LEAD_MS);
    await service().keys.rotateKeys({});
    time.advance(30_001);
    const after = await tokens.issue();
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await expect(verify(after)).resolves.toBeDefined();
    await expect(verify(before)).resolves.toBeDefined();
  });
});

async function publishedKeyIds({ as }: AuthFixture): Promise<string[]> {
  const { jwksJson } = await as("gateway").authorization.getJwks({});
  return JSON.parse(jwksJson).keys.map(({ kid }: { kid: string }) => kid);
}

/** Issues tokens with the keys of the service. */
async function issuer({ database, time }: AuthFixture) {
  const { signingKeyWrap: wrapKey } = deriveKeys(KEY_ENCRYPTION_KEY);
  const keyRing = await KeyRing.open({
    database,
    clock: time.now,
    monotonicNow: () => Number(time.now()),
    issuer: ISSUER,
    wrapKeys: [wrapKey],
    rotationMs: 30 * DAY_MS,
  });
  const tokens = new AccessTokens({ keyRing, clock: time.now, audience: ISSUER, ttlMs: 3_600_000 });
  const uuid = "11111111-1111-4111-8111-111111111111";
  const issue = async () =>
    (
      await tokens.issue({
        clientUuid: uuid,
        saleUuid: uuid,
        tenancy: "live",
        accountUuid: uuid,
        familyUuid: uuid,
        subjectSalt: new Uint8Array(32),
        scopes: ["read_entities"],
      })
    ).token;
  return { issue };
}
