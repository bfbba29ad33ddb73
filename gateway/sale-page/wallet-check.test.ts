import { encodeAbiParameters, parseAbi } from "viem/utils";
import { expect, it } from "vitest";
import type { Position, SaleFacts } from "../../client/sale.ts";
import { SALE_FUNCTIONS } from "../../common/contracts/reference/evm/abi.ts";
import { compareByWallet, comparedBlock, differenceKey, type Shown } from "./browser/wallet-check.js";

const WALLET = `0x${"ab".repeat(20)}` as const;
const OTHER = `0x${"cd".repeat(20)}` as const;
const TOKEN = `0x${"a0".repeat(20)}` as const;
const CONTRACT = `0x${"c2".repeat(20)}`;
const BLOCK = { Block: "19000000", BlockHash: `0x${"07".repeat(32)}` };
const id = (index: number) => `0x${index.toString(16).padStart(64, "0")}` as const;
const row = (index: number, wallet: `0x${string}`, amount: bigint) => ({
  commitmentID: id(index),
  saleSpecificEntityID: `0x${"02".repeat(16)}` as const,
  timestamp: 1_790_000_000n,
  price: 250n,
  lockup: false,
  refunded: false,
  amounts: [{ wallet, token: TOKEN, amount }],
  extraData: "0x" as const,
});
type Row = ReturnType<typeof row>;

const facts = {
  Status: "open",
  Stage: "commitment",
  Pricing: "auction",
  PriceTickNumerator: "1",
  PriceTickDenominator: "1000000000000000",
  PaymentTokens: [{ TokenAddress: TOKEN, Decimals: 6, DollarStablecoin: true }],
  PaymentTokenDecimals: 6,
  Contract: { Chain: "ethereum", ChainKind: "evm", ChainID: 1, Address: CONTRACT },
} as unknown as SaleFacts;
const commitment = {
  CommitmentID: id(1),
  PriceNumerator: "250",
  PriceDenominator: "1000000000000000",
  Amounts: [{ Wallet: WALLET, TokenAddress: TOKEN, Amount: "7000000" }],
  Counted: true,
};
const position = { Wallet: WALLET, Commitments: [commitment], PaymentTokenDecimals: 6 } as unknown as Position;
const SHOWN: Shown = {
  facts,
  totals: { TotalCommitmentAmount: "12000000", UniqueCommitmentCount: 2 },
  block: BLOCK,
  position,
};
const ROWS = [row(1, WALLET, 7_000_000n), row(2, OTHER, 5_000_000n)];

const [, structure] = parseAbi(SALE_FUNCTIONS).flatMap((each) =>
  each.type === "function" && each.name === "readCommitmentDataIn" ? [each.name, each.outputs[0]] : [],
);

/** Returns a wallet whose node has these rows. @param changed answers in place of the node's */
function walletWith(rows: readonly Row[], changed: Readonly<Record<string, (at: string) => unknown>> = {}) {
  const calls: { method: string; at: string }[] = [];
  const ask = async (method: string, params: readonly unknown[] = []) => {
    const [{ to = "", data = "" } = {}, at = ""] = params as [{ to?: string; data?: string }, string];
    calls.push({ method, at });
    const other = changed[method];
    if (other !== undefined) return other(at);
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getBlockByNumber") return { hash: BLOCK.BlockHash };
    if (to !== CONTRACT) throw new Error("another contract");
    const numbers = Array.from(data.slice(10).matchAll(/.{64}/g), ([word]) => Number(`0x${word}`));
    if (numbers.length === 0) return `0x${rows.length.toString(16).padStart(64, "0")}`;
    return encodeAbiParameters([structure] as never[], [rows.slice(...numbers)] as never);
  };
  return { ask, calls };
}

const compared = (rows: readonly Row[], shown: Partial<Shown> = {}) =>
  compareByWallet(walletWith(rows).ask, { ...SHOWN, ...shown });

it("finds everything the same, at the page's block", async () => {
  const { ask, calls } = walletWith(ROWS);
  expect(await compareByWallet(ask, SHOWN)).toEqual({
    kind: "compared",
    total: { shown: 12_000_000n, read: 12_000_000n },
    count: { shown: 2n, read: 2n },
    own: 1,
    differences: [],
  });
  expect(calls.filter(({ method }) => method === "eth_call").map(({ at }) => at)).toEqual(["0x121eac0", "0x121eac0"]);
});

it("reads a contract of many rows in parts", async () => {
  const rows = Array.from({ length: 600 }, (_, index) => row(index + 1, index === 0 ? WALLET : OTHER, 7_000_000n));
  const totals = { TotalCommitmentAmount: "4200000000", UniqueCommitmentCount: 600 };
  expect(await compared(rows, { totals })).toMatchObject({ total: { read: 4_200_000_000n }, own: 1, differences: [] });
});

