import { describe, expect, it } from "vitest";
import { beginChecks, type ExpectedContract } from "./compare-contract.ts";
import type { ShownSale, ShownSource } from "./shown-sale.ts";

const ADDRESS = `0x${"5a".repeat(20)}`;
const ETHEREUM: ShownSource = { kind: "evm", chain: "ethereum", chainId: 1n, address: ADDRESS };

/** Only the source is read. */
function checked(source: ShownSource, expected: ExpectedContract) {
  const checks = beginChecks({ source } as ShownSale, expected);
  return { outcome: checks.outcomes[0], findings: checks.findings };
}

describe("the check of a sale's contract", () => {
  it("says that nothing was compared where the caller names neither contract nor chain", () => {
    const detail = `${ADDRESS} on ethereum, chain ID 1, by Tidemark's word`;
    expect(checked(ETHEREUM, {})).toEqual({
      outcome: { name: "contract", outcome: "not_compared", detail },
      findings: [],
    });
  });

  it("says what was compared where the caller names one of both, or both", () => {
    const detail = `${ADDRESS} on ethereum, chain ID 1`;
    for (const expected of [{ contract: ADDRESS }, { contract: ADDRESS, chainId: 1n }]) {
      expect(checked(ETHEREUM, expected).outcome).toEqual({ name: "contract", outcome: "same", detail });
    }
    const word = `chain ID 1; that the contract is ${ADDRESS} is Tidemark's word`;
    expect(checked(ETHEREUM, { chainId: 1n }).outcome).toEqual({ name: "contract", outcome: "same", detail: word });
  });

  it("differs for another contract, another chain, and the ID of a chain for a sale on Solana", () => {
    const other = `0x${"7".repeat(40)}`;
    const solana: ShownSource = {
      kind: "svm",
      chain: "solana",
      address: "So11111111111111111111111111111111111111112",
    };
    expect(checked(ETHEREUM, { contract: other }).findings).toMatchObject([{ shown: ADDRESS, chain: other }]);
    expect(checked(ETHEREUM, { chainId: 5n }).findings).toMatchObject([{ shown: "1", chain: "5" }]);
    expect(checked(solana, { chainId: 1n }).findings).toMatchObject([{ shown: "none", chain: "1" }]);
  });

  it("finds no difference in a chain's ID that Tidemark doesn't say, and asks the caller for", () => {
    const { kind, chain, address } = ETHEREUM;
    expect(checked({ kind, chain, address }, { chainId: 1n })).toMatchObject({
      outcome: { outcome: "not_compared" },
      findings: [],
    });
  });
});
