import { recoverMessageAddress, toHex } from "viem";
import { expect } from "vitest";
import { bytesOfHex, hexOfBytes } from "../../../../common/platform/encoding/hex.ts";
import type { SignedPermit } from "../../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { EntitiesDatabase } from "../../../../services/entities/base/schema.ts";
import { encodedPermit, lockupPayload, purchasePermitOf } from "../../../support/chains/purchase-permit.ts";
import type { ChangingSale } from "./changing-sale.ts";
import { expectOrdered } from "./ordered-permits.ts";
import { readRecordingOrder } from "./recording-order.ts";
import { BOUNDS } from "./sale-phase.ts";
import { type StoredPermit, storedPermits } from "./stored-permits.ts";

/** The part of a permit that identifies its row. */
type Identity = Pick<
  StoredPermit,
  "saleSpecificId" | "wallet" | "keyUuid" | "minAmount" | "maxAmount" | "minPrice" | "maxPrice" | "expiresAtMs"
>;

/** A request that got a permit. Times are milliseconds since 1970. */
export interface HandedPermit {
  readonly sale: ChangingSale;
  readonly saleSpecificId: Uint8Array;
  /** Hexadecimal, with `0x`. */
  readonly wallet: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly issued: SignedPermit;
}

/** The permits of an entity when what ended them was acknowledged. */
interface EndedPermits {
  readonly saleUuid: string;
  readonly saleSpecificId: string;
  readonly uuids: readonly string[];
}

/** An entity whose approval ends. */
interface EndingApproval {
  readonly saleUuid: string;
  readonly saleSpecificId: string;
  /** Milliseconds since 1970. */
  readonly endsAtMs: number;
}

const LIFETIME_SECONDS = 600;
/** The time after the end of bids within which permits end: the sale's state is trusted for two seconds, and processes pause. */
const STAGE_LAG_MS = 10_000;

/** The permits that were handed out, and the model of what may be stored. */
export class PermitLedger {
  readonly sales: ChangingSale[] = [];
  readonly #handed = new Map<string, Identity[]>();
  readonly #ended: EndedPermits[] = [];
  readonly #approvals: EndingApproval[] = [];
  readonly #database: EntitiesDatabase;

  constructor(database: EntitiesDatabase) {
    this.#database = database;
  }

