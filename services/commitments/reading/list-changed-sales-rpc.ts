import type { ServiceImpl } from "@connectrpc/connect";
import { statusMessage } from "../../../common/sale/state/status.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { CHANGES_OVERLAP_MS } from "../base/domain/lifetimes.ts";
import { generationNumber } from "../base/generation.ts";
import { type ChangedSale, type ChangeLimits, lookAtOutbox, type OutboxPoint } from "./changed-sales-store.ts";

/** Beyond that, asking about the sales that one holds is cheaper. */
const LIMITS: ChangeLimits = { sales: 1_000, rows: 20_000 };

const CURSOR = /^(\d{1,16}) (\d{1,16}) ([0-9a-f]{16}) (\d{1,16}) (\d{1,32})$/;

export function listChangedSalesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listChangedSales"] {
  return async ({ cursor }) => {
    const bounds = { overlapMillis: CHANGES_OVERLAP_MS, limits: LIMITS };
    const { point, changed } = await lookAtOutbox(store.database, pointOf(cursor), bounds);
    return { changed: (changed ?? []).map(changedMessage), complete: changed !== undefined, cursor: cursorOf(point) };
  };
}

function cursorOf({ atMillis, newestMillis, commonGeneration, count, sum }: OutboxPoint): string {
  return `${atMillis} ${newestMillis} ${commonGeneration} ${count} ${sum}`;
}

/** @returns undefined for anything else than a cursor */
function pointOf(cursor: string): OutboxPoint | undefined {
  const [, at, newest, commonGeneration = "", count, sum] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || newest === undefined || count === undefined || sum === undefined) return undefined;
  const rows = { newestMillis: BigInt(newest), count: BigInt(count), sum: BigInt(sum) };
  return { atMillis: BigInt(at), ...rows, commonGeneration };
}

function changedMessage({ saleUuid, status, definitionVersion, generation, revision, readable }: ChangedSale) {
  return {
    saleUuid,
    status: statusMessage(status),
    definitionVersion,
    ...(readable && { revision: { saleUuid, generation: generationNumber(generation), revision } }),
  };
}
