import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { addTo } from "../../../common/sale/record/token-amounts.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";
import { listAllocations } from "../../../services/commitments/allocations/list-allocations-rpc.ts";
import { acquireSaleLease } from "../../../services/commitments/applying/acquire-sale-lease-rpc.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { differ, shownAllocations } from "../../../services/commitments/base/domain/shown-allocations.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { readPosition } from "../../../services/commitments/positions/position-store.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, evmSource, TOKEN } from "../../../services/commitments/testing/samples.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { APPLY_OPTIONS } from "../databases/commitments-database.ts";
import { openUnchecked } from "../sales/unchecked-sales.ts";

const STEPS = 14;
const ENTITIES = 7;
const OWNERS = 3;
const DEEPEST_FORK = 4;
const OTHER_TOKEN = `0x${"ab".repeat(20)}`;
const TOKENS = [TOKEN, OTHER_TOKEN];
const WALLETS = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`);
const PAYMENT_TOKENS = TOKENS.map((address) => ({ address, decimals: 6, usdStablecoin: true }));

/** A kind of contract, by whether an entity may have several commitments there; then no commitment is marked as refunded. */
interface Kind {
  readonly mayBidAgain: boolean;
}

function definitionOf({ mayBidAgain }: Kind) {
  const source = mayBidAgain ? ({ ...evmSource, family: "cca" } as const) : evmSource;
  return { ...auctionDefinition, paymentTokens: PAYMENT_TOKENS, source };
}

type Amount = CommitmentRecord["amounts"][number];

/** The state of a contract at a block. Its totals are right but for a surplus. */
interface Block {
  readonly stage: SaleStage;
  readonly rows: ReadonlyMap<number, CommitmentRecord>;
  readonly surplus: bigint;
}

/**
 * Checks that the allocations of a sale equal those of its contract through settlements, re-organisations and back, in applies and
 * change sets.
 *
 * @param numRuns number of random histories
 */
export async function expectAllocationsOfContract(store: CommitmentsStore, kind: Kind, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fc.nat(), async (seed) => {
    const random = new Random(seed);
    const feed = await Feed.open(store, kind, random);
    const chain: Block[] = [{ stage: "commitment", rows: new Map(), surplus: 0n }];
    for (let step = 0; step < STEPS; step += 1) {
      if (random.next() < 0.3) chain.splice(Math.max(1, chain.length - random.integer(1, DEEPEST_FORK)));
      chain.push(nextBlock(chain.at(-1) ?? fail(), kind, random));
      await feed.follow(chain.at(-1) ?? fail());
      await expectAllocations(store, kind, feed.saleUuid, chain.at(-1) ?? fail());
    }
  });
  await fc.assert(property, { numRuns });
}

/** Applies blocks to a sale as a reader does that compares every row with what it has sent. */
class Feed {
  readonly saleUuid: string;
  readonly #store: CommitmentsStore;
  readonly #random: Random;
  readonly #leaseEpoch: bigint;
  /** The rows that were sent, those of abandoned change sets included. */
  readonly #sent = new Map<string, CommitmentRecord>();

  private constructor(store: CommitmentsStore, random: Random, saleUuid: string, leaseEpoch: bigint) {
    this.#store = store;
    this.#random = random;
    this.saleUuid = saleUuid;
    this.#leaseEpoch = leaseEpoch;
  }

  static async open(store: CommitmentsStore, kind: Kind, random: Random): Promise<Feed> {
    const saleUuid = randomUUID();
    await createSale(store, { uuid: saleUuid, tenancy: "test", definition: definitionOf(kind), ownerAccountUuid: "" });
    await openUnchecked(store, saleUuid, definitionOf(kind));
    const { epoch } = await acquireSaleLease(store, { saleUuid, holder: "model", durationMillis: 600_000n });
    return new Feed(store, random, saleUuid, epoch);
  }

  async follow(block: Block): Promise<void> {
    const abandons = this.#random.next() < 0.2;
    if (abandons) await this.#send(block, this.#difference(block).upserts.slice(0, 2), [], this.#part(0, false));
    const { upserts, removals } = this.#difference(block);
    if (!abandons && this.#random.next() < 0.6) return this.#send(block, upserts, removals, {});
    const uuid = randomUUID();
    const middle = this.#random.integer(0, upserts.length);
    await this.#send(block, upserts.slice(0, middle), [], this.#part(0, false, uuid));
    await this.#send(block, upserts.slice(middle), removals, this.#part(1, true, uuid));
  }

  #part(part: number, last: boolean, uuid: string = randomUUID()) {
    return { changeSet: { uuid, part, last } };
  }

  #difference({ rows }: Block) {
    const own = new Map([...rows.values()].map((row) => [row.commitmentId, row]));
    const upserts = [...own.values()].filter((row) => textOf(this.#sent.get(row.commitmentId)) !== textOf(row));
    return { upserts, removals: [...this.#sent.keys()].filter((id) => !own.has(id)) };
  }

  async #send(block: Block, upserts: readonly CommitmentRecord[], removals: readonly string[], envelope: object) {
    const { saleUuid } = this;
    const { stage } = block;
    const allocationTotals = isSettling(block) ? { allocationTotals: totalsOf(block) } : {};
    const request = { saleUuid, requestId: randomUUID(), leaseEpoch: this.#leaseEpoch, stage, upserts, removals };
    await applyCommitments(this.#store, { ...request, ...allocationTotals, ...envelope }, APPLY_OPTIONS);
    for (const row of upserts) this.#sent.set(row.commitmentId, row);
    for (const id of removals) this.#sent.delete(id);
  }
}

async function expectAllocations(store: CommitmentsStore, kind: Kind, saleUuid: string, block: Block): Promise<void> {
  const { state, page } = await listAllocations(store.database, saleUuid, undefined, 1_000);
  const rows = [...block.rows.values()];
  const sums = new Map<string, bigint>();
  for (const { entityId, accepted = [] } of rows) {
    for (const { wallet, token, amount } of accepted) addTo(sums, `${entityId} ${wallet} ${token}`, amount);
  }
  const expected = Array.from(sums, ([key, amount]) => `${key} ${amount}`);
  expect(
    page.items.map(({ entityId, wallet, token, accepted }) => `${entityId} ${wallet} ${token} ${accepted}`),
  ).toEqual(expected.sort());
  const shown = shownAllocations(state);
  expect(shown !== undefined).toBe(isSettling(block));
  if (shown !== undefined) {
    const accepted = rows.flatMap((row) => row.accepted ?? []);
    const totals = TOKENS.map((token) => [token, sumOf(accepted.filter((each) => each.token === token))] as const);
    expect(shown.accepted).toEqual(new Map(totals.filter(([, amount]) => amount > 0n)));
    expect(differ(shown)).toBe(block.surplus > 0n);
  }
  for (const wallet of WALLETS)
    expect(await positionOf(store, saleUuid, wallet)).toEqual(naivePosition(block, kind, wallet));
}

async function positionOf(store: CommitmentsStore, saleUuid: string, wallet: string) {
  const { allocations } = await readPosition(store.database, saleUuid, { wallet, after: "", limit: 100 });
  return allocations.map(({ entityId, token, accepted, refunded }) => `${entityId} ${token} ${accepted} ${refunded}`);
}

function naivePosition(block: Block, { mayBidAgain }: Kind, wallet: string): readonly string[] {
  if (!isSettling(block)) return [];
  const sums = new Map<string, { part: bigint; refunded: bigint }>();
  for (const { entityId, amounts, accepted = [], refunded } of block.rows.values()) {
    for (const token of TOKENS) {
      const isOwn = (each: Amount) => each.wallet === wallet && each.token === token;
      const [committed, part] = [sumOf(amounts.filter(isOwn)), sumOf(accepted.filter(isOwn))];
      if (committed === 0n && part === 0n) continue;
      const before = sums.get(`${entityId} ${token}`) ?? { part: 0n, refunded: 0n };
      const back = refunded ? committed - part : 0n;
      sums.set(`${entityId} ${token}`, { part: before.part + part, refunded: before.refunded + back });
    }
  }
  const lines = Array.from(sums, ([key, { part, refunded }]) => `${key} ${part} ${mayBidAgain ? undefined : refunded}`);
  return lines.sort();
}

function nextBlock({ stage, rows, surplus }: Block, kind: Kind, random: Random): Block {
  const changed = new Map(rows);
  for (let count = random.integer(0, 4); count > 0; count -= 1) {
    const number = random.integer(1, ENTITIES);
    const row = stage === "commitment" ? bidOf(number, kind, random) : rows.get(number);
    if (row !== undefined) changed.set(number, settled(row, stage, random));
  }
  const next = random.next() < 0.3 ? nextStage(stage) : stage;
  return { stage: next, rows: changed, surplus: random.next() < 0.2 ? 1n : isSettling({ stage }) ? surplus : 0n };
}

function nextStage(stage: SaleStage): SaleStage {
  return stage === "commitment" ? "settlement" : "done";
}

function bidOf(number: number, { mayBidAgain }: Kind, random: Random): CommitmentRecord {
  const entityId = (mayBidAgain ? random.integer(1, OWNERS) : number).toString(16).padStart(32, "0");
  const amounts = WALLETS.flatMap((wallet) =>
    TOKENS.map((token) => ({ wallet, token, amount: BigInt(random.integer(0, 3)) * 10n ** 30n })),
  ).filter(() => random.next() < 0.4);
  return {
    commitmentId: mayBidAgain ? number.toString(16).padStart(64, "0") : entityId.padEnd(64, "0"),
    entityId,
    createdAtSeconds: 5n,
    priceTicks: BigInt(random.integer(100, 110)),
    lockup: false,
    refunded: false,
    amounts,
    extraData: new Uint8Array(),
  };
}

/** A row with other accepted amounts in settlement, and refunded when the sale is done. */
function settled({ accepted: _, ...row }: CommitmentRecord, stage: SaleStage, random: Random): CommitmentRecord {
  if (stage === "done") return { ...row, ...(_ && { accepted: _ }), refunded: true };
  if (stage !== "settlement") return row;
  const accepted = row.amounts
    .map((each) => ({ ...each, amount: random.next() < 0.3 ? 0n : each.amount / BigInt(random.integer(1, 3)) }))
    .filter(({ amount }) => amount > 0n);
  return accepted.length === 0 ? row : { ...row, accepted };
}

function isSettling({ stage }: Pick<Block, "stage">): boolean {
  return stage === "settlement" || stage === "done";
}

function totalsOf({ rows, surplus }: Block) {
  const accepted = [...rows.values()].flatMap((row) => row.accepted ?? []);
  return TOKENS.map((token, index) => ({
    token,
    amount: sumOf(accepted.filter((each) => each.token === token)) + (index === 0 ? surplus : 0n),
  }));
}

function sumOf(amounts: readonly Amount[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + amount, 0n);
}

function textOf(row: CommitmentRecord | undefined): string {
  return JSON.stringify(row ?? null, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

function fail(): never {
  throw new Error("the chain is empty");
}
