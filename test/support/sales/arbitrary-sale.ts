import fc from "fast-check";
import type { ClearingRule, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";

export const STAGES: readonly SaleStage[] = ["pre_open", "commitment", "cancellation", "settlement", "done"];

const UINT64_MAX = 2n ** 64n - 1n;
const UINT160_MAX = 2n ** 160n - 1n;
const Q96 = 2n ** 96n;
const UINT256_MAX = 2n ** 256n - 1n;

const wallet = fc.constantFrom(1, 2, 3).map((digit) => `0x${String(digit).repeat(40)}`);
const tick = fc.oneof(
  { arbitrary: fc.bigInt({ min: 0n, max: 20n }), weight: 4 },
  { arbitrary: fc.bigInt({ min: 0n, max: 70_000n }), weight: 2 },
  { arbitrary: fc.bigInt({ min: 0n, max: UINT64_MAX }), weight: 1 },
  { arbitrary: fc.constant(UINT64_MAX), weight: 1 },
);
const wideTick = fc.oneof(
  { arbitrary: tick, weight: 1 },
  { arbitrary: fc.bigInt({ min: 0n, max: 20n }).map((price) => price * Q96), weight: 4 },
  { arbitrary: fc.bigInt({ min: 0n, max: 70_000n }).map((off) => 7n * Q96 + off), weight: 2 },
  { arbitrary: fc.bigInt({ min: 0n, max: UINT160_MAX }), weight: 1 },
  { arbitrary: fc.constant(UINT160_MAX), weight: 1 },
);
const amount = fc.oneof(
  { arbitrary: fc.constant(0n), weight: 2 },
  { arbitrary: fc.bigInt({ min: 1n, max: 10n ** 9n }), weight: 4 },
  { arbitrary: fc.bigInt({ min: 0n, max: UINT256_MAX }), weight: 1 },
  { arbitrary: fc.constant(UINT256_MAX), weight: 1 },
);

/**
 * A sale definition with one to three tokens of 0 to 24 decimals, perhaps with prices of 160 bits: 2^96 ticks are what one is else. An
 * auction has either rule.
 */
export const definitions: fc.Arbitrary<SaleDefinition> = fc
  .record({
    decimals: fc.array(fc.integer({ min: 0, max: 24 }), { minLength: 1, maxLength: 3 }),
    normalised: fc.integer({ min: 0, max: 24 }),
    numerator: fc.bigInt({ min: 1n, max: 1000n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    auction: fc.record({
      offeredAmount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      floorTicks: fc.bigInt({ min: 0n, max: 30n }),
      incrementTicks: fc.bigInt({ min: 1n, max: 7n }),
    }),
    isAuction: fc.boolean(),
    rule: fc.constantFrom<ClearingRule | undefined>(undefined, "lowest_not_outbid"),
    cancelledKeepsAmounts: fc.boolean(),
    isWide: fc.boolean(),
  })
  .map(({ decimals, normalised, numerator, denominator, auction, isAuction, rule, cancelledKeepsAmounts, isWide }) => ({
    name: "Model",
    paymentTokens: decimals.map((count, index) => ({
      address: `0x${String(index + 4).repeat(40)}`,
      decimals: count,
      usdStablecoin: false,
    })),
    paymentTokenDecimals: new Set(decimals).size === 1 ? (decimals[0] ?? 0) : normalised,
    priceTick: { numerator, denominator: isWide ? denominator * Q96 : denominator },
    pricing: isAuction ? { kind: "auction", ...termsOf(auction, isWide, rule) } : { kind: "fixed", priceTicks: 5n },
    ...(isWide && { widePrices: true }),
    extraDataParameters: "",
    cancelledKeepsAmounts,
  }));

interface Terms {
  readonly offeredAmount: bigint;
  readonly floorTicks: bigint;
  readonly incrementTicks: bigint;
  readonly clearingRule?: ClearingRule;
}

/** Off any power of two where ticks are small. */
function termsOf(terms: Terms, isWide: boolean, clearingRule: ClearingRule | undefined): Terms {
  const { offeredAmount, floorTicks, incrementTicks } = terms;
  const scaled = isWide
    ? { offeredAmount, floorTicks: floorTicks * Q96 + floorTicks, incrementTicks: incrementTicks * Q96 - 1n }
    : terms;
  return clearingRule === undefined ? scaled : { ...scaled, incrementTicks: 1n, clearingRule };
}

function ruleOf({ pricing }: SaleDefinition): ClearingRule | undefined {
  return pricing.kind === "auction" ? pricing.clearingRule : undefined;
}

/** A commitment of one of a dozen IDs, so that a sequence of them meets the same ones again. */
export function records(definition: SaleDefinition): fc.Arbitrary<CommitmentRecord> {
  const token = fc.constantFrom(...definition.paymentTokens.map(({ address }) => address));
  const demand = amount.map((units) => (units * definition.priceTick.denominator) & UINT256_MAX);
  return fc
    .record({
      id: fc.integer({ min: 1, max: 12 }),
      createdAtSeconds: fc.bigInt({ min: 0n, max: 8n }),
      priceTicks: definition.widePrices ? wideTick : tick,
      lockup: fc.boolean(),
      refunded: fc.boolean(),
      amounts: fc.array(fc.record({ wallet, token, amount }), { maxLength: 4 }),
      extraData: fc.uint8Array({ maxLength: 8 }),
      sourceIndex: fc.option(fc.bigInt({ min: 0n, max: 20n }), { nil: undefined }),
      demand: ruleOf(definition) === undefined ? fc.constant(undefined) : fc.option(demand, { nil: undefined }),
    })
    .map(({ id, sourceIndex, demand, ...record }) => ({
      ...record,
      commitmentId: idOf(id),
      entityId: idOf(id).slice(0, 32),
      ...(sourceIndex === undefined ? {} : { sourceIndex }),
      ...(demand === undefined ? {} : { demand }),
    }));
}

export function idOf(number: number): string {
  return number.toString(16).padStart(2, "0").repeat(32);
}

/** Changes of a sale in one step. */
export interface Step {
  readonly upserts: readonly CommitmentRecord[];
  readonly removals: readonly string[];
  readonly stage: SaleStage | undefined;
  /** Number of parts in which it is sent; more than one is a change set. */
  readonly parts: number;
  /** A change set that is begun with these rows and abandoned, before the step itself. */
  readonly abandoned: boolean;
  /** New terms of the auction, decided after the rows. */
  readonly mend?: Terms;
}

export function steps(definition: SaleDefinition): fc.Arbitrary<readonly Step[]> {
  const rows = {
    upserts: fc.uniqueArray(records(definition), { maxLength: 8, selector: ({ commitmentId }) => commitmentId }),
    removals: fc.uniqueArray(fc.integer({ min: 1, max: 12 }).map(idOf), { maxLength: 3 }),
  };
  const anything = fc.record({
    ...rows,
    stage: fc.option(fc.constantFrom(...STAGES), { nil: undefined }),
    parts: fc.integer({ min: 1, max: 3 }),
    abandoned: fc.boolean(),
    mend: fc.option(
      fc.record({
        offeredAmount: fc.bigInt({ min: 1n, max: 10n ** 30n }),
        floorTicks: fc.bigInt({ min: 0n, max: 100n }),
        incrementTicks: fc.bigInt({ min: 1n, max: 50n }),
      }),
      { nil: undefined, freq: 4 },
    ),
  });
  // Most applies change rows and nothing else. Only their events hold the changes, so half of the steps are such ones.
  const rowsOnly = fc.record({
    ...rows,
    stage: fc.constant(undefined),
    parts: fc.constant(1),
    abandoned: fc.constant(false),
    mend: fc.constant(undefined),
  });
  const disjoint = fc.oneof(rowsOnly, anything).map(({ mend, ...rest }) => ({
    ...rest,
    ...(mend === undefined ? {} : { mend: termsOf(mend, definition.widePrices === true, ruleOf(definition)) }),
    removals: rest.removals.filter((id) => rest.upserts.every(({ commitmentId }) => commitmentId !== id)),
  }));
  return fc.array(disjoint, { minLength: 1, maxLength: 8 });
}