it("finds each difference", async () => {
  const [own = row(1, WALLET, 7_000_000n), other = own] = ROWS;
  const found = async (rows: readonly Row[], shown: Partial<Shown> = {}) => {
    const comparison = await compared(rows, shown);
    return comparison.kind === "compared" ? comparison.differences.map(({ kind }) => kind) : comparison.kind;
  };
  expect(await found([{ ...own, amounts: [{ wallet: WALLET, token: TOKEN, amount: 7_000_001n }] }, other])).toEqual([
    "amount",
  ]);
  expect(await found([{ ...own, price: 251n }, other])).toEqual(["price"]);
  expect(await found([{ ...own, refunded: true }, other])).toEqual(["counts"]);
  expect(await found([other])).toEqual(["notThere"]);
  expect(await found([own, row(3, WALLET, 1n)])).toEqual(["notShown"]);
  // The rest is on another page of the answer.
  expect(await found([own, row(3, WALLET, 1n)], { position: { ...position, NextPageToken: "next" } })).toEqual([]);
});

it("finds another total, and leaves out commitments that don't count", async () => {
  const refunded = { ...row(3, OTHER, 9_000_000n), refunded: true };
  expect(await compared([...ROWS, refunded, row(4, OTHER, 0n)])).toMatchObject({
    total: { read: 12_000_000n },
    count: { read: 2n },
  });
  expect(await compared([...ROWS, row(3, OTHER, 1n)])).toMatchObject({
    total: { shown: 12_000_000n, read: 12_000_001n },
    count: { read: 3n },
  });
});

it("compares a settled sale's commitments, and not its totals", async () => {
  const rows = ROWS.map((each) => ({ ...each, refunded: true }));
  const settled = await compared(rows, { facts: { ...facts, Status: "settled", Stage: "done" } });
  expect(settled).toEqual({ kind: "compared", own: 1, differences: [] });
});

it("knows a commitment of the wallet of which nothing is left, as a look-up does", async () => {
  const empty = { ...commitment, Amounts: [], Counted: false, NotCountedReason: "no_amount" };
  const shown = {
    totals: { TotalCommitmentAmount: "5000000", UniqueCommitmentCount: 1 },
    position: { ...position, Commitments: [empty] } as unknown as Position,
  };
  expect(await compared([row(1, WALLET, 0n), row(2, OTHER, 5_000_000n)], shown)).toMatchObject({
    own: 1,
    differences: [],
  });
});

it("says what differs in a text that is the same for the same difference, and empty for none", async () => {
  const keyOf = async (rows: readonly Row[]) => {
    const comparison = await compared(rows);
    return comparison.kind === "compared" ? differenceKey(comparison) : comparison.kind;
  };
  expect(await keyOf(ROWS)).toBe("");
  expect(await keyOf([...ROWS, row(3, OTHER, 1n)])).toBe("total, count");
  expect(await keyOf([row(1, WALLET, 6_000_000n), row(2, OTHER, 6_000_000n)])).toBe(`amount ${id(1)}`);
});

it("compares at the block of the last change where that is later than the one up to which figures are right", () => {
  const later = `0x${"09".repeat(32)}`;
  expect(comparedBlock(BLOCK, `19000001;hash="${later}"`)).toEqual({ Block: "19000001", BlockHash: later });
  expect(comparedBlock(BLOCK, `18999999;hash="${later}"`)).toBe(BLOCK);
  expect(comparedBlock(BLOCK, null)).toBe(BLOCK);
});

it("asks a busy node once more, and lets a reader's refusal be one", async () => {
  const answers = walletWith(ROWS);
  let calls = 0;
  const busy = async (method: string, params?: readonly unknown[]) => {
    if (method === "eth_call" && calls++ === 0) throw Object.assign(new Error("too many requests"), { code: -32_005 });
    return answers.ask(method, params);
  };
  expect(await compareByWallet(busy, SHOWN)).toMatchObject({ kind: "compared", differences: [] });
  const refusal = Object.assign(new Error("User rejected the request."), { code: 4_001 });
  const refusing = walletWith(ROWS, { eth_call: () => Promise.reject(refusal) });
  await expect(compareByWallet(refusing.ask, SHOWN)).rejects.toBe(refusal);
});

it("converts amounts of tokens with other decimals", async () => {
  const tokens = [{ TokenAddress: TOKEN, Decimals: 8, DollarStablecoin: true }];
  const rows = ROWS.map((each) => ({
    ...each,
    amounts: each.amounts.map((entry) => ({ ...entry, amount: entry.amount * 100n })),
  }));
  expect(await compared(rows, { facts: { ...facts, PaymentTokens: tokens } })).toMatchObject({
    total: { read: 12_000_000n },
    differences: [],
  });
});

it.each([
  ["otherChain", { eth_chainId: () => "0x2" }],
  ["noBlock", { eth_getBlockByNumber: () => null }],
  ["otherBlock", { eth_getBlockByNumber: () => ({ hash: `0x${"08".repeat(32)}` }) }],
  ["tooMany", { eth_call: () => `0x${(10_001).toString(16).padStart(64, "0")}` }],
  ["unreadable", { eth_call: () => "0x" }],
  ["unreadable", { eth_call: () => Promise.reject(new Error("execution reverted")) }],
  ["unreadable", { eth_call: (at: string) => (at === "latest" ? "0x" : Promise.reject(new Error("out of gas"))) }],
  ["noState", { eth_call: () => Promise.reject(new Error("missing trie node 0a (path )")) }],
  ["noState", { eth_call: () => Promise.reject({ code: -32_603, data: { message: "state is not available" } }) }],
])("says why nothing is compared: %s", async (kind, changed) => {
  expect(await compareByWallet(walletWith(ROWS, changed).ask, SHOWN)).toEqual({ kind });
});
