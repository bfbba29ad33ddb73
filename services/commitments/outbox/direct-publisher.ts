import type { Bus } from "../../shared/bus/bus.ts";
import { publishUpdate } from "./publish-updates.ts";
import type { PublishedRun, UnpublishedUpdate } from "./unpublished-updates.ts";

/** Sales whose last published revision is known, at most. */
const MAX_SALES = 10_000;

export interface DirectPublisherDependencies {
  readonly bus: Pick<Bus, "publish">;
  /** Whether this process is the one that publishes. */
  readonly mayPublish: () => boolean;
  /** There is something in the outbox that is left to `OutboxRelay`. */
  readonly onLeft: () => void;
  readonly onPublished: (revisions: number) => void;
}

/** A revision, and the generation that it counts in. */
type Published = Pick<UnpublishedUpdate, "generation" | "revision">;

/**
 * Publishes what this process has committed itself, without reading it back: each revision when the one before it is
 * known to be published. Any other one is left where it is, in the outbox.
 */
export class DirectPublisher {
  readonly #options: DirectPublisherDependencies;
  readonly #published = new Map<string, Published>();
  /** Of each sale that is being published what is under way, and what waits for it. */
  readonly #waiting = new Map<string, UnpublishedUpdate[]>();
  readonly #working = new Set<Promise<void>>();
  /** Sales of which the outbox holds more than is published here. */
  readonly #postponed = new Set<string>();
  /** How often a store was lost. */
  #losses = 0;
  /** Published, and not marked. */
  readonly #runs = new Map<string, PublishedRun>();

  constructor(options: DirectPublisherDependencies) {
    this.#options = options;
  }

  /** @returns whether it is taken; else the outbox is to be looked into. */
  offer(update: UnpublishedUpdate): boolean {
    const { saleUuid } = update;
    const waiting = this.#waiting.get(saleUuid);
    const before = waiting?.at(-1) ?? this.#published.get(saleUuid);
    const follows = before?.generation === update.generation && before.revision + 1n === update.revision;
    if (!follows || !this.#options.mayPublish()) return false;
    if (waiting !== undefined) waiting.push(update);
    else this.#begin(saleUuid, [update]);
    return true;
  }

  /** Another way has published a sale up to here. */
  note(saleUuid: string, { generation, revision }: Published): void {
    const known = this.#published.get(saleUuid);
    if (known?.generation === generation && known.revision >= revision) return;
    this.#published.delete(saleUuid);
    this.#published.set(saleUuid, { generation, revision });
    const [oldest] = this.#published.keys();
    if (this.#published.size > MAX_SALES && oldest !== undefined) this.#published.delete(oldest);
  }

  /**
   * What was published has gone with the store that kept it: none of it is to be marked, and nothing more is published here
   * until the outbox was, as what it holds has to go first.
   */
  forget(): void {
    this.#published.clear();
    this.#runs.clear();
    this.#losses++;
  }

  /** Those of a reading of the outbox that are to be published from there; none of a sale that is being published here. */
  leftOf(updates: readonly UnpublishedUpdate[]): readonly UnpublishedUpdate[] {
    return updates.filter((update) => {
      if (this.#isTaken(update)) return false;
      const isBusy = this.#waiting.has(update.saleUuid);
      if (isBusy) this.#postponed.add(update.saleUuid);
      return !isBusy;
    });
  }

  /** What is published and not marked. To be given back by `giveBack` where it can't be marked. */
  takeRuns(): readonly PublishedRun[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    return runs;
  }

  giveBack(runs: readonly PublishedRun[]): void {
    for (const run of runs) this.#addRun(run);
  }

  /** Done when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  #isTaken({ saleUuid, revision }: UnpublishedUpdate): boolean {
    const run = this.#runs.get(saleUuid);
    const isPublished = run !== undefined && run.first <= revision && revision <= run.last;
    return isPublished || this.#waiting.get(saleUuid)?.some((update) => update.revision === revision) === true;
  }

  #begin(saleUuid: string, waiting: UnpublishedUpdate[]): void {
    this.#waiting.set(saleUuid, waiting);
    const work = this.#publishAll(saleUuid, waiting).finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async #publishAll(saleUuid: string, waiting: UnpublishedUpdate[]): Promise<void> {
    const losses = this.#losses;
    let isPublished = true;
    for (let update = waiting[0]; update !== undefined && isPublished; update = waiting[0]) {
      isPublished = await this.#publish(update, losses);
      if (isPublished) waiting.shift();
    }
    this.#waiting.delete(saleUuid);
    // What may have been published will be again, from the outbox.
    if (!isPublished) this.#published.delete(saleUuid);
    if (this.#postponed.delete(saleUuid) || !isPublished) this.#options.onLeft();
  }

  /** Never rejects: whatever the failure is, the outbox meets it again and tells of it. */
  async #publish(update: UnpublishedUpdate, losses: number): Promise<boolean> {
    const { bus, mayPublish, onPublished } = this.#options;
    if (!mayPublish() || losses !== this.#losses) return false;
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

  /** Runs of a sale follow on each other: where one is left out, the outbox is published, and marked, before the next. */
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
