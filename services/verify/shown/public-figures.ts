import type { Commitment, CommitmentData as PublicData, Sale } from "../../../client/index.ts";
import type {
  CommitmentData,
  PresentedCommitment,
  PresentedPrice,
} from "../../commitments/domain/figures/commitment-data.ts";
import type { SourcePosition } from "../../indexer/source/source-commitment.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import type { ShownSale } from "../compare/shown-sale.ts";
import { getJson } from "./get-json.ts";
import { type PublicAddress, publicDocument } from "./public-address.ts";
import { publicSale } from "./public-sale.ts";

const CHANGED_BLOCK = /^(\d{1,15})(?:;hash="0x([0-9a-f]{64})")?$/;

/**
 * Reads a sale as everybody is shown it: what it is, its figures, and the latest commitments.
 *
 * @throws Unreachable; CannotVerify for a sale that isn't read from a contract, and for answers that aren't a public read
 */
export async function publicFigures(address: PublicAddress, signal: AbortSignal): Promise<ShownSale> {
  const document = await publicDocument(address, signal);
  // The sale first: its block is then at most as new as the figures, but for the second that they may be cached.
  const sale = (await getJson(document, signal)).body as unknown as Sale;
  const { body, headers } = await getJson(`${document}/commitment-data`, signal);
  try {
    const data = body as unknown as PublicData;
    const changedAt = changedBlock(headers.get("tidemark-changed-block"));
    return {
      ...publicSale(sale),
      figures: figuresOf(data),
      state: `state ${headers.get("etag")?.replaceAll(/W\/|"/g, "") ?? "unknown"}`,
      ...(changedAt === undefined ? {} : { changedAt }),
    };
  } catch (error) {
    if (error instanceof CannotVerify) throw error;
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
  const { OfferedTokenDecimals } = data;
  return {
    commitments: data.Commitments.map(commitmentOf),
    total: BigInt(data.TotalCommitmentAmount),
    count: BigInt(data.UniqueCommitmentCount),
    paymentTokenDecimals: data.PaymentTokenDecimals,
    ...(OfferedTokenDecimals === undefined ? {} : { offeredTokenDecimals: OfferedTokenDecimals }),
    ...clearingOf(data),
  };
}

function clearingOf(data: PublicData): Pick<CommitmentData, "clearing"> {
  const { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator } = data;
  if (numerator === undefined || denominator === undefined) return {};
  return { clearing: priceOf(numerator, denominator, data.ClearingPriceMicroUSD) };
}

function commitmentOf(commitment: Commitment): PresentedCommitment {
  const { PriceNumerator, PriceDenominator, PriceMicroUSD } = commitment;
  return {
    commitmentId: hexOf(commitment.CommitmentID),
    entityId: hexOf(commitment.SaleSpecificEntityID),
    ...priceOf(PriceNumerator, PriceDenominator, PriceMicroUSD),
    amounts: commitment.Amounts.map(({ Wallet, TokenAddress, Amount }) => ({
      wallet: Wallet,
      token: TokenAddress,
      amount: BigInt(Amount),
    })),
    createdAtSeconds: secondsOf(commitment.CreatedAt),
    extraData: new Uint8Array(bytesOfHex(hexOf(commitment.ExtraDataRaw))),
    extraDataParsed: commitment.ExtraDataParsed as PresentedCommitment["extraDataParsed"],
  };
}

function priceOf(numerator: string, denominator: string, microUsd: string | undefined): PresentedPrice {
  const price = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  return { price, ...(microUsd === undefined ? {} : { microUsd: BigInt(microUsd) }) };
}

function hexOf(text: string): string {
  if (!/^0x(?:[0-9a-f]{2})*$/.test(text)) throw new TypeError("a value isn't 0x and hex");
  return text.slice(2);
}

function secondsOf(time: string): bigint {
  const millis = Date.parse(time);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) || Number.isNaN(millis))
    throw new TypeError("CreatedAt is no time");
  return BigInt(millis) / 1_000n;
}
