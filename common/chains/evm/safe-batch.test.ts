import { keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { safeBatch, safeChecksum } from "./safe-batch.ts";

const BATCH = { chainId: 10n, name: "0001 call", to: `0x${"c1".repeat(20)}`, data: "0x1234" };
const ADDRESS = "0xC1C1c1c1C1C1C1c1c1C1C1C1c1C1C1C1c1C1c1c1";

describe("a file for the transaction builder of a Safe", () => {
  it("sends one call with no money, whose address has its checksum", () => {
    const { meta, ...file } = JSON.parse(safeBatch(BATCH));
    const call = { to: ADDRESS, value: "0", data: "0x1234", contractMethod: null, contractInputsValues: null };
    expect(file).toEqual({ version: "1.0", chainId: "10", createdAt: 0, transactions: [call] });
    expect(meta).toEqual({ name: "0001 call", description: "", checksum: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  });

  it("has the checksum that the builder works out of everything else", () => {
    const names = (each: readonly string[]) => JSON.stringify(each);
    const call = `{${names(["contractInputsValues", "contractMethod", "data", "to", "value"])}null,null,"0x1234","${ADDRESS}","0",}`;
    const meta = `{${names(["description", "name"])}"","0001 call",}`;
    const file = `{${names(["chainId", "createdAt", "meta", "transactions", "version"])}"10",0,${meta},[${call}],"1.0",}`;
    expect(JSON.parse(safeBatch(BATCH)).meta.checksum).toBe(keccak256(stringToHex(file)));
  });

  it("has a checksum that doesn't depend on the order of members", () => {
    expect(safeChecksum({ a: [1, "ä"], b: null })).toBe(safeChecksum({ b: null, a: [1, "ä"] }));
    expect(safeChecksum({ a: [1, "ä"], b: null })).not.toBe(safeChecksum({ a: ["ä", 1], b: null }));
  });
});
