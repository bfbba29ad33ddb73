import type { Logger } from "../../../common/platform/log/log.ts";
import { NOT_ANSWERED, unansweredReason } from "../../../common/platform/rpc/client/unanswered-reason.ts";
import { ChangedSales } from "./changed-sales.ts";
import type { CommitmentCache, KnownRevision } from "./commitment-cache.ts";
import type { CommitmentsUpstream } from "./commitments-upstream.ts";

/** Sales in one call of `GetRevisions`, by its contract. */
const BATCH_SIZE = 1000;

/** Concurrent calls of `GetRevisions`: enough for 100,000 sales, the most that can be held, while some calls hang. */
const MAX_CALLS = 128;

/** Concurrent background loads. */
const MAX_RELOADS = 16;

/**
 * A sale that doesn't exist, asked for while nobody reads a sale, to find out whether the commitments service
 * answers.
 */
const PROBE = "00000000-0000-0000-0000-000000000000";

export interface RevisionRefresherOptions {
  readonly cache: CommitmentCache;
  readonly upstream: CommitmentsUpstream;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Called for a held sale that is found at a later revision, of which no event has told yet. */
  readonly onMissed?: () => void;
  readonly logger: Logger;
}

/** Keeps recently read sales current in the background, so that their readers never wait. */
export class RevisionRefresher {
  readonly #options: RevisionRefresherOptions;
  readonly #changedSales: ChangedSales;
  /** Sales to load again, each of them once however long its load takes. */
  readonly #outdated = new Set<string>();
  #reloads = 0;
  /** Sales whose revision is being asked for. A slow answer delays no other sales. */
  readonly #asked = new Set<string>();
  #calls = 0;
  /** The reason why the commitments service has never answered; undefined once it has. */
  #unreached: string | undefined = NOT_ANSWERED;
  #failing = false;
  /** Undefined while it rests, as nobody has read a sale lately. */
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: RevisionRefresherOptions) {
    this.#options = options;
    const { upstream, now } = options;
    this.#changedSales = new ChangedSales({ list: (cursor) => upstream.changedSales(cursor), now });
  }

  /** For readiness: true once the commitments service has answered, since the held bodies serve without it; else why not. */
  status(): true | string {
    return this.#unreached ?? true;
  }

  /** Refreshes at once, and then at each interval; while nobody reads a sale it rests, until the next read. */
  start(intervalMs: number): void {
    this.#options.cache.onRead(() => this.#tickEach(intervalMs));
    this.#tickEach(intervalMs);
    void this.refresh();
  }

  /** Ends the refreshes. One that is under way asks for nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#rest();
    this.#outdated.clear();
  }

  #tickEach(intervalMs: number): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setInterval(() => void this.refresh(), intervalMs);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Asks for the revisions of the recently read sales, except those that are being asked for already, and loads the
   * sales that have changed. Sales of which only that can change are asked for together, by one question for what has changed.
   * The promise resolves once they are loaded, and never rejects.
   */
  async refresh(): Promise<void> {
    const recent = this.#options.cache.recentlyRead();
    if (recent.length === 0 && this.#unreached === undefined) return this.#rest();
    const due = (recent.length === 0 ? [PROBE] : recent).filter((uuid) => !this.#asked.has(uuid));
    const { isReady, since = -Infinity } = this.#changedSales;
    const listed = isReady ? due.filter((uuid) => this.#options.cache.isConfirmedByLists(uuid, since)) : [];
    const isListed = new Set(listed);
    const asked = due.filter((uuid) => !isListed.has(uuid));
    await Promise.all([this.#list(listed), this.#askFor(asked)]);
  }

  async #askFor(saleUuids: readonly string[]): Promise<void> {
    if (this.#isStopped) return;
    const calls = batches(saleUuids).slice(0, MAX_CALLS - this.#calls);
    await Promise.all(calls.map((batch) => this.#refresh(batch)));
  }

  /** Asks once what has changed, and for each of the sales where nobody can say. */
  async #list(saleUuids: readonly string[]): Promise<void> {
    if (saleUuids.length === 0 || this.#isStopped) return;
    const { cache } = this.#options;
    try {
      const list = await this.#changedSales.next();
      if (list === undefined) return await this.#askFor(saleUuids.filter((uuid) => !this.#asked.has(uuid)));
      for (const uuid of saleUuids) {
        this.#noteMissed(uuid, list.changed.get(uuid));
        if (cache.compareListed(uuid, list)) this.#outdated.add(uuid);
      }
      this.#noteSuccess();
    } catch (error) {
      this.#noteFailure(error);
      return this.#askFor(saleUuids.filter((uuid) => !this.#asked.has(uuid)));
    }
    await this.#reload();
  }

  async #refresh(saleUuids: string[]): Promise<void> {
    this.#calls++;
    for (const uuid of saleUuids) this.#asked.add(uuid);
    try {
      await this.#compare(saleUuids);
    } finally {
      for (const uuid of saleUuids) this.#asked.delete(uuid);
      this.#calls--;
    }
    await this.#reload();
  }

  async #compare(saleUuids: string[]): Promise<void> {
    const { cache, upstream, now } = this.#options;
    const askedAt = now();
    try {
      const revisions = await upstream.revisions(saleUuids);
      for (const uuid of saleUuids) {
        this.#noteMissed(uuid, revisions.get(uuid));
        if (cache.compare(uuid, revisions.get(uuid), askedAt)) this.#outdated.add(uuid);
      }
      this.#noteSuccess();
    } catch (error) {
      // Loads may still work: the next readers find out.
      this.#noteFailure(error);
    }
  }

  #noteMissed(saleUuid: string, current: KnownRevision | undefined): void {
    if (current === undefined) return;
    const { generation, revision } = current;
    if (this.#options.cache.isOlder({ saleUuid, generation, revision })) this.#options.onMissed?.();
  }

  async #reload(): Promise<void> {
    if (this.#isStopped) return;
    const workers = Math.min(this.#outdated.size, MAX_RELOADS - this.#reloads);
    await Promise.all(Array.from({ length: workers }, () => this.#work()));
  }

  async #work(): Promise<void> {
    this.#reloads++;
    for (const uuid of this.#outdated) {
      this.#outdated.delete(uuid);
      // The cache has recorded a failure; the next refresh tries again.
      await this.#options.cache.load(uuid).catch(() => {});
    }
    this.#reloads--;
  }

  #noteSuccess(): void {
    this.#unreached = undefined;
    if (this.#failing) this.#options.logger.info("commitments service answers again");
    this.#failing = false;
  }

  #noteFailure(error: unknown): void {
    if (this.#isStopped) return;
    this.#changedSales.restart();
    if (this.#unreached !== undefined) this.#unreached = unansweredReason(error);
    if (!this.#failing) this.#options.logger.warn({ err: error }, "commitments service doesn't answer");
    this.#failing = true;
  }
}

function batches(saleUuids: readonly string[]): string[][] {
  const count = Math.ceil(saleUuids.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, index) => saleUuids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE));
}
