import type {
  Commitment,
  Position,
  PositionAllocation,
  PositionCommitment,
  CommitmentData as PublicData,
  Sale,
} from "../../../client/index.ts";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import { bytesOfHex } from "../../platform/encoding/hex.ts";
import type { CommitmentData, PresentedCommitment, PresentedPrice } from "../../sale/figures/commitment-data.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import type { ShownAllocation, ShownEntry, ShownPosition } from "../compare/shown-position.ts";
import type { ShownSale } from "../compare/shown-sale.ts";
import { getJson, postJson } from "./get-json.ts";
import { type PublicAddress, publicDocument } from "./public-address.ts";
import { publicSale } from "./public-sale.ts";
import { decimalsOf, fractionOf, hexOf, integerOf, wholeNumber } from "./public-values.ts";
import { Unreachable } from "./unreachable.ts";

const CHANGED_BLOCK = /^(\d{1,15})(?:;hash="0x([0-9a-f]{64})")?$/;

/**
 * Reads a sale as everybody is shown it: what it is, its figures, and the latest commitments.
 *
 * @param wallet whose commitments to read too, in its canonical form
 * @throws Unreachable; CannotVerify for a sale that isn't read from a contract, and for answers that aren't a public read
 */
export async function publicFigures(address: PublicAddress, signal: AbortSignal, wallet?: string): Promise<ShownSale> {
  const document = await publicDocument(address, signal);
  // The sale first: its block is then at most as new as the figures, but for the second that they may be cached.
  const sale = (await getJson(document, signal)).body as unknown as Sale;
  const { body, headers } = await getJson(`${document}/commitment-data`, signal);
  try {
    const data = body as unknown as PublicData;
    if (sale.SaleUUID !== address.saleUuid) throw new TypeError("it is another sale");
    const changedAt = changedBlock(headers.get("tidemark-changed-block"));
    const lookUp = new URL("../read-position", document).href;
    const position = wallet === undefined ? undefined : await publicPosition(lookUp, address.saleUuid, wallet, signal);
    return {
      ...publicSale(sale),
      figures: figuresOf(data),
      state: `state ${headers.get("etag")?.replaceAll(/W\/|"/g, "") ?? "unknown"}`,
      ...(changedAt === undefined ? {} : { changedAt }),
      ...(position === undefined ? {} : { position }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CannotVerify || error instanceof Unreachable) throw error;
    const why = error instanceof Error ? error.message : "";
    throw new CannotVerify(`${new URL(document).host} answered something else than a public read: ${why}`, {
      cause: error,
    });
  }
}

function changedBlock(header: string | null): SourcePosition | undefined {
  if (header === null) return undefined;
  const [, height, hash = ""] = CHANGED_BLOCK.exec(header) ?? [];
  if (height === undefined) throw new TypeError("Tidemark-Changed-Block is no block");
  return { height: BigInt(height), hash };
}

/** Converts the public body. Throws for numbers that aren't whole numbers, and for fields that are missing. */
function figuresOf(data: PublicData): CommitmentData {
  const { OfferedTokenDecimals, BelowFloorAmount } = data;
  return {
    commitments: data.Commitments.map(commitmentOf),
    total: wholeNumber("TotalCommitmentAmount", data.TotalCommitmentAmount),
    count: integerOf("UniqueCommitmentCount", data.UniqueCommitmentCount),
    paymentTokenDecimals: decimalsOf("PaymentTokenDecimals", data.PaymentTokenDecimals),
    ...(OfferedTokenDecimals === undefined ? {} : { offeredTokenDecimals: OfferedTokenDecimals }),
    ...clearingOf(data),
    ...(BelowFloorAmount === undefined ? {} : { belowFloor: wholeNumber("BelowFloorAmount", BelowFloorAmount) }),
  };
}

function clearingOf(data: PublicData): Pick<CommitmentData, "clearing"> {
  const { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator } = data;
  if (numerator === undefined || denominator === undefined) return {};
  return { clearing: priceOf(numerator, denominator, data.ClearingPriceMicroUSD) };
}

/** Pages that are read of a wallet, 100 commitments or fewer in each. */
const MAX_PAGES = 200;

/**
 * Reads what a wallet has committed as everybody is shown it.
 *
 * @param url of the look-up
 * @param wallet in its canonical form
 * @throws Unreachable; CannotVerify, also for a wallet with more commitments than are read; Error for an answer that is no position
 */
async function publicPosition(
  url: string,
  saleUuid: string,
  wallet: string,
  signal: AbortSignal,
): Promise<ShownPosition> {
  const entries: ShownEntry[] = [];
  const allocations: ShownAllocation[] = [];
  let pageToken: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const request = {
      SaleUUID: saleUuid,
      Wallet: wallet,
      ...(pageToken === undefined ? {} : { PageToken: pageToken }),
    };
    const position = (await postJson(url, request, signal)).body as unknown as Position;
    entries.push(...position.Commitments.map(entryOf));
    allocations.push(...(position.Allocations ?? []).map(allocationOf));
    pageToken = position.NextPageToken;
    const isKnown = position.Allocations !== undefined;
    if (pageToken === undefined) return { wallet, entries, ...(isKnown && { allocations }) };
  }
  throw new CannotVerify(`wallet ${wallet} has too many commitments to be compared`);
}

