import { describe, expect, it } from "vitest";
import { readWallets, WALLET_CSV_HEADER, type WalletLine, walletCsv } from "./wallet-list.ts";

async function read(text: string) {
  const found: WalletLine[] = [];
  async function* bytes() {
    yield Buffer.from(text);
  }
  for await (const line of readWallets(bytes())) found.push(line);
  return found;
}

describe("a file of wallets", () => {
  it("has one on each line, with or without a name of the column", async () => {
    const expected = [
      { line: 2, wallet: "0x1" },
      { line: 4, wallet: "0x2" },
    ];
    expect(await read("Wallet\n0x1\n\n0x2")).toEqual(expected);
    expect(await read("0x1\n0x2\n")).toEqual([
      { line: 1, wallet: "0x1" },
      { line: 2, wallet: "0x2" },
    ]);
  });

  it("is read back as it was written", async () => {
    const lines = await read(WALLET_CSV_HEADER + walletCsv(["0x1", "0x2"]));
    expect(lines.map((line) => "wallet" in line && line.wallet)).toEqual(["0x1", "0x2"]);
  });

  it("says what is wrong with a line", async () => {
    expect(await read(`0x1,no\n${"x".repeat(65)}\n`)).toEqual([
      { line: 1, field: "wallet", problem: "must be the only field" },
      { line: 2, field: "wallet", problem: "must have at most 64 characters" },
    ]);
    await expect(read("")).rejects.toThrow("the file is empty");
  });
});
