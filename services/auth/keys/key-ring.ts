import { createPrivateKey, type KeyObject } from "node:crypto";
import { type CryptoKey, importJWK, type JWK, type JWTPayload } from "jose";
import { ConfigError } from "../../../common/platform/config/config-error.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { SIGNING_ALGORITHM, type SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { verifySignedToken } from "../../../common/platform/jwt/signed-token.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { recordEvent, type SecurityEvent } from "../audit/audit-store.ts";
import { KEY_RING_AGE_MS, KEY_RING_OUTAGE_MS } from "../base/lifetimes.ts";
import type { AuthDatabase } from "../base/schema.ts";
import {
  isEmptyPlan,
  type KeyPlan,
  planKeys,
  planRemoval,
  planRotation,
  type RemovedKeys,
  type ScheduledKey,
} from "./key-schedule.ts";
import { signJwt, signJwtWithRsa } from "./sign-jwt.ts";
import { generateSigningKey, type NewSigningKey, unwrapPrivateKey } from "./signing-key.ts";
import { applyKeyPlan, lockSigningKeys, readSigningKeys, type StoredSigningKey } from "./signing-keys-store.ts";

/** The `typ` of a token: an access token, an actor token, or an ID token. */
export type SignedTokenType = "at+jwt" | "tidemark-actor+jwt" | "JWT";

export interface KeyRingOptions {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  /** A monotonic clock in milliseconds, for the age of what was read. That of the process by default. */
  readonly monotonicNow?: (() => number) | undefined;
  /** The `iss` of all signed tokens. */
  readonly issuer: string;
  /** Keys of 32 bytes that wrap the private keys (AES-256-GCM): the one for new ones, and another that earlier ones may need. */
  readonly wrapKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** The time for which a key signs, in milliseconds. */
  readonly rotationMs: number;
  /** ES256 by default. */
  readonly algorithm?: SignatureAlgorithm;
}

export interface ExpectedToken {
  readonly type: SignedTokenType;
  readonly audience: string;
}

/** A key that is ready for use. */
interface UsableKey {
  readonly publicKey: CryptoKey;
  /** Undefined for a retired key, which only verifies. */
  readonly privateKey?: KeyObject;
}

interface Loaded {
  /** By the monotonic clock: no step of the wall clock makes keys younger, or too old to be used. */
  readonly readAtMs: number;
  readonly stored: readonly StoredSigningKey[];
  readonly usable: ReadonlyMap<string, UsableKey>;
}