function allocationOf(allocation: PositionAllocation): ShownAllocation {
  const { SaleSpecificEntityID, TokenAddress, AcceptedAmount, RefundedAmount } = allocation;
  return {
    entityId: hexOf(SaleSpecificEntityID),
    token: TokenAddress,
    accepted: wholeNumber("AcceptedAmount", AcceptedAmount),
    ...(RefundedAmount === undefined ? {} : { refunded: wholeNumber("RefundedAmount", RefundedAmount) }),
  };
}

function entryOf(commitment: PositionCommitment): ShownEntry {
  const { Counted, NotCountedReason, ClearingOutcome } = commitment;
  return {
    commitment: commitmentOf(commitment),
    counted: Counted,
    ...(NotCountedReason === undefined ? {} : { notCounted: NotCountedReason }),
    ...(ClearingOutcome === undefined ? {} : { outcome: ClearingOutcome }),
  };
}

/** Converts a public commitment. Throws for numbers that aren't whole numbers, and for fields that are missing. */
function commitmentOf(commitment: Commitment): PresentedCommitment {
  const { PriceNumerator, PriceDenominator, PriceMicroUSD } = commitment;
  return {
    commitmentId: hexOf(commitment.CommitmentID),
    entityId: hexOf(commitment.SaleSpecificEntityID),
    ...priceOf(PriceNumerator, PriceDenominator, PriceMicroUSD),
    amounts: commitment.Amounts.map(({ Wallet, TokenAddress, Amount }) => ({
      wallet: Wallet,
      token: TokenAddress,
      amount: wholeNumber("Amount", Amount),
    })),
    createdAtSeconds: secondsOf(commitment.CreatedAt),
    extraData: new Uint8Array(bytesOfHex(hexOf(commitment.ExtraDataRaw))),
    extraDataParsed: commitment.ExtraDataParsed as PresentedCommitment["extraDataParsed"],
  };
}

/** Converts a public price. Throws as `commitmentOf` does. */
function priceOf(numerator: string, denominator: string, microUsd: string | undefined): PresentedPrice {
  const price = fractionOf(numerator, denominator);
  return { price, ...(microUsd === undefined ? {} : { microUsd: wholeNumber("a price in micro-USD", microUsd) }) };
}

function secondsOf(time: string): bigint {
  const millis = Date.parse(time);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) || Number.isNaN(millis))
    throw new TypeError("CreatedAt is no time");
  return BigInt(millis) / 1_000n;
}
