import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { LoadLimit } from "../web/http/load-limit.ts";
import { PublicError } from "../web/http/public-error.ts";
import { demandBody } from "./demand-body.ts";
import { DocumentCache, type DocumentCacheOptions } from "./document-cache.ts";
import { historyBody } from "./history-body.ts";

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
