import type { AuctionPricing, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";

interface NaiveCommitment {
  readonly record: CommitmentRecord;
  /** Time of the refund: while the sale was open, or the number of its settlement. */
  readonly refundedIn?: "open" | number;
}

export interface NaiveFigures {
  readonly total: bigint;
  readonly count: bigint;
  /** Commitment IDs, latest first. */
  readonly latest: readonly string[];
  readonly clearingTick: bigint | undefined;
  /** The part of the total below the floor of an auction. */
  readonly belowFloor: bigint;
  /** Tick and amount of every price bid, highest first. */
  readonly demand: readonly (readonly [bigint, bigint])[];
}

/** A commitment of a wallet: its ID, why it doesn't count, and what the clearing price means for it. */
export type NaivePosition = readonly [
  string,
  "refunded" | "no_amount" | undefined,
  "in" | "at_margin" | "out" | "below_floor" | undefined,
];

/** A sale that recomputes every figure from its rows, with none of the service's own code. */
export class NaiveSale {
  definition: SaleDefinition;
  readonly #commitments = new Map<string, NaiveCommitment>();
  #settled = false;
  #settledTimes = 0;

  constructor(definition: SaleDefinition) {
    this.definition = definition;
  }

  apply(upserts: readonly CommitmentRecord[], removals: readonly string[], stage: SaleStage | undefined): void {
    if (stage !== undefined) this.#setSettled(stage === "done");
    for (const record of upserts) this.#commitments.set(record.commitmentId, this.#became(record));
    for (const id of removals) this.#commitments.delete(id);
  }

  records(): readonly CommitmentRecord[] {
    return [...this.#commitments.values()].map(({ record }) => record);
  }

  figures(): NaiveFigures {
    const active = [...this.#commitments.values()].filter((commitment) => this.#isActive(commitment));
    const amounts = active.map(({ record }) => ({ tick: record.priceTicks, amount: this.#amount(record) }));
    const bids = active.map(({ record }) => ({ tick: record.priceTicks, demand: this.#demand(record) }));
    const prices = new Map<bigint, bigint>();
    for (const { tick, amount } of amounts) prices.set(tick, (prices.get(tick) ?? 0n) + amount);
    const { pricing } = this.definition;
    return {
      total: amounts.reduce((sum, { amount }) => sum + amount, 0n),
      count: BigInt(active.length),
      latest: active
        .map(({ record }) => record)
        .sort(latestFirst)
        .slice(0, 100)
        .map(({ commitmentId }) => commitmentId),
      clearingTick: pricing.kind === "auction" ? this.#clearingTick(pricing, bids) : undefined,
      belowFloor: amounts
        .filter(({ tick }) => pricing.kind === "auction" && tick < pricing.floorTicks)
        .reduce((sum, { amount }) => sum + amount, 0n),
      demand: [...prices].sort(([left], [right]) => (left > right ? -1 : 1)),
    };
  }

  /** The commitments that name a wallet, by ID. */
  position(wallet: string): readonly NaivePosition[] {
    return [...this.#commitments.values()]
      .filter(({ record }) => record.amounts.some((amount) => amount.wallet === wallet))
      .sort((left, right) => (left.record.commitmentId < right.record.commitmentId ? -1 : 1))
      .map((commitment) => {
        const { record } = commitment;
        if (this.#isActive(commitment)) return [record.commitmentId, undefined, this.#outcome(record)];
        const hasAmount = record.amounts.some(({ amount }) => amount > 0n);
        return [record.commitmentId, hasAmount ? "refunded" : "no_amount", undefined];
      });
  }

  #outcome({ priceTicks }: CommitmentRecord): NaivePosition[2] {
    const { clearingTick } = this.figures();
    const { pricing, priceTick } = this.definition;
    if (clearingTick === undefined || pricing.kind !== "auction") return undefined;
    if (priceTicks < pricing.floorTicks) return "below_floor";
    if (priceTicks > clearingTick) return "in";
    if (priceTicks < clearingTick) return "out";
    const from = [...this.#commitments.values()].filter(
      (each) => this.#isActive(each) && each.record.priceTicks >= clearingTick,
    );
    const demand = from.reduce((sum, { record }) => sum + this.#demand(record), 0n);
    return demand <= clearingTick * priceTick.numerator * pricing.offeredAmount ? "in" : "at_margin";
  }

  #setSettled(settled: boolean): void {
    if (settled && !this.#settled) this.#settledTimes += 1;
    this.#settled = settled;
  }

  #became(record: CommitmentRecord): NaiveCommitment {
    if (!record.refunded) return { record };
    const before = this.#commitments.get(record.commitmentId)?.refundedIn;
    const refundedIn = this.#settled ? (before ?? this.#settledTimes) : "open";
    return { record, refundedIn };
  }

  #isActive({ record, refundedIn }: NaiveCommitment): boolean {
    if (record.amounts.every(({ amount }) => amount === 0n)) return false;
    if (refundedIn === undefined) return true;
    if (!this.#settled) return false;
    return this.definition.cancelledKeepsAmounts ? refundedIn === this.#settledTimes : true;
  }

  #amount({ amounts }: CommitmentRecord): bigint {
    let sum = 0n;
    for (const { token, amount } of amounts) {
      const decimals = this.definition.paymentTokens.find(({ address }) => address === token)?.decimals ?? 0;
      const { paymentTokenDecimals } = this.definition;
      if (paymentTokenDecimals >= decimals) sum += amount * 10n ** BigInt(paymentTokenDecimals - decimals);
      else sum += amount / 10n ** BigInt(decimals - paymentTokenDecimals);
    }
    return sum;
  }

  /** In parts of a payment unit: as many as the price tick's denominator says. */
  #demand(record: CommitmentRecord): bigint {
    return record.demand ?? this.#amount(record) * this.definition.priceTick.denominator;
  }

  /** Bisects the grid; at every point the demand is added up anew. */
  #clearingTick(
    { offeredAmount, floorTicks, incrementTicks, clearingRule }: AuctionPricing,
    bids: readonly { tick: bigint; demand: bigint }[],
  ): bigint {
    const { numerator } = this.definition.priceTick;
    const demandIn = (counts: (tick: bigint) => boolean) =>
      bids.reduce((sum, { tick, demand }) => (counts(tick) ? sum + demand : sum), 0n);
    const isOutbid = (tick: bigint) => demandIn((bid) => bid > tick) > tick * numerator * offeredAmount;
    const clears = (step: bigint) => {
      const tick = floorTicks + step * incrementTicks;
      // The lowest price that isn't outbid is the one after the highest that is.
      if (clearingRule === "lowest_not_outbid") return isOutbid(tick - 1n);
      return demandIn((bid) => bid >= tick) >= tick * numerator * offeredAmount;
    };
    let low = 0n;
    const highest = this.definition.widePrices ? 2n ** 160n - 1n : 2n ** 64n - 1n;
    let high = (highest - floorTicks) / incrementTicks;
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (clears(middle)) low = middle;
      else high = middle - 1n;
    }
    return floorTicks + low * incrementTicks;
  }
}

function latestFirst(left: CommitmentRecord, right: CommitmentRecord): number {
  if (left.createdAtSeconds !== right.createdAtSeconds) return left.createdAtSeconds > right.createdAtSeconds ? -1 : 1;
  return left.commitmentId < right.commitmentId ? -1 : 1;
}
