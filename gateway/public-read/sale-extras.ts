import type { IncomingMessage, ServerResponse } from "node:http";
import type { SaleStreams } from "../streams/sale-streams.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { sendReading } from "../web/http/send-document.ts";
import type { SaleExtraKind } from "./public-paths.ts";
import type { SaleDocuments } from "./sale-documents.ts";

export interface SaleExtrasOptions {
  readonly documents: SaleDocuments;
  readonly streams: SaleStreams;
  readonly counters: GatewayCounters;
}

/** What the public can read of a sale beside its commitment data: a stream of its changes, its history, its demand. */
export class SaleExtras {
  readonly #options: SaleExtrasOptions;

  constructor(options: SaleExtrasOptions) {
    this.#options = options;
  }

  /**
   * Answers a `GET` or `HEAD`.
   *
   * @param saleUuid in canonical form
   * @throws PublicError before anything was sent
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    kind: SaleExtraKind,
    saleUuid: string,
  ): Promise<void> {
    const { documents, streams, counters } = this.#options;
    if (kind === "stream") {
      await streams.open(request, response, saleUuid);
      return;
    }
    const reading = await documents.read(kind, saleUuid);
    if (!response.destroyed) sendReading(request, response, reading, counters);
  }
}
