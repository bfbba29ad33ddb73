import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type {
  CommitmentService,
  GetPriceLevelsResponse,
  PriceLevel,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { GetHistoryResponse, HistoryPoint } from "../../proto/gen/tidemark/commitments/v1/history_pb.ts";
import { LoadLimit } from "../web/http/load-limit.ts";
import { PublicError } from "../web/http/public-error.ts";
import { clearingFields, required, timestamp } from "./cache/public-body.ts";
import { DocumentCache, type DocumentCacheOptions } from "./document-cache.ts";

export type DocumentClient = Pick<Client<typeof CommitmentService>, "getHistory" | "getPriceLevels">;

/** Documents loaded at once, of both kinds together. */
const MAX_LOADS = 32;

const NO_AUCTION = new PublicError("not_found", "Only an auction has a demand by price.");

export interface SaleDocumentsOptions extends Pick<DocumentCacheOptions, "config" | "now" | "logger"> {
  readonly client: DocumentClient;
}

/** The figures of each sale beside its commitment data. */
export class SaleDocuments {
  readonly history: DocumentCache;
  /** Demand by price. `not_found` also for a sale that is no auction. */
  readonly demand: DocumentCache;

  constructor({ client, ...options }: SaleDocumentsOptions) {
    const callOptions = { timeoutMs: options.config.callTimeoutMs };
    const shared = { ...options, limit: new LoadLimit(MAX_LOADS, "Too many sales are being read at the moment.") };
    this.history = new DocumentCache({
      ...shared,
      name: "history",
      load: async (saleUuid) => historyBody(await client.getHistory({ saleUuid }, callOptions)),
    });
    this.demand = new DocumentCache({
      ...shared,
      name: "demand",
      load: async (saleUuid) => demandBody(await orNoAuction(client.getPriceLevels({ saleUuid }, callOptions))),
    });
  }

  /** Forgets that a sale was unknown. */
  forgetRefusals(saleUuid: string): void {
    for (const documents of [this.history, this.demand]) documents.forgetRefusal(saleUuid);
  }
}

/** @throws PublicError where the sale is no auction */
async function orNoAuction<Response>(call: Promise<Response>): Promise<Response> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.FailedPrecondition) throw NO_AUCTION;
    throw error;
  }
}

/** Returns an auction's demand by price as public JSON in UTF-8. @throws TypeError as `publicBody` */
function demandBody({ levels, clearingPrice, paymentTokenDecimals }: GetPriceLevelsResponse): Buffer {
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

/** Returns a sale's history as public JSON in UTF-8. @throws TypeError, RangeError as `publicBody` */
export function historyBody({ points, paymentTokenDecimals }: GetHistoryResponse): Buffer {
  return Buffer.from(`{"Points":[${points.map(pointJson).join()}],"PaymentTokenDecimals":${paymentTokenDecimals}}`);
}

function pointJson({ fromSeconds, seconds, totalAmount, commitmentCount, clearingPrice }: HistoryPoint): string {
  const fields = [
    `"From":"${timestamp(fromSeconds)}"`,
    `"Seconds":${seconds}`,
    `"TotalCommitmentAmount":${JSON.stringify(totalAmount)}`,
    `"UniqueCommitmentCount":${commitmentCount}`,
  ];
  if (clearingPrice !== undefined) fields.push(clearingFields(clearingPrice));
  return `{${fields.join()}}`;
}
