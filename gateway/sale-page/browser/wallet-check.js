// @ts-check
// Compares a sale's figures with its contract, as the node of the reader's own wallet has it.

import { walletProblem } from "../../web/browser/injected-wallets.js";
import { AmountNormaliser } from "./amounts.js";
import { decodeRows } from "./decode-rows.js";
import { READ_SELECTORS } from "./read-selectors.js";

/** Rows in a call. */
const CHUNK = 250n;
/** The words of usual nodes for the state of a block that they have dropped. */
const MISSING_STATE =
  /missing trie node|state (?:is |histories )?(?:not available|unavailable|not found|pruned)|historical state|archive|pruned|distance to target block exceeds/i;
/** Most rows that are read through a wallet, whose node answers everybody. */
const MAX_ROWS = 10_000n;

/**
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {import("../../../client/sale.ts").Position} Position
 * @typedef {import("../../../common/contracts/source-commitment.ts").SourceCommitment} Row
 * @typedef {(method: string, params?: readonly unknown[]) => Promise<any>} Ask asks a wallet by EIP-1193
 *
 * @typedef {object} Shown what the page has, all of one moment
 * @property {SaleFacts} facts
 * @property {{ TotalCommitmentAmount: string, UniqueCommitmentCount: number }} totals
 * @property {{ Block: string, BlockHash?: string }} block up to which that is right
 * @property {Position} position of the reader's wallet
 *
 * @typedef {{ shown: bigint, read: bigint }} Pair a figure of the page and the contract's, in the same units
 *
 * @typedef {object} OwnDifference a difference of a commitment of the reader's wallet
 * @property {string} id
 * @property {"amount" | "price" | "counts" | "notShown" | "notThere"} kind
 * @property {Pair} [amount]
 *
 * @typedef {object} Comparison
 * @property {"compared"} kind
 * @property {Pair} [total] absent for a settled sale, whose contract may mark everybody as refunded
 * @property {Pair} [count]
 * @property {number} own commitments of the wallet in the contract
 * @property {readonly OwnDifference[]} differences of those
 *
 * @typedef {{ kind: "otherChain" | "noBlock" | "otherBlock" | "noState" | "tooMany" | "unreadable" }} NotCompared
 */

