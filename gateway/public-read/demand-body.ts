import type {
  GetPriceLevelsResponse,
  PriceLevel,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clearingFields, required } from "./cache/public-body.ts";

/** Returns an auction's demand by price as public JSON in UTF-8. @throws TypeError as `publicBody` */
export function demandBody({ levels, clearingPrice, paymentTokenDecimals }: GetPriceLevelsResponse): Buffer {
  const fields = [`"Levels":[${levels.map(levelJson).join()}]`, `"PaymentTokenDecimals":${paymentTokenDecimals}`];
  if (clearingPrice !== undefined) fields.push(clearingFields(clearingPrice));
  return Buffer.from(`{${fields.join()}}`);
}

function levelJson(level: PriceLevel): string {
  const lowest = required(level.lowestPrice, "levels.lowest_price");
  const highest = required(level.highestPrice, "levels.highest_price");
  const prices = {
    LowestPriceNumerator: lowest.numerator,
    LowestPriceDenominator: lowest.denominator,
    HighestPriceNumerator: highest.numerator,
    HighestPriceDenominator: highest.denominator,
    Amount: level.amount,
    CumulativeAmount: level.cumulativeAmount,
  };
  return `${JSON.stringify(prices).slice(0, -1)},"CommitmentCount":${level.commitmentCount}}`;
}