/**
 * The keys of an algorithm that sign tokens, shared by all replicas through the database. One key is active and signs. The
 * next one is published early, so that verifiers know it in time. Retired ones stay until all their tokens have expired.
 */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #now: () => number;
  readonly #algorithm: SignatureAlgorithm;
  /** Whether the first keys wait until somebody needs them. */
  readonly #isLazy: boolean;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #creating: Promise<Loaded> | undefined;

  private constructor(options: KeyRingOptions, isLazy: boolean) {
    this.#options = options;
    this.#now = options.monotonicNow ?? (() => performance.now());
    this.#isLazy = isLazy;
    this.#algorithm = options.algorithm ?? SIGNING_ALGORITHM;
  }

  /**
   * Reads the keys, and creates the first ones if there are none.
   *
   * @throws ConfigError where the stored keys were wrapped with another key; ServiceError `unavailable`
   */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options, false);
    await ring.maintain();
    return ring;
  }

  /**
   * Reads the keys. The first ones are created when somebody needs them: for the first signature, or to verify it.
   *
   * @throws ConfigError, ServiceError as `open`
   */
  static async openLazily(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options, true);
    await ring.#load();
    return ring;
  }

  /** Signs a JWT. `claims` must have `aud`, `iat` and `exp`; `iss` is added. @throws ServiceError `unavailable` */
  async sign(type: SignedTokenType, claims: JWTPayload): Promise<string> {
    const fresh = await this.#freshKeys();
    const { keyId, privateKey } = activeKey(isEmpty(fresh) ? await this.#firstKeys() : fresh);
    const signWith = this.#algorithm === "RS256" ? signJwtWithRsa : signJwt;
    return signWith({ typ: type, kid: keyId }, { ...claims, iss: this.#options.issuer }, privateKey);
  }

  /** Returns the claims of a token that this ring has signed and that is valid now; undefined for any other. */
  async verify(token: string, { type, audience }: ExpectedToken): Promise<JWTPayload | undefined> {
    const { usable } = await this.#freshOrOldKeys();
    const { issuer, clock } = this.#options;
    const findKey = (keyId: string) => usable.get(keyId)?.publicKey;
    const algorithms = [this.#algorithm];
    return verifySignedToken(token, { type, algorithms, audience, issuer, findKey, nowMs: Number(clock()) });
  }

  /** Returns the public key of a `kid`; undefined for one that verifies no more. */
  async publicKey(keyId: string): Promise<CryptoKey | undefined> {
    return (await this.#freshOrOldKeys()).usable.get(keyId)?.publicKey;
  }

  /** Whether a key still verifies tokens. */
  async has(keyId: string): Promise<boolean> {
    return (await this.#freshOrOldKeys()).usable.has(keyId);
  }

  /**
   * The public keys (RFC 7517), the next one included.
   *
   * @param isComplete whether to create the first keys, for verifiers that keep a JWKS: what is signed later fits what they keep
   */
  async jwks(isComplete = false): Promise<{ readonly keys: readonly JWK[] }> {
    const loaded = await this.#freshOrOldKeys();
    const { stored } = isComplete && isEmpty(loaded) ? await this.#firstKeys().catch(() => loaded) : loaded;
    return { keys: stored.map(({ publicJwk }) => publicJwk) };
  }

  /** All keys, the newest first. */
  async list(): Promise<readonly ScheduledKey[]> {
    return (await this.#load()).stored;
  }

  /**
   * Makes the next key the active one now.
   *
   * @throws ServiceError `failed_precondition` where verifiers may not know the next key yet
   */
  async rotate(): Promise<readonly ScheduledKey[]> {
    await this.#change((keys, nowMs) => planRotation(keys, nowMs));
    return this.list();
  }

  /**
   * Removes leaked keys. From the commit on this process refuses what they signed, other processes within `KEY_RING_AGE_MS`.
   *
   * @param isDryRun whether nothing is changed
   * @returns the keys that are removed
   */
  async remove(removed: RemovedKeys, isDryRun: boolean): Promise<readonly ScheduledKey[]> {
    const plan = (keys: readonly ScheduledKey[]) => planRemoval(keys, removed);
    const before = await this.list();
    const leaked = before.filter(({ keyId }) => plan(before).remove.includes(keyId));
    if (isDryRun || leaked.length === 0) return leaked;
    await this.#change(plan, leaked);
    // Not by a read that began before the commit.
    await this.#loading?.catch(() => {});
    await this.#load();
    return leaked;
  }

  /** Reads the keys again, if there are any, to see what other replicas have changed. A timer calls it. */
  async refresh(): Promise<void> {
    if (this.#loaded === undefined || !isEmpty(this.#loaded)) await this.#load();
  }

  /** Reads the keys again and carries out what is due. A timer calls it. */
  async maintain(): Promise<void> {
    const loaded = await this.#load();
    if (!(this.#isLazy && isEmpty(loaded))) await this.#carryOutPlan();
  }

  async #carryOutPlan(): Promise<void> {
    const { clock, rotationMs } = this.#options;
    const plan = (keys: readonly ScheduledKey[], nowMs: bigint) => planKeys(keys, nowMs, BigInt(rotationMs));
    const { stored } = await this.#freshKeys();
    if (isEmptyPlan(plan(stored, clock()))) return;
    await this.#change(plan);
    await this.#load();
  }

  /** Creates the first keys, once for all calls that need them at the same time. */
  #firstKeys(): Promise<Loaded> {
    this.#creating ??= this.#carryOutPlan()
      .then(() => this.#load())
      .finally(() => {
        this.#creating = undefined;
      });
    return this.#creating;
  }

  /** @param leaked the keys whose removal is recorded */
  async #change(
    plan: (keys: readonly ScheduledKey[], nowMs: bigint) => KeyPlan,
    leaked: readonly ScheduledKey[] = [],
  ): Promise<void> {
    const { database, clock } = this.#options;
    // Outside of the transaction, which would hold up others for as long as an RSA key takes.
    const expected = plan((await this.#load()).stored, clock());
    const prepared = await Promise.all(expected.create.map(() => this.#generate()));
    await database.write(async (transaction) => {
      await lockSigningKeys(database, transaction);
      const nowMs = clock();
      const due = plan(await readSigningKeys(transaction, this.#algorithm), nowMs);
      const created = await Promise.all(
        due.create.map(async (status, index) => ({ status, ...(prepared[index] ?? (await this.#generate())) })),
      );
      await applyKeyPlan(transaction, this.#algorithm, due, created, nowMs);
      const events: SecurityEvent[] = leaked.map(({ keyId: key_id, status }) => ({
        event: "key.removed",
        details: { key_id, status },
      }));
      if (due.activate !== undefined) events.push({ event: "key.rotated", details: { key_id: due.activate } });
      for (const event of events) await recordEvent(transaction, event, nowMs);
    });
  }

  #generate(): Promise<NewSigningKey> {
    return generateSigningKey(this.#options.wrapKeys[0], this.#algorithm);
  }

  /** Keys that were read at most `KEY_RING_AGE_MS` ago; while there are none, those of now. @throws ServiceError `unavailable` */
  async #freshKeys(): Promise<Loaded> {
    const loaded = this.#loaded;
    if (loaded === undefined || isEmpty(loaded)) return this.#load();
    return this.#now() - loaded.readAtMs <= KEY_RING_AGE_MS ? loaded : this.#load();
  }

  /** Fresh keys, or older ones while the database is away, for some minutes: a key may have been removed. */
  async #freshOrOldKeys(): Promise<Loaded> {
    return this.#freshKeys().catch((error: unknown) => {
      const loaded = this.#loaded;
      if (loaded === undefined || this.#now() - loaded.readAtMs > KEY_RING_OUTAGE_MS) throw error;
      return loaded;
    });
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Loaded> {
    const { database, wrapKeys } = this.#options;
    const readAtMs = this.#now();
    const stored = await database.read((query) => readSigningKeys(query, this.#algorithm));
    const usableKeys = this.#loaded?.usable;
    const usable = await Promise.all(
      stored.map(async (key) => usableKeys?.get(key.keyId) ?? usableKey(key, this.#algorithm, wrapKeys)),
    );
    const byId = new Map(stored.map(({ keyId }, index) => [keyId, usable[index]] as const));
    this.#loaded = { readAtMs, stored, usable: byId as ReadonlyMap<string, UsableKey> };
    return this.#loaded;
  }
}

function isEmpty({ stored }: Loaded): boolean {
  return stored.length === 0;
}

function activeKey({ stored, usable }: Loaded): { readonly keyId: string; readonly privateKey: KeyObject } {
  const keyId = stored.find(({ status }) => status === "active")?.keyId;
  const privateKey = keyId === undefined ? undefined : usable.get(keyId)?.privateKey;
  if (keyId !== undefined && privateKey !== undefined) return { keyId, privateKey };
  throw new ServiceError("unavailable", "there is no signing key now");
}

async function usableKey(
  { keyId, status, wrapped, publicJwk }: StoredSigningKey,
  algorithm: SignatureAlgorithm,
  wrapKeys: readonly Uint8Array[],
): Promise<UsableKey> {
  const publicKey = (await importJWK(publicJwk, algorithm)) as CryptoKey;
  if (status === "retired") return { publicKey };
  const pem = unwrapPrivateKey(wrapKeys, keyId, wrapped);
  if (pem !== undefined) return { publicKey, privateKey: createPrivateKey(pem) };
  throw new ConfigError(
    "KEY_ENCRYPTION_KEY",
    "expected the key with which the signing keys in the database were wrapped; KEY_ENCRYPTION_KEY_OTHER may be it, too",
  );
}

/** The keys of both algorithms. */
export interface KeyRings {
  /** Keys of ES256, which sign access and actor tokens, and ID tokens of applications that want that. */
  readonly keyRing: KeyRing;
  /** Keys of RS256, which sign ID tokens; there may be none yet. */
  readonly rsaKeyRing: KeyRing;
}
