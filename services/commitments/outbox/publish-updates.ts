import type { Bus } from "../../shared/bus/bus.ts";
import { saleUpdatedSubject } from "../../shared/bus/commitment-subjects.ts";
import { currentTrace, traceFrom } from "../../shared/tracing/tracing.ts";
import { saleUpdatedId } from "../messages/sale-updated-event.ts";
import type { PublishedRun, UnpublishedUpdate } from "./unpublished-updates.ts";

/** Sales whose events are on their way at once. */
const MAX_SALES_AT_ONCE = 64;

/** A run, and the generation of its last revision. */
interface KeptRun extends PublishedRun {
  readonly generation: string;
}

export interface PublishedUpdates {
  /** What the bus has kept. */
  readonly runs: readonly KeptRun[];
  /** Why a sale's later events were not published, of one of them. */
  readonly failure: unknown;
}

/**
 * Publishes updates, those of a sale one after another: a later one is never kept before an earlier one. Where one
 * fails, or the lease ends, the sale's later ones are left.
 *
 * @param updates by sale and revision
 */
export async function publishUpdates(
  bus: Pick<Bus, "publish">,
  updates: readonly UnpublishedUpdate[],
  mayGoOn: () => boolean,
): Promise<PublishedUpdates> {
  const sales = Map.groupBy(updates, ({ saleUuid }) => saleUuid).values();
  const runs: KeptRun[] = [];
  let failure: unknown;
  const work = async () => {
    for (const ofSale of sales) {
      const published = await publishSale(bus, ofSale, mayGoOn);
      if (published.run !== undefined) runs.push(published.run);
      failure ??= published.failure;
    }
  };
  await Promise.all(Array.from({ length: MAX_SALES_AT_ONCE }, work));
  return { runs, failure };
}

async function publishSale(bus: Pick<Bus, "publish">, updates: readonly UnpublishedUpdate[], mayGoOn: () => boolean) {
  let run: KeptRun | undefined;
  for (const update of updates) {
    if (!mayGoOn()) break;
    try {
      await publishUpdate(bus, update);
    } catch (failure) {
      return { run, failure };
    }
    const { saleUuid, generation, revision } = update;
    run = { saleUuid, generation, first: run?.first ?? revision, last: revision };
  }
  return { run, failure: undefined };
}

/** Tells the bus of a revision. @throws as the bus does */
export async function publishUpdate(
  bus: Pick<Bus, "publish">,
  { saleUuid, generation, revision, event: payload, trace }: UnpublishedUpdate,
): Promise<void> {
  if (payload === undefined) return;
  const id = saleUpdatedId(saleUuid, { generation, revision });
  const subject = saleUpdatedSubject(saleUuid);
  await traceFrom(trace, "publish sale update", { kind: "producer" }, () =>
    bus.publish({ subject, id, payload, trace: currentTrace() }),
  );
}
