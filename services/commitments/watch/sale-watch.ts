import { fromBinary } from "@bufbuild/protobuf";
import { SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import type { Bus } from "../../shared/bus/bus.ts";
import { SALE_UPDATED_SUBJECTS } from "../../shared/bus/commitment-subjects.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Logger } from "../../shared/log/log.ts";
import { generationText } from "../messages/generation.ts";
import type { SaleVersion } from "./resume-token.ts";
import { WatchedSale } from "./watched-sale.ts";

/** What one query for revisions asks for. */
const POLL_BATCH = 1_000;

export interface SaleWatchOptions<State extends SaleVersion> {
  readonly bus: Bus;
  readonly readState: (saleUuid: string) => Promise<State>;
  /** The versions of those of the sales that can be read. */
  readonly readVersions: (saleUuids: string[]) => Promise<readonly (SaleVersion & { readonly saleUuid: string })[]>;
  readonly logger: Logger;
  /** How often the watched sales' revisions are read, as the bus may be silent. In milliseconds. */
  readonly pollMs: number;
  /** Watchers at once, at most. */
  readonly maxWatchers: number;
}

/** The sales that are watched through this process. */
export class SaleWatch<State extends SaleVersion> {
  readonly #options: SaleWatchOptions<State>;
  readonly #sales = new Map<string, WatchedSale<State>>();
  #watchers = 0;
  #unlisten: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(options: SaleWatchOptions<State>) {
    this.#options = options;
  }

  start(): void {
    const { bus, pollMs } = this.#options;
    this.#unlisten = bus.listen(SALE_UPDATED_SUBJECTS, {
      event: ({ payload }) => this.#hear(payload),
      gap: () => void this.poll(),
    });
    this.#timer = setInterval(() => void this.poll(), pollMs);
  }

  stop(): void {
    this.#unlisten();
    clearInterval(this.#timer);
  }

  /** To be closed in every case. @throws ServiceError `resource_exhausted` */
  open(saleUuid: string): { readonly sale: WatchedSale<State>; close(): void } {
    if (this.#watchers >= this.#options.maxWatchers) {
      throw new ServiceError("resource_exhausted", "this process has as many watchers as it may; try another or later");
    }
    const sale = this.#sales.get(saleUuid) ?? new WatchedSale(() => this.#options.readState(saleUuid));
    this.#sales.set(saleUuid, sale);
    this.#watchers++;
    sale.watchers++;
    const close = () => {
      this.#watchers--;
      sale.watchers--;
      if (sale.watchers === 0) this.#sales.delete(saleUuid);
    };
    return { sale, close };
  }

  /** Reads the revisions of all watched sales; one after another, and never rejects. */
  async poll(): Promise<void> {
    if (this.#isPolling || this.#sales.size === 0) return;
    this.#isPolling = true;
    try {
      const saleUuids = [...this.#sales.keys()];
      for (let from = 0; from < saleUuids.length; from += POLL_BATCH) {
        const versions = await this.#options.readVersions(saleUuids.slice(from, from + POLL_BATCH));
        for (const version of versions) this.#sales.get(version.saleUuid)?.notice(version);
      }
    } catch (error) {
      this.#options.logger.debug({ err: error }, "watched sales can't be looked at");
    } finally {
      this.#isPolling = false;
    }
  }

  #hear(payload: Uint8Array): void {
    if (this.#sales.size === 0) return;
    try {
      const { saleUuid, generation, revision } = fromBinary(SaleUpdatedSchema, payload);
      this.#sales.get(saleUuid)?.notice({ generation: generationText(generation), revision });
    } catch (error) {
      this.#options.logger.warn({ err: error }, "an event can't be decoded");
    }
  }
}
