import { SaleStatus, type SaleSummary, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import {
  type Commitment,
  type Figure,
  headFigures,
  isInDollars,
  perToken,
  priceFigure,
  type Totals,
  type Units,
  unitsOf,
} from "./browser/figures.js";
import { rowOf } from "./browser/row-texts.js";

type Body = Totals & { readonly Commitments: readonly Commitment[] };

/** The content of a sale's page. */
export interface SaleView {
  /** Name of the sale; a general one where an older commitments service sends none. */
  readonly name: string;
  readonly status: SaleStatusView;
  readonly isTest: boolean;
  readonly units: Units;
  /** All fields of the public read's body but the list. */
  readonly totals: Totals;
  /** Only for an auction. */
  readonly clearing: ClearingPrice | undefined;
  /** Lowest price at which an auction can clear; undefined where an older commitments service sends none. */
  readonly floor: ClearingPrice | undefined;
  readonly figures: ReturnType<typeof headFigures>;
  /** Only for a sale at a fixed price. */
  readonly fixedPrice: Figure | undefined;
  /** Unit that prices are for. */
  readonly perToken: string;
  readonly rows: readonly ReturnType<typeof rowOf>[];
}

export interface ClearingPrice {
  readonly numerator: string;
  readonly denominator: string;
}

export interface SaleStatusView {
  readonly name: "open" | "settled" | "unknown";
  readonly text: string;
}

const UNNAMED = "Token sale";
const OPEN = { name: "open", text: "Open" } as const;
const SETTLED = { name: "settled", text: "Settled" } as const;
const UNKNOWN = { name: "unknown", text: "Status unknown" } as const;

export function saleView({ identity, sale }: Pick<Representation, "identity" | "sale">): SaleView {
  const body = parseBody(identity.bytes.toString("utf8"));
  const units = unitsOf(body, {
    dollars: sale?.amountsAreDollars ?? isInDollars(body),
    symbol: sale?.paymentSymbol ?? "",
  });
  const price = sale?.fixedPrice;
  return {
    name: sale?.name ?? UNNAMED,
    status: statusView(sale),
    isTest: sale?.tenancy === Tenancy.TEST,
    units,
    totals: body,
    clearing: clearingOf(body),
    floor: sale?.auction?.floorPrice,
    figures: headFigures(body, units),
    fixedPrice: price && priceFigure(price.numerator, price.denominator, units),
    perToken: perToken(units),
    rows: body.Commitments.map((commitment) => rowOf(commitment, units)),
  };
}

function clearingOf({ ClearingPriceNumerator, ClearingPriceDenominator }: Body): ClearingPrice | undefined {
  if (ClearingPriceNumerator === undefined || ClearingPriceDenominator === undefined) return undefined;
  return { numerator: ClearingPriceNumerator, denominator: ClearingPriceDenominator };
}

function statusView(sale: SaleSummary | undefined): SaleStatusView {
  if (sale?.status === SaleStatus.OPEN) return OPEN;
  return sale?.status === SaleStatus.SETTLED ? SETTLED : UNKNOWN;
}

/** Takes the count from the text, since it may be larger than a JavaScript number can be. */
function parseBody(text: string): Body {
  const body: Body = JSON.parse(text);
  // Text from founders and contracts is in the list only, before the last total.
  const totals = text.slice(text.lastIndexOf('"TotalCommitmentAmount":'));
  const [, count = "0"] = /"UniqueCommitmentCount":(\d+)/.exec(totals) ?? [];
  return { ...body, UniqueCommitmentCount: BigInt(count) };
}
