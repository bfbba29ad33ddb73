import { LRUCache } from "lru-cache";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { publishUpdate } from "./publish-updates.ts";
import type { PublishedRun, UnpublishedUpdate } from "./unpublished-updates.ts";

/** The most sales whose last published revision is cached. */
const MAX_SALES = 10_000;

export interface DirectPublisherDependencies {
  readonly bus: Pick<Bus, "publish" | "system">;
  /** Whether this process publishes the updates of a sale. */
  readonly mayPublish: (saleUuid: string) => boolean;
  /** Called when the outbox holds updates that `OutboxRelay` must publish. */
  readonly onRemaining: () => void;
  readonly onPublished: (revisions: number) => void;
}

/** The most updates of a sale that wait in memory for those before them: 3 MB. Further ones are read from the outbox. */
const MAX_WAITING = 100;

/** A revision with its generation. */
type Published = Pick<UnpublishedUpdate, "generation" | "revision">;

/**
 * Publishes updates that this process has committed itself, without reading them from the outbox: each once the revision
 * before it is known to be published. All others are left to the outbox.
 */
export class DirectPublisher {
  readonly #options: DirectPublisherDependencies;
  readonly #published = new LRUCache<string, Published>(atMost(MAX_SALES));
  /** Updates by sale: the first is being published, the others wait for it. */
  readonly #waiting = new Map<string, UnpublishedUpdate[]>();
  /** The publishing of the sales in `#waiting`. */
  readonly #working = new Map<string, Promise<void>>();
  /** Sales with further updates in the outbox. */
  readonly #postponed = new Set<string>();
  /** Counts the calls of `forget`. */
  #losses = 0;
  /** Published runs that aren't marked in the outbox yet, by sale. */
  readonly #runs = new Map<string, PublishedRun>();

  constructor(options: DirectPublisherDependencies) {
    this.#options = options;
  }

  /** Takes an update to publish it. @returns false if it must be published from the outbox. */
  offer(update: UnpublishedUpdate): boolean {
    const { saleUuid } = update;
    const waiting = this.#waiting.get(saleUuid);
    const before = waiting?.at(-1) ?? this.#published.get(saleUuid);
    const follows = before?.generation === update.generation && before.revision + 1n === update.revision;
    if (!follows || !this.#options.mayPublish(saleUuid)) return false;
    if (waiting === undefined) this.#begin(saleUuid, [update]);
    else if (waiting.length < MAX_WAITING) waiting.push(update);
    else return false;
    return true;
  }

  /** Records that a sale was published up to a revision in another way. */
  note(saleUuid: string, { generation, revision }: Published): void {
    const known = this.#published.get(saleUuid);
    if (known?.generation === generation && known.revision >= revision) return;
    this.#published.set(saleUuid, { generation, revision });
  }

  /**
   * Forgets all published revisions, as they may be lost with the bus's store, or others may have published later ones. None of
   * them is marked, and nothing is published here until the outbox was published: its updates come first.
   */
  forget(): void {
    this.#published.clear();
    this.#runs.clear();
    this.#losses++;
  }

  /** Returns those updates of the outbox that are to be published from there: none of a sale that is being published here. */
  remainingOf(updates: readonly UnpublishedUpdate[]): readonly UnpublishedUpdate[] {
    return updates.filter((update) => {
      if (this.#isTaken(update)) return false;
      const isBusy = this.#waiting.has(update.saleUuid);
      if (isBusy) this.#postponed.add(update.saleUuid);
      return !isBusy;
    });
  }

  /** Removes and returns the runs to mark. If marking fails, `restoreRuns` puts them back. */
  takeRuns(): readonly PublishedRun[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    return runs;
  }

  restoreRuns(runs: readonly PublishedRun[]): void {
    for (const run of runs) this.#addRun(run);
  }

  /** Waits until nothing is being published of the sales for which `isAwaited`; of any sale without it. */
  async idle(isAwaited: (saleUuid: string) => boolean = () => true): Promise<void> {
    const working = () => [...this.#working].filter(([saleUuid]) => isAwaited(saleUuid)).map(([, work]) => work);
    for (let left = working(); left.length > 0; left = working()) await Promise.all(left);
  }

  #isTaken({ saleUuid, revision }: UnpublishedUpdate): boolean {
    const run = this.#runs.get(saleUuid);
    const isPublished = run !== undefined && run.first <= revision && revision <= run.last;
    return isPublished || this.#waiting.get(saleUuid)?.some((update) => update.revision === revision) === true;
  }

  #begin(saleUuid: string, waiting: UnpublishedUpdate[]): void {
    this.#waiting.set(saleUuid, waiting);
    this.#working.set(saleUuid, this.#publishAll(saleUuid, waiting));
  }

  async #publishAll(saleUuid: string, waiting: UnpublishedUpdate[]): Promise<void> {
    const losses = this.#losses;
    let isPublished = true;
    for (let update = waiting[0]; update !== undefined && isPublished; update = waiting[0]) {
      isPublished = await this.#publish(update, losses);
      if (isPublished) waiting.shift();
    }
    this.#waiting.delete(saleUuid);
    this.#working.delete(saleUuid);
    // An update that may have been published is published again, from the outbox.
    if (!isPublished) this.#published.delete(saleUuid);
    if (this.#postponed.delete(saleUuid) || !isPublished) this.#options.onRemaining();
  }

  /** Publishes an update. Never rejects: a failure shows again, and is logged, when the outbox is published. */
  async #publish(update: UnpublishedUpdate, losses: number): Promise<boolean> {
    const { bus, mayPublish, onPublished } = this.#options;
    if (!mayPublish(update.saleUuid) || losses !== this.#losses) return false;
    try {
      await publishUpdate(bus, update);
    } catch {
      return false;
    }
    if (losses !== this.#losses) return false;
    const { saleUuid, revision } = update;
    this.note(saleUuid, update);
    this.#addRun({ saleUuid, first: revision, last: revision });
    onPublished(1);
    return true;
  }

  /** Extends the run of a sale. Its runs are consecutive: an update that is left out is published and marked before the next. */
  #addRun({ saleUuid, first, last }: PublishedRun): void {
    const run = this.#runs.get(saleUuid);
    const isLater = run !== undefined && run.last > last;
    const isEarlier = run !== undefined && run.first < first;
    this.#runs.set(saleUuid, {
      saleUuid,
      first: isEarlier ? run.first : first,
      last: isLater ? run.last : last,
    });
  }
}
