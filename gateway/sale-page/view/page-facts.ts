import type { SaleFacts } from "../../../client/sale.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { texts } from "../browser/words.js";

/** The facts about a sale that a page shows; few where the commitments service is of an older version. */
export type PageFacts = Partial<SaleFacts> &
  Pick<SaleFacts, "Name" | "Pricing" | "OfferedToken" | "PaymentTokens" | "PaymentTokenDecimals">;

/**
 * Returns the facts about a sale.
 *
 * @param json the public facts without braces; undefined where they aren't known
 */
export function pageFacts(json: string | undefined, summary: SaleSummary | undefined): PageFacts {
  if (json !== undefined) return JSON.parse(`{${json}}`);
  const { name = texts().about.sale, status, fixedPrice } = summary ?? {};
  const shown = status === undefined ? undefined : publicStatus(status);
  return {
    Name: name,
    ...(shown && { Status: shown }),
    Pricing: fixedPrice === undefined ? "auction" : "fixed",
    ...(fixedPrice && { PriceNumerator: fixedPrice.numerator, PriceDenominator: fixedPrice.denominator }),
    OfferedToken: {},
    PaymentTokens: [],
    PaymentTokenDecimals: 0,
  };
}

/** Returns the facts that the page's script writes itself, as JSON for an element of the page. */
export function scriptFacts({
  Status,
  Stage,
  OpensAt,
  ClosesAt,
  AnnouncedAt,
  CancelUntil,
  SettlesAt,
  ClaimsAt,
  Pricing,
  OfferedToken,
  ...amounts
}: PageFacts): string {
  const { PriceNumerator, PriceDenominator, FloorNumerator, FloorDenominator, AcceptedAmount } = amounts;
  const {
    IncrementNumerator,
    IncrementDenominator,
    PriceTickNumerator,
    PriceTickDenominator,
    WidePrices,
    ClearingRule,
  } = amounts;
  const grid = {
    IncrementNumerator,
    IncrementDenominator,
    PriceTickNumerator,
    PriceTickDenominator,
    WidePrices,
    ClearingRule,
  };
  const prices = { PriceNumerator, PriceDenominator, FloorNumerator, FloorDenominator, ...grid };
  // Fields that are undefined are left out.
  const times = { AnnouncedAt, OpensAt, ClosesAt, CancelUntil, SettlesAt, ClaimsAt };
  const json = JSON.stringify({ Status, Stage, ...times, Pricing, OfferedToken, ...prices, AcceptedAmount });
  // A text that ends a script would end the element.
  return json.replaceAll("<", "\\u003c");
}
