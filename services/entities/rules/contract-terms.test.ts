import { describe, expect, it } from "vitest";
import { readContractTerms, termsViolations } from "./contract-terms.ts";
import { DEFAULT_RULES } from "./participation-rules.ts";

const rulesWith = (maxWalletsPerEntity: number, payload: "none" | "settlement" = "settlement") => ({
  wallets: { ...DEFAULT_RULES.wallets, maxWalletsPerEntity },
  payload,
});
const fields = (...given: Parameters<typeof termsViolations>) => termsViolations(...given).map(({ field }) => field);

describe("termsViolations", () => {
  it("finds nothing for a contract that says nothing, or takes what the rules allow", () => {
    expect(fields(rulesWith(255, "none"), {})).toEqual([]);
    expect(fields(rulesWith(30), { maxWalletsPerEntity: 30 })).toEqual([]);
  });

  it("names each field that the contract can't take", () => {
    expect(termsViolations(rulesWith(31), { maxWalletsPerEntity: 30 })).toEqual([
      {
        field: "rules.wallets.max_wallets_per_entity",
        rule: "max_wallets.contract",
        message: "must be at most 30: the contract of the sale takes bids of no more wallets of one entity",
      },
    ]);
    expect(fields(rulesWith(1, "none"), { maxWalletsPerEntity: 0 })).toEqual([
      "rules.wallets.max_wallets_per_entity",
      "rules.payload",
    ]);
  });
});

describe("readContractTerms", () => {
  const at = { chain: "local", contract: "0x1" };
  const answering = (answer: object) => ({ indexer: { checkSource: async () => answer } }) as never;

  it("takes the bound that a contract names", async () => {
    const read = (answer: object) => readContractTerms(answering(answer), at);
    expect(await read({ readable: true, maxWalletsPerEntity: 2 })).toEqual({ terms: { maxWalletsPerEntity: 2 } });
    expect(await read({ readable: true })).toEqual({ terms: {} });
    expect(await read({ readable: false, problems: ["no contract"] })).toEqual({ terms: {} });
  });

  it("asks no auction, whose hook takes any wallets of an entity", async () => {
    const unasked = answering({ maxWalletsPerEntity: 1 });
    expect(await readContractTerms(unasked, { ...at, contractFamily: "cca" })).toEqual({ terms: {} });
  });

  it("returns why nothing is known", async () => {
    const away = { indexer: { checkSource: () => Promise.reject(new Error("refused")) } } as never;
    expect(await readContractTerms(away, at)).toEqual({ problem: "the contract can't be asked: refused" });
    expect(await readContractTerms(away, {})).toEqual({ problem: "the sale has no contract" });
  });
});
