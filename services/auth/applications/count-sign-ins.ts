import type { ServiceImpl } from "@connectrpc/connect";
import { countByHour, HOUR_MS, type HourCount } from "../../../common/platform/db/hour-counts.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { SIGN_IN_COUNT_DAYS } from "../base/lifetimes.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireActor, visibleSales } from "../memberships/require-role.ts";
import { SIGN_INS } from "./sign-in-counts-store.ts";

const DAY_MS = 24n * HOUR_MS;

export function countSignIns({ database, clock }: AuthContext): ServiceImpl<typeof ClientService>["countSignIns"] {
  return async ({ saleUuids }, call) => {
    const actor = requireActor(call);
    const visible = await database.read((query) => visibleSales(query, actor, saleUuids));
    const nowMs = clock();
    const firstMs = dayOf(nowMs) - (SIGN_IN_COUNT_DAYS - 1n) * DAY_MS;
    const counts = await countByHour(database, SIGN_INS, visible, { nowMs, firstMs, sinceMs: firstMs });
    return { sales: visible.map((saleUuid) => ({ saleUuid, days: daysOf(counts.get(saleUuid)?.hours ?? []) })) };
  };
}

/** Adds up hours to days (UTC). */
function daysOf(hours: readonly HourCount[]) {
  const byDay = Map.groupBy(hours, ({ hourMs }) => dayOf(hourMs));
  return Array.from(byDay, ([dayMs, ofDay]) => ({
    day: timestampOf(dayMs),
    signIns: ofDay.reduce((sum, { count }) => sum + count, 0n),
  }));
}

function dayOf(ms: bigint): bigint {
  return ms - (ms % DAY_MS);
}
