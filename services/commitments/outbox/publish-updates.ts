import { SALE_UPDATED_SUBJECTS, saleUpdatedSubject } from "../../../common/internal-api/commitment-subjects.ts";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { messagingSpan } from "../../../common/platform/bus/messaging-span.ts";
import { currentTrace, traceFrom } from "../../../common/platform/tracing/tracing.ts";
import { saleUpdatedId } from "./sale-updated-event.ts";
import type { PublishedRun, UnpublishedUpdate } from "./unpublished-updates.ts";

/** The number of sales whose events are published concurrently. */
const MAX_SALES_AT_ONCE = 256;

/** A run with the generation of its last revision. */
interface StoredRun extends PublishedRun {
  readonly generation: string;
}

export interface PublishedUpdates {
  /** The runs that the bus has stored. */
  readonly runs: readonly StoredRun[];
  /** The error that stopped a sale's publishing; one of them if there are several. */
  readonly failure: unknown;
}

/**
 * Publishes updates, those of a sale one after another, so that the bus never stores a later one before an earlier one. After
 * a failure, or when the lease has ended, the sale's later updates are left out.
 *
 * @param updates ordered by sale and revision
 */
export async function publishUpdates(
  bus: Pick<Bus, "publish" | "system">,
  updates: readonly UnpublishedUpdate[],
  mayContinue: (saleUuid: string) => boolean,
): Promise<PublishedUpdates> {
  const sales = Map.groupBy(updates, ({ saleUuid }) => saleUuid).values();
  const runs: StoredRun[] = [];
  let failure: unknown;
  const work = async () => {
    for (const ofSale of sales) {
      const published = await publishSale(bus, ofSale, mayContinue);
      if (published.run !== undefined) runs.push(published.run);
      failure ??= published.failure;
    }
  };
  await Promise.all(Array.from({ length: MAX_SALES_AT_ONCE }, work));
  return { runs, failure };
}

async function publishSale(
  bus: Pick<Bus, "publish" | "system">,
  updates: readonly UnpublishedUpdate[],
  mayContinue: (saleUuid: string) => boolean,
) {
  let run: StoredRun | undefined;
  for (const update of updates) {
    if (!mayContinue(update.saleUuid)) break;
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

/** Publishes the event of a revision. @throws as the bus does */
export async function publishUpdate(
  bus: Pick<Bus, "publish" | "system">,
  { saleUuid, generation, revision, event: payload, trace }: UnpublishedUpdate,
): Promise<void> {
  if (payload === undefined) return;
  const id = saleUpdatedId(saleUuid, { generation, revision });
  const subject = saleUpdatedSubject(saleUuid);
  const publish = () => bus.publish({ subject, id, payload, trace: currentTrace() });
  if (trace === undefined) return publish();
  const { name, settings } = messagingSpan("publish", bus, SALE_UPDATED_SUBJECTS, { subject, id });
  await traceFrom(trace, name, settings, publish);
}