  get handed(): number {
    return [...this.#handed.values()].reduce((sum, permits) => sum + permits.length, 0);
  }

  get exits(): number {
    return this.#ended.length;
  }

  /** Verifies a permit that was handed out, and keeps it. */
  async hand(handed: HandedPermit): Promise<void> {
    const identity = await verified(handed);
    const { saleUuid } = handed.sale;
    this.#handed.set(saleUuid, [...(this.#handed.get(saleUuid) ?? []), identity]);
  }

  /** Keeps which permits an entity has, once it gets no more. */
  async end(saleUuid: string, saleSpecificIdBytes: Uint8Array): Promise<void> {
    const saleSpecificId = hexOfBytes(saleSpecificIdBytes);
    const stored = await storedPermits(this.#database, saleUuid);
    this.#ended.push({ saleUuid, saleSpecificId, uuids: uuidsOf(stored, saleSpecificId) });
  }

  /** Keeps when the approval of an entity ends. */
  approvalEnds(saleUuid: string, saleSpecificId: Uint8Array, endsAtMs: number): void {
    this.#approvals.push({ saleUuid, saleSpecificId: hexOfBytes(saleSpecificId), endsAtMs });
  }

  /** Expects that every permit that was handed out is stored, and that each stored one was allowed. @returns their number */
  async expectAgree(): Promise<number> {
    let permits = 0;
    for (const sale of this.sales) permits += await this.#expectAgree(sale);
    return permits;
  }

  async #expectAgree(sale: ChangingSale): Promise<number> {
    const { saleUuid, phases } = sale;
    const stored = await storedPermits(this.#database, saleUuid);
    const order = await readRecordingOrder(this.#database, saleUuid);
    expectOrdered(order, stored, phases);
    const stops = order.filter(({ kind }) => kind === "stop");
    if (sale.isWithdrawn) expect(stops).not.toEqual([]);
    expectBounds(stored, sale);
    expect(missing(this.#handed.get(saleUuid) ?? [], stored)).toEqual([]);
    for (const { uuids, saleSpecificId } of this.#ended.filter((ended) => ended.saleUuid === saleUuid)) {
      expect(uuidsOf(stored, saleSpecificId)).toEqual(uuids);
    }
    for (const { saleSpecificId, endsAtMs } of this.#approvals.filter((each) => each.saleUuid === saleUuid)) {
      const own = stored.filter((permit) => permit.saleSpecificId === saleSpecificId);
      expect(own.filter(({ issuedAtMs }) => issuedAtMs >= endsAtMs)).toEqual([]);
    }
    await expectBound(this.#database, saleUuid, stored);
    return stored.length;
  }
}

/** Verifies a permit: its signature, and that it is what was asked for. @returns what its row must be */
async function verified({ sale, saleSpecificId, wallet, ...handed }: HandedPermit): Promise<Identity> {
  const { permit: message, signature } = handed.issued;
  if (message === undefined) throw new Error("there is no permit");
  const permit = purchasePermitOf(message);
  expect({ ...permit, wallet: permit.wallet.toLowerCase() }).toMatchObject({
    ...BOUNDS,
    wallet: wallet.toLowerCase(),
    saleSpecificEntityID: toHex(saleSpecificId),
    saleUUID: toHex(bytesOfHex(sale.saleUuid)),
    payload: lockupPayload(false),
  });
  expect(Number(permit.expiresAt)).toBeGreaterThanOrEqual(Math.floor(handed.sentAtMs / 1_000) + LIFETIME_SECONDS);
  expect(Number(permit.expiresAt)).toBeLessThanOrEqual(Math.floor(handed.answeredAtMs / 1_000) + LIFETIME_SECONDS);
  const raw = encodedPermit(permit);
  const signer = await recoverMessageAddress({ message: { raw }, signature: toHex(signature) });
  const keyUuid = sale.keys.get(signer.toLowerCase());
  if (keyUuid === undefined) throw new Error(`${signer} is no key of the sale`);
  const { minAmount, maxAmount, minPrice, maxPrice } = permit;
  const amounts = { minAmount, maxAmount, minPrice, maxPrice };
  const ids = { saleSpecificId: hexOfBytes(saleSpecificId), wallet: wallet.toLowerCase().slice(2), keyUuid };
  return { ...ids, ...amounts, expiresAtMs: permit.expiresAt * 1_000n };
}

/** Expects the bounds of each stored permit, of an entity's wallets and of a wallet's entities. */
function expectBounds(stored: readonly StoredPermit[], { terms, client, bidsEndedAtMs }: ChangingSale): void {
  for (const [, own] of Map.groupBy(stored, ({ saleSpecificId }) => saleSpecificId)) {
    expect(new Set(own.map(({ wallet }) => wallet)).size).toBeLessThanOrEqual(terms.maxWalletsPerEntity);
  }
  for (const [, same] of Map.groupBy(stored, ({ wallet }) => wallet)) {
    expect(new Set(same.map(({ saleSpecificId }) => saleSpecificId)).size).toBe(1);
  }
  expect(stored.filter(({ clientUuid }) => clientUuid !== client.uuid)).toEqual([]);
  const long = stored.filter(({ issuedAtMs, expiresAtMs }) => expiresAtMs - issuedAtMs > LIFETIME_SECONDS * 1_000);
  expect(long).toEqual([]);
  const lastMs = BigInt((bidsEndedAtMs ?? Number.MAX_SAFE_INTEGER) + STAGE_LAG_MS);
  expect(stored.filter(({ issuedAtMs }) => issuedAtMs > lastMs)).toEqual([]);
}

/** Expects that each wallet with a permit is bound to the permit's entity, until the last permit ends. */
async function expectBound(
  { query }: EntitiesDatabase,
  saleUuid: string,
  stored: readonly StoredPermit[],
): Promise<void> {
  const rows = await query
    .selectFrom("sale_wallet")
    .innerJoin("sale_entity", (join) =>
      join.onRef("sale_entity.entity", "=", "sale_wallet.entity").onRef("sale_entity.sale", "=", "sale_wallet.sale"),
    )
    .select(["wallet", "sale_specific_id", "permit_expires_at_ms"])
    .where("sale_wallet.sale", "=", bytesOfHex(saleUuid))
    .execute();
  const bound = rows.map((row) => ({
    wallet: hexOfBytes(row.wallet),
    saleSpecificId: hexOfBytes(row.sale_specific_id),
    lastMs: BigInt(row.permit_expires_at_ms),
  }));
  const permitted = [...Map.groupBy(stored, ({ wallet }) => wallet).values()].map((permits) => ({
    wallet: permits[0]?.wallet,
    saleSpecificId: permits[0]?.saleSpecificId,
    lastMs: permits.map(({ expiresAtMs }) => expiresAtMs).reduce(later, 0n),
  }));
  expect(bound).toHaveLength(permitted.length);
  expect(bound).toEqual(expect.arrayContaining(permitted));
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Returns permits that have no row of their own. */
function missing(handed: readonly Identity[], stored: readonly StoredPermit[]): readonly Identity[] {
  const left = Map.groupBy(stored, identityText);
  return handed.filter((permit) => left.get(identityText(permit))?.pop() === undefined);
}

function identityText(permit: Identity): string {
  const { saleSpecificId, wallet, keyUuid, minAmount, maxAmount, minPrice, maxPrice, expiresAtMs } = permit;
  return [saleSpecificId, wallet, keyUuid, minAmount, maxAmount, minPrice, maxPrice, expiresAtMs].join(" ");
}

function uuidsOf(stored: readonly StoredPermit[], saleSpecificId: string): readonly string[] {
  return stored
    .filter((permit) => permit.saleSpecificId === saleSpecificId)
    .map(({ uuid }) => uuid)
    .toSorted();
}
