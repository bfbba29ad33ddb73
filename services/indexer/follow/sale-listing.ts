import { Code, ConnectError } from "@connectrpc/connect";
import type { ChangedSale } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";
import { type SourceSale, sourceSaleOf } from "../sending/source-sale.ts";

const PAGE_SIZE = 500;
/** Listings of changes after which all sales are listed again, in case that a change was missed. */
const CHANGES_PER_WHOLE = 15;

/** A sale of a listing. Its source is undefined if it isn't read from one, or no longer. */
export interface ListedSale {
  readonly uuid: string;
  readonly source: SourceSale | undefined;
}

export interface Listing {
  /** Whether every sale is listed, and not only those that may have changed since the listing before. */
  readonly isWhole: boolean;
  /** Counts as handled once it was iterated to its end. It throws ConnectError. */
  readonly sales: AsyncIterable<ListedSale>;
}

/** Lists the sales that are to be read: all of them now and then, and in between those whose status or definition has changed. */
export class SaleListing {
  readonly #client: CommitmentsClient;
  /** Status and version of the definition of every sale, as last handled. */
  #versions = new Map<string, string>();
  /** See `ListChangedSales`; empty where all sales must be listed. */
  #cursor = "";
  #changesLeft = 0;

  constructor(client: CommitmentsClient) {
    this.#client = client;
  }

  async next(signal: AbortSignal): Promise<Listing> {
    const isDue = this.#cursor === "" || this.#changesLeft === 0;
    const answer = isDue ? undefined : await this.#ask(this.#cursor, signal);
    if (answer?.complete !== true) return { isWhole: true, sales: this.#all(signal) };
    this.#changesLeft -= 1;
    return { isWhole: false, sales: this.#changed(answer.changed, answer.cursor, signal) };
  }

  /** @returns undefined if the service doesn't answer, as one of an older version: then all sales are listed. */
  #ask(cursor: string, signal: AbortSignal) {
    return this.#client.commitments.listChangedSales({ cursor }, { signal }).catch(() => undefined);
  }

  async *#all(signal: AbortSignal): AsyncGenerator<ListedSale> {
    const { cursor = "" } = (await this.#ask("", signal)) ?? {};
    const versions = new Map<string, string>();
    let pageToken = "";
    do {
      const page = await this.#client.sales.listSales({ pageSize: PAGE_SIZE, pageToken }, { signal });
      for (const sale of page.sales) {
        versions.set(sale.uuid, versionOf(sale));
        yield { uuid: sale.uuid, source: sourceSaleOf(sale) };
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    this.#versions = versions;
    this.#cursor = cursor;
    this.#changesLeft = CHANGES_PER_WHOLE;
  }

  async *#changed(changed: readonly ChangedSale[], cursor: string, signal: AbortSignal): AsyncGenerator<ListedSale> {
    for (const { saleUuid: uuid, ...version } of changed) {
      if (this.#versions.get(uuid) === versionOf(version)) continue;
      const sale = await this.#sale(uuid, signal);
      yield { uuid, source: sale && sourceSaleOf(sale) };
      if (sale === undefined) this.#versions.delete(uuid);
      else this.#versions.set(uuid, versionOf(sale));
    }
    this.#cursor = cursor;
  }

  /** @returns undefined for a sale that was deleted. @throws ConnectError */
  async #sale(saleUuid: string, signal: AbortSignal): Promise<Sale | undefined> {
    try {
      return (await this.#client.sales.getSale({ saleUuid }, { signal })).sale;
    } catch (error) {
      if (ConnectError.from(error).code === Code.NotFound) return undefined;
      throw error;
    }
  }
}

function versionOf({ status, definitionVersion }: Pick<Sale, "status" | "definitionVersion">): string {
  return `${status} ${definitionVersion}`;
}
