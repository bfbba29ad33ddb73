import { expect, it } from "vitest";
import { type WalletRow, walletPage } from "./wallet-page.ts";

const BOUNDS = { wallets: 3, rows: 6, bytes: 100 };

/** Makes a row of each `wallet:commitment`, all with the same length. */
const rows = (text: string, bytes = 10): readonly WalletRow[] =>
  text.split(" ").map((row) => {
    const [wallet = "", commitmentId = ""] = row.split(":");
    return { wallet, commitmentId, bytes };
  });
const shown = (text: string, bytes?: number) => {
  const { wallets, next } = walletPage(rows(text, bytes), BOUNDS);
  return [Object.fromEntries(wallets), next];
};

it("has all wallets of the last page, with the commitments of each", () => {
  expect(shown("a:1 a:2 b:3")).toEqual([{ a: ["1", "2"], b: ["3"] }, undefined]);
  expect(walletPage([], BOUNDS)).toEqual({ wallets: new Map() });
});

it("has as many wallets as were asked for, and says where the next page begins", () => {
  expect(shown("a:1 b:2 c:3 d:4")).toEqual([{ a: ["1"], b: ["2"], c: ["3"] }, "c"]);
});

it("leaves the wallet whose rows end the page to the next one", () => {
  expect(shown("a:1 b:2 b:3 b:4 b:5 b:6 b:7")).toEqual([{ a: ["1"] }, "a"]);
});

it("names a wallet that alone is too much for a page, and goes on after it", () => {
  expect(shown("a:1 a:2 a:3 a:4 a:5 a:6 a:7")).toEqual([{ a: undefined }, "a"]);
  expect(shown("a:1 b:2", 101)).toEqual([{ a: undefined }, "a"]);
  expect(shown("a:1", 101)).toEqual([{ a: undefined }, undefined]);
});

it("counts the length of a commitment of several wallets once", () => {
  expect(shown("a:1 b:1 c:1", 60)).toEqual([{ a: ["1"], b: ["1"], c: ["1"] }, undefined]);
  expect(shown("a:1 b:2 c:3", 60)).toEqual([{ a: ["1"] }, "a"]);
});
