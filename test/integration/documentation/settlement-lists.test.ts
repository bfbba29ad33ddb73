import { expect, it } from "vitest";
import { readLimits, readRefusals } from "../../../common/sale/settlement/list-csv.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

async function* chunksOf(text = ""): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(text);
}

it("the lists of docs/settlement.md are read as it says", async () => {
  const [refusals, limits] = codeBlocks(readRepository("docs/settlement.md"), "csv");
  const entityId = "01".repeat(16);
  expect((await readRefusals(chunksOf(refusals?.code))).map(({ item }) => item)).toEqual([
    { kind: "entity", entityId, reason: "failed the final check" },
    { kind: "wallet", wallet: `0x${"b1".padStart(40, "0")}`, reason: "sanctioned wallet" },
  ]);
  expect(await readLimits(chunksOf(limits?.code))).toEqual([{ line: 2, item: { entityId, largest: 2_500_000_000n } }]);
});