/** Why nothing can be compared. */
class CannotCompare extends Error {
  /** @param {NotCompared["kind"]} kind */
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * Compares what the page shows with the contract at the page's block.
 *
 * @param {Ask} ask
 * @param {Shown} shown
 * @returns {Promise<Comparison | NotCompared>}
 * @throws what the wallet throws where it refuses to read the chain at all
 */
export async function compareByWallet(ask, shown) {
  try {
    const rows = await readRows(ask, shown);
    return comparisonOf(rows, shown);
  } catch (error) {
    if (error instanceof CannotCompare) return { kind: error.kind };
    // What isn't such a list of rows.
    if (error instanceof RangeError) return { kind: "unreadable" };
    throw error;
  }
}

/**
 * Returns what differs, as a text to compare it with what differed before; empty where nothing does.
 *
 * @param {Comparison} comparison
 */
export function differenceKey({ total, count, differences }) {
  const pairs = Object.entries({ total, count }).flatMap(([name, pair]) =>
    pair && pair.shown !== pair.read ? [name] : [],
  );
  return [...pairs, ...differences.map(({ id, kind }) => `${kind} ${id}`)].join(", ");
}

/**
 * Returns the block at which all that is shown is compared: up to which it is right, or of its last change where that is later.
 *
 * @param {Shown["block"]} asOf
 * @param {string | null} changed header of the figures
 * @returns {Shown["block"]}
 */
export function comparedBlock(asOf, changed) {
  const [, Block, BlockHash] = /^(\d+);hash="(0x[0-9a-fA-F]+)"/.exec(changed ?? "") ?? [];
  return Block && BlockHash && BigInt(Block) > BigInt(asOf.Block) ? { Block, BlockHash } : asOf;
}

/**
 * @param {Ask} ask
 * @param {Shown} shown
 */
async function readRows(ask, { facts: { Contract }, block }) {
  if (Contract?.ChainID === undefined) throw new CannotCompare("otherChain");
  if (BigInt(await ask("eth_chainId")) !== BigInt(Contract.ChainID)) throw new CannotCompare("otherChain");
  const height = `0x${BigInt(block.Block).toString(16)}`;
  const header = await ask("eth_getBlockByNumber", [height, false]);
  if (header === null || header === undefined) throw new CannotCompare("noBlock");
  const isOther = block.BlockHash !== undefined && String(header.hash).toLowerCase() !== block.BlockHash.toLowerCase();
  if (isOther) throw new CannotCompare("otherBlock");
  const call = contractAt(ask, Contract.Address, height);
  const count = BigInt(wordOf(await call(READ_SELECTORS.numCommitments)));
  if (count > MAX_ROWS) throw new CannotCompare("tooMany");
  /** @type {Row[]} */
  const rows = [];
  for (let from = 0n; from < count; from += CHUNK) {
    const to = from + CHUNK < count ? from + CHUNK : count;
    const answer = await call(`${READ_SELECTORS.readCommitmentDataIn}${argument(from)}${argument(to)}`);
    rows.push(...decodeRows(answer, from, Number(to - from)));
  }
  return rows;
}

/**
 * Returns a function that calls the contract at a block.
 *
 * @param {Ask} ask
 * @param {string} to
 * @param {string} height
 * @returns {(data: string) => Promise<string>}
 */
function contractAt(ask, to, height) {
  const call = (/** @type {string} */ data, /** @type {string} */ at) => ask("eth_call", [{ to, data }, at]);
  return async (data) => {
    try {
      return String(await call(data, height).catch((error) => again(error, () => call(data, height))));
    } catch (error) {
      if (walletProblem(error) !== "failed") throw error;
      throw new CannotCompare(isMissingState(error) ? "noState" : "unreadable");
    }
  };
}

/**
 * Asks once more where a node may have been busy.
 *
 * @param {unknown} error
 * @param {() => Promise<any>} ask
 */
function again(error, ask) {
  if (walletProblem(error) !== "failed" || isMissingState(error)) throw error;
  return ask();
}

/** Whether a node says that it has dropped the state of a block; any other failure is no sign of that. @param {unknown} error */
function isMissingState(error) {
  const { message = "", data } = /** @type {{ message?: unknown, data?: { message?: unknown } }} */ (error ?? {});
  return MISSING_STATE.test(`${message} ${data?.message ?? ""}`);
}

/** @param {string} answer @throws RangeError for anything but one word */
function wordOf(answer) {
  if (!/^0x[0-9a-fA-F]{64}$/.test(answer)) throw new RangeError("the answer isn't a number");
  return answer;
}

/** @param {bigint} number */
function argument(number) {
  return number.toString(16).padStart(64, "0");
}

/**
 * @param {readonly Row[]} rows
 * @param {Shown} shown
 * @returns {Comparison}
 */
function comparisonOf(rows, { facts, totals, position }) {
  const { PaymentTokens, PaymentTokenDecimals: paymentTokenDecimals } = facts;
  const paymentTokens = PaymentTokens.map(({ TokenAddress, Decimals }) => ({
    address: TokenAddress,
    decimals: Decimals,
    usdStablecoin: false,
  }));
  const normaliser = new AmountNormaliser({ paymentTokens, paymentTokenDecimals });
  const isOpen = facts.Status === "open" && facts.Stage !== "done" && facts.Stage !== "settlement";
  const counted = rows.filter((row) => counts(row, normaliser));
  // Also those of which nothing is left: a look-up lists them, too.
  const own = rows.filter(({ amounts }) => amounts.some(({ wallet }) => wallet === position.Wallet));
  const total = counted.reduce((sum, { amounts }) => sum + normaliser.sum(amounts), 0n);
  return {
    kind: "compared",
    ...(isOpen && {
      total: { shown: BigInt(totals.TotalCommitmentAmount), read: total },
      count: { shown: BigInt(totals.UniqueCommitmentCount), read: BigInt(counted.length) },
    }),
    own: own.length,
    differences: ownDifferences(own, position, { facts, normaliser, isOpen }),
  };
}

/**
 * Whether a row is in the figures of an open sale.
 *
 * @param {Row} row
 * @param {AmountNormaliser} normaliser
 */
function counts({ refunded, amounts }, normaliser) {
  return !refunded && normaliser.sum(amounts) > 0n;
}

/**
 * @param {Row["amounts"]} amounts
 * @param {string} wallet
 * @param {AmountNormaliser} normaliser
 */
function ownSum(amounts, wallet, normaliser) {
  return normaliser.sum(amounts.filter((each) => each.wallet === wallet));
}

/**
 * @param {readonly Row[]} own
 * @param {Position} position
 * @param {{ facts: SaleFacts, normaliser: AmountNormaliser, isOpen: boolean }} terms
 * @returns {readonly OwnDifference[]}
 */
function ownDifferences(own, { Commitments, Wallet, NextPageToken = "" }, { facts, normaliser, isOpen }) {
  const listed = new Map(Commitments.map((commitment) => [commitment.CommitmentID.toLowerCase(), commitment]));
  const isWhole = NextPageToken === "";
  /** @type {OwnDifference[]} */
  const found = [];
  for (const row of own) {
    const id = `0x${row.commitmentId}`;
    const commitment = listed.get(id);
    listed.delete(id);
    if (commitment === undefined) {
      if (isWhole) found.push({ id, kind: "notShown" });
      continue;
    }
    const read = ownSum(row.amounts, Wallet, normaliser);
    const shown = commitment.Amounts.reduce(
      (sum, each) => (each.Wallet === Wallet ? sum + BigInt(each.Amount) : sum),
      0n,
    );
    if (read !== shown) found.push({ id, kind: "amount", amount: { shown, read } });
    if (!isPriceOf(row, commitment, facts)) found.push({ id, kind: "price" });
    if (isOpen && commitment.Counted !== counts(row, normaliser)) found.push({ id, kind: "counts" });
  }
  return [...found, ...Array.from(listed.keys(), (id) => /** @type {const} */ ({ id, kind: "notThere" }))];
}

/**
 * Whether a commitment has the price of its row. At a fixed price rows have none.
 *
 * @param {Row} row
 * @param {Position["Commitments"][number]} commitment
 * @param {SaleFacts} facts
 */
function isPriceOf(
  { priceTicks },
  { PriceNumerator, PriceDenominator },
  { Pricing, PriceTickNumerator, PriceTickDenominator },
) {
  if (Pricing === "fixed" || PriceTickNumerator === undefined || PriceTickDenominator === undefined) return true;
  return (
    priceTicks * BigInt(PriceTickNumerator) * BigInt(PriceDenominator) ===
    BigInt(PriceNumerator) * BigInt(PriceTickDenominator)
  );
}
