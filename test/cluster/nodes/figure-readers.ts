import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/repository/polling.ts";
import type { DistributedRelease } from "./distributed-release.ts";
import type { PodSale } from "./pod-sale.ts";
import { Readers } from "./readers.ts";
import { ResumingStreams } from "./resuming-streams.ts";

/** How many read and stream. */
export interface ReaderCounts {
  readonly readers: number;
  readonly streams: number;
  /** Milliseconds between two reads of one reader. */
  readonly pauseMs: number;
}

/** The address of gateways: that of a release by its Service, or of a proxy. */
type GatewaySite = Pick<DistributedRelease, "gatewayUrl">;

const FEW: ReaderCounts = { readers: 4, streams: 6, pauseMs: 100 };

/** Milliseconds between two bids. */
const BID_MS = 1_000;

/** Readers and streams of a sale's figures, and bids that change these. */
export class FigureReaders {
  /** Number of streams at once. */
  readonly streams: number;
  readonly #url: string;
  readonly #sale: PodSale;
  readonly #readers: Readers;
  readonly #streams: ResumingStreams;

  private constructor(url: string, sale: PodSale, { readers, streams, pauseMs }: ReaderCounts) {
    this.#url = url;
    this.#sale = sale;
    this.streams = streams;
    this.#readers = new Readers(url, { count: readers, pauseMs, isAnswer: (status) => status === 200 });
    this.#streams = new ResumingStreams(`${url}/stream`, streams);
  }

  /** Starts them, and waits until each stream has brought a state. */
  static async start(site: GatewaySite, sale: PodSale, counts = FEW): Promise<FigureReaders> {
    const readers = new FigureReaders((await site.gatewayUrl()) + sale.path, sale, counts);
    try {
      await until(async () => readers.#streams.lastIds.every((id) => id !== ""));
      return readers;
    } catch (error) {
      await readers.stop();
      throw error;
    }
  }

  /** Reads and streams while something is done and bids come in, and until all have brought the last bid. @returns what failed */
  static async during(site: GatewaySite, sale: PodSale, work: () => Promise<unknown>): Promise<readonly string[]> {
    const readers = await FigureReaders.start(site, sale);
    try {
      await readers.whileBidding(work);
      await readers.untilAllHaveAll();
    } finally {
      await readers.stop();
    }
    return readers.failures();
  }

  get reads(): number {
    return this.#readers.reads;
  }

  /** Number of streams that have gone on after an end. */
  get resumed(): number {
    return this.#streams.resumed;
  }

  /** Reads and attempts to open a stream that failed. */
  failures(): readonly string[] {
    return [...this.#readers.failures, ...this.#streams.failures.map((failure) => `stream: ${failure}`)];
  }

  /** Has bids come in until the work is done. */
  async whileBidding(work: () => Promise<unknown>): Promise<void> {
    const done = new AbortController();
    const bidding = this.#bidUntil(done.signal);
    try {
      await work();
    } finally {
      done.abort();
      await bidding;
    }
  }

  /** Waits until all streams have brought the state with one more bid, as the answer to a read has it. */
  async untilAllHaveAll(): Promise<void> {
    const bids = await this.#sale.bid();
    await until(async () => {
      const answer = await fetch(this.#url);
      const { UniqueCommitmentCount } = await answer.json();
      const id = answer.headers.get("etag")?.replaceAll(/^W\/|"/g, "");
      return UniqueCommitmentCount === bids && this.#streams.lastIds.every((last) => last === id);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#readers.stop(), this.#streams.stop()]);
  }

  async #bidUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#sale.bid();
      await delay(BID_MS);
    }
  }
}
