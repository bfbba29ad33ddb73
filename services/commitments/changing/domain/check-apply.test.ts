import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../common/platform/errors/service-error.ts";
import { UINT64_MAX, UINT256_MAX } from "../../../../common/sale/definition/uint.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../../../../common/sale/record/commitment.ts";
import { checkApply, checkRowCount } from "./check-apply.ts";

const token = `0x${"ab".repeat(20)}`;
const wallet = `0x${"cd".repeat(20)}`;
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const pricing = { kind: "auction", offeredAmount: 1n, floorTicks: 0n, incrementTicks: 1n } as const;
const definition = { pricing, paymentTokens: [{ address: token, decimals: 6, usdStablecoin: true }] };
const svmDefinition = { pricing, paymentTokens: [{ address: mint, decimals: 6, usdStablecoin: true }] };

const idOf = (number: number) => number.toString(16).padStart(64, "0");
const amount: WalletTokenAmount = { wallet, token, amount: 5n };
const record: CommitmentRecord = {
  commitmentId: idOf(1),
  entityId: "0".repeat(32),
  createdAtSeconds: 1_769_860_800n,
  priceTicks: 7n,
  lockup: true,
  refunded: false,
  amounts: [amount],
  extraData: Uint8Array.of(1, 2),
};
const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...record, commitmentId: idOf(index) }));

function refusalOf(upserts: readonly CommitmentRecord[], removals: readonly string[] = []): ServiceError {
  try {
    checkApply(definition, upserts, removals);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "invalid_argument") return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("checkApply", () => {
  it("gives the records back with lower-case addresses", () => {
    const spelled = { wallet: wallet.replaceAll("cd", "Cd"), token: token.replaceAll("ab", "AB"), amount: 5n };
    expect(checkApply(definition, [{ ...record, amounts: [spelled] }], [])).toEqual([record]);
  });

  it("takes base58 addresses where the tokens are of an SVM chain", () => {
    const svm = { ...record, amounts: [{ wallet: mint, token: mint, amount: 0n }] };
    expect(checkApply(svmDefinition, [svm], [])).toEqual([svm]);
    expect(() => checkApply(svmDefinition, [record], [])).toThrow("must be an SVM address");
  });

  it("takes the largest values and the smallest", () => {
    const largest: CommitmentRecord = {
      ...record,
      createdAtSeconds: 253_402_300_799n,
      priceTicks: UINT64_MAX,
      amounts: Array.from({ length: 1024 }, () => ({ ...amount, amount: UINT256_MAX })),
      extraData: new Uint8Array(65_536),
      sourceIndex: 2n ** 63n - 1n,
    };
    const smallest = {
      ...record,
      commitmentId: idOf(0),
      createdAtSeconds: 0n,
      priceTicks: 0n,
      amounts: [],
      sourceIndex: 0n,
    };
    expect(checkApply(definition, [largest, smallest], [])).toEqual([largest, smallest]);
  });

  it("takes ticks of 160 bits in a sale with wide prices, and no more", () => {
    const wide = { ...definition, widePrices: true as const };
    const highest = { ...record, priceTicks: 2n ** 160n - 1n };
    expect(checkApply(wide, [highest], [])).toEqual([highest]);
    expect(() => checkApply(wide, [{ ...record, priceTicks: 2n ** 160n }], [])).toThrow("must be 0 to 2^160-1");
    expect(() => checkApply(definition, [highest], [])).toThrow("2^64-1, or to 2^160-1 where wide_prices is set");
  });

  it("takes a demand of 256 bits where the rule of the auction counts it, and no more", () => {
    const outbid = { ...definition, pricing: { ...pricing, clearingRule: "lowest_not_outbid" as const } };
    const rows = [0n, 2n ** 256n - 1n].map((demand, number) => ({ ...record, commitmentId: idOf(number), demand }));
    expect(checkApply(outbid, rows, [])).toEqual(rows);
    expect(() => checkApply(outbid, [{ ...record, demand: 2n ** 256n }], [])).toThrow("upserts[0].demand: must be 0");
    expect(() => checkApply(definition, rows, [])).toThrow("only for an auction with the clearing rule");
  });

  it("takes a zero in a token that the sale doesn't have", () => {
    const zero = { ...record, amounts: [amount, { wallet, token: wallet, amount: 0n }] };
    expect(checkApply(definition, [zero], [])).toEqual([zero]);
  });

  it.each<[string, Partial<CommitmentRecord>, string]>([
    ["a commitment ID of 31 bytes", { commitmentId: "0".repeat(62) }, "commitment_id id.form"],
    ["an entity ID of 17 bytes", { entityId: "0".repeat(34) }, "entity_id id.form"],
    ["a time beyond year 9999", { createdAtSeconds: 253_402_300_800n }, "created_at_seconds range"],
    ["a negative time", { createdAtSeconds: -1n }, "created_at_seconds range"],
    ["ticks beyond uint64", { priceTicks: UINT64_MAX + 1n }, "price_ticks range"],
    ["negative ticks", { priceTicks: -1n }, "price_ticks range"],
    ["an index beyond 2^63-1", { sourceIndex: 2n ** 63n }, "source_index range"],
    ["a demand", { demand: 5n }, "demand demand.clearing_rule"],
    ["too much extra data", { extraData: new Uint8Array(65_537) }, "extra_data bytes.number"],
    ["too many amounts", { amounts: Array.from({ length: 1025 }, () => amount) }, "amounts amounts.number"],
    ["a wallet that is none", { amounts: [amount, { ...amount, wallet: mint }] }, "amounts[1].wallet address.form"],
    ["an unknown token", { amounts: [{ ...amount, token: wallet }] }, "amounts[0].token payment_token.unknown"],
    [
      "a token that isn't an address",
      { amounts: [{ ...amount, token: "" }] },
      "amounts[0].token payment_token.unknown",
    ],
    [
      "a zero in a token that isn't an address",
      { amounts: [{ ...amount, token: mint, amount: 0n }] },
      "amounts[0].token payment_token.unknown",
    ],
    ["an amount beyond uint256", { amounts: [{ ...amount, amount: UINT256_MAX + 1n }] }, "amounts[0].amount range"],
    ["a negative amount", { amounts: [{ ...amount, amount: -1n }] }, "amounts[0].amount range"],
  ])("refuses %s", (_, change, expected) => {
    const { violations } = refusalOf([...records(3), { ...record, commitmentId: idOf(9), ...change }]);
    expect(violations.map(({ field, rule }) => `${field} ${rule}`)).toEqual([`upserts[3].${expected}`]);
  });

  it("refuses a repeated ID, in whichever list", () => {
    const upserts = [record, { ...record, commitmentId: idOf(2) }, record];
    const { violations } = refusalOf(upserts, [idOf(3), idOf(2), idOf(3)]);
    expect(violations.map(({ field }) => field)).toEqual(["upserts[2].commitment_id", "removals[1]", "removals[2]"]);
  });

  it("refuses a removal that is no ID", () => {
    expect(refusalOf([], ["00"]).violations).toMatchObject([{ field: "removals[0]", rule: "id.form" }]);
  });

  it("refuses more rows than allowed, removals included", () => {
    expect(() => checkRowCount(3, 3)).not.toThrow();
    expect(() => checkRowCount(4, 3)).toThrow("upserts: must be at most 3, removals included");
  });

  it("names what is wrong with all rows, up to 20", () => {
    const wrong = records(30).map((good) => ({ ...good, priceTicks: -1n }));
    expect(refusalOf(wrong.slice(0, 12)).violations).toHaveLength(12);
    expect(refusalOf(wrong).violations).toHaveLength(20);
  });
});
