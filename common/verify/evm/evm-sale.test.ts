import { describe, expect, it } from "vitest";
import type { ContractStatements } from "../../contracts/contract-facts.ts";
import { REFERENCE_FAMILY } from "../../contracts/reference/evm/reference-family.ts";
import type { ShownSale } from "../compare/shown-sale.ts";
import { contractMeaning } from "./evm-sale.ts";

const shown = (stage: ShownSale["stage"], contractVersion?: number) => ({
  ...(stage === undefined ? {} : { stage }),
  definition: { ...(contractVersion === undefined ? {} : { contractVersion }) } as ShownSale["definition"],
});

const meaningOf = (statements: ContractStatements, sale: ReturnType<typeof shown>) =>
  contractMeaning(REFERENCE_FAMILY, statements, sale);

describe("contractMeaning", () => {
  it("takes a contract at its word, whatever is shown", () => {
    expect(meaningOf({ release: [2, 0, 0], stageNumber: 4 }, shown("settlement"))).toMatchObject({
      stage: "done",
    });
    expect(meaningOf({ release: [1, 0, 0], stageNumber: 4 }, shown("done"))).toMatchObject({
      stage: "settlement",
    });
  });

  it("takes the version that the sale's settings name", () => {
    expect(meaningOf({ stageNumber: 4 }, shown("done", 1))).toMatchObject({ stage: "settlement" });
    expect(meaningOf({ stageNumber: 4 }, shown("settlement", 2))).toMatchObject({ stage: "done" });
  });

  it("assumes the version of the shown stage where nobody names one, and says so", () => {
    expect(meaningOf({ stageNumber: 4 }, shown("done"))).not.toHaveProperty("remark");
    const assumed = meaningOf({ stageNumber: 4 }, shown("settlement"));
    expect(assumed).toMatchObject({ stage: "settlement", cancelledKeepsAmounts: true });
    expect(assumed.remark).toContain("its stage 4 is taken for that of version 1");
  });

  it("finds a stage that no version has at that number", () => {
    expect(meaningOf({ stageNumber: 4 }, shown("commitment"))).toMatchObject({ stage: "done" });
  });
});
