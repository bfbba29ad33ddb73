import { describe, expect, it } from "vitest";
import { readLimits, readRefusals } from "./list-csv.ts";

const ENTITY = `0x${"0A".repeat(16)}`;
const WALLET = `0x${"Bb".repeat(20)}`;

async function* chunksOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(text);
}

const refusals = (text: string) => readRefusals(chunksOf(text));
const limits = (text: string) => readLimits(chunksOf(text));

describe("readRefusals", () => {
  it("reads entities and wallets in canonical form, with columns in any order and separators of any country", async () => {
    expect(await refusals(`reason;wallet;entity_id\n'=x;;${ENTITY}\n"a;\nb";${WALLET};\n`)).toEqual([
      { line: 2, item: { kind: "entity", entityId: "0a".repeat(16), reason: "=x" } },
      { line: 3, item: { kind: "wallet", wallet: WALLET.toLowerCase(), reason: "a;\nb" } },
    ]);
  });

  it.each([
    ["", "line 1: the first line must name the columns entity_id, wallet, reason"],
    ["entity_id,reason\n", "line 1: the first line must name the columns entity_id, wallet, reason"],
    [`entity_id,wallet,reason\n${ENTITY},${WALLET},x`, "line 2: must name an entity or a wallet, not both"],
    ["entity_id,wallet,reason\n,,x", "line 2: must name an entity or a wallet, not both"],
    [`entity_id,wallet,reason\n${ENTITY},,`, "line 2: reason must have 1 to 500 characters"],
    [`entity_id,wallet,reason\n${ENTITY},`, "line 2: must have 3 fields"],
    ["entity_id,wallet,reason\n,0x12,x", "line 2: wallet must be an address"],
    ["entity_id,wallet,reason\n0x12,,x", 'line 2: entity_id must be 0x and 16 bytes in hex, not "0x12"'],
    [`entity_id,wallet,reason\n,${WALLET},x\n,${WALLET.toLowerCase()},y`, "line 3: names what line 2 names"],
  ])("refuses %j", async (text, message) => {
    await expect(refusals(text)).rejects.toThrow(message);
  });
});

describe("readLimits", () => {
  it("reads amounts up to 2^256-1, and 0", async () => {
    const largest = 2n ** 256n - 1n;
    expect(await limits(`entity_id,largest\n${ENTITY},${largest}\n0x${"0".repeat(32)},0`)).toEqual([
      { line: 2, item: { entityId: "0a".repeat(16), largest } },
      { line: 3, item: { entityId: "0".repeat(32), largest: 0n } },
    ]);
  });

  it.each(["-1", "1.0", "1e3", "", `${2n ** 256n}`])("refuses %j", async (largest) => {
    await expect(limits(`entity_id,largest\n${ENTITY},${largest}`)).rejects.toThrow("line 2: largest must be");
  });
});
