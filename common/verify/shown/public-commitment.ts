import type { Commitment } from "../../../client/index.ts";
import { bytesOfHex } from "../../platform/encoding/hex.ts";
import type { PresentedCommitment, PresentedPrice } from "../../sale/figures/commitment-data.ts";
import { fractionOf, hexOf, wholeNumber } from "./public-values.ts";

/** Converts a public commitment. Throws for numbers that aren't whole numbers, and for fields that are missing. */
export function commitmentOf(commitment: Commitment): PresentedCommitment {
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
export function priceOf(numerator: string, denominator: string, microUsd: string | undefined): PresentedPrice {
  const price = fractionOf(numerator, denominator);
  return { price, ...(microUsd === undefined ? {} : { microUsd: wholeNumber("a price in micro-USD", microUsd) }) };
}

function secondsOf(time: string): bigint {
  const millis = Date.parse(time);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) || Number.isNaN(millis))
    throw new TypeError("CreatedAt is no time");
  return BigInt(millis) / 1_000n;
}
