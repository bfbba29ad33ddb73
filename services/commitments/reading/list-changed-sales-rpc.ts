import type { ServiceImpl } from "@connectrpc/connect";
import { statusMessage } from "../../../common/sale/state/status.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { CHANGES_OVERLAP_MS } from "../base/domain/lifetimes.ts";
import { generationNumber } from "../base/generation.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import {
  type ChangedSale,
  type ChangeLimits,
  hasOutboxRowOf,
  type OutboxPoint,
  outboxPoint,
  readChangedSales,
} from "./changed-sales-store.ts";

/** Beyond that, asking about the sales that one holds is cheaper. */
const LIMITS: ChangeLimits = { sales: 1_000, rows: 20_000 };

export function listChangedSalesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listChangedSales"] {
  return async ({ cursor }) => {
    // The point comes first: what is committed after it is found by the next call, too.
    const point = await outboxPoint(store.database);
    const since = pointOf(cursor);
    const changed =
      isAfter(point, since) && (await isKept(store.database, since))
        ? await readChangedSales(store.database, since.atMillis - CHANGES_OVERLAP_MS, LIMITS)
        : undefined;
    return { changed: (changed ?? []).map(changedMessage), complete: changed !== undefined, cursor: cursorOf(point) };
  };
}

/** Whether a point is on the other's time line: all sales may have begun anew, and a clock may have been set back. */
function isAfter(point: OutboxPoint, since: OutboxPoint | undefined): since is OutboxPoint {
  if (since?.commonGeneration !== point.commonGeneration) return false;
  return point.atMillis >= since.atMillis && point.newestMillis >= since.newestMillis;
}

/**
 * Whether the newest row of a point is still there. A failover may lose it, and the revision with it, and other sales may have newer rows by
 * the time of the next look: then the lost revision's sale is in no list.
 */
async function isKept(database: CommitmentsDatabase, { newestMillis }: OutboxPoint): Promise<boolean> {
  return newestMillis === 0n || hasOutboxRowOf(database, newestMillis);
}

function cursorOf({ atMillis, newestMillis, commonGeneration }: OutboxPoint): string {
  return `${atMillis} ${newestMillis} ${commonGeneration}`;
}

/** @returns undefined for anything else than a cursor */
function pointOf(cursor: string): OutboxPoint | undefined {
  const [, at, newest, commonGeneration] = /^(\d{1,16}) (\d{1,16}) ([0-9a-f]{16})$/.exec(cursor) ?? [];
  if (at === undefined || newest === undefined || commonGeneration === undefined) return undefined;
  return { atMillis: BigInt(at), newestMillis: BigInt(newest), commonGeneration };
}

function changedMessage({ saleUuid, status, definitionVersion, generation, revision, readable }: ChangedSale) {
  return {
    saleUuid,
    status: statusMessage(status),
    definitionVersion,
    ...(readable && { revision: { saleUuid, generation: generationNumber(generation), revision } }),
  };
}
