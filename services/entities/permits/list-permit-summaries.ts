import type { ServiceImpl } from "@connectrpc/connect";
import { HOUR_MS } from "../../../common/platform/db/hour-counts.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { visibleSales } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { salesWithActiveKey } from "../rules/active-key-store.ts";
import { salesTakingPart } from "../rules/rules-store.ts";
import { countIssuedSince } from "./permit-counts-store.ts";

const DAY_MS = 24n * HOUR_MS;

export function listPermitSummaries(
  dependencies: EntitiesContext,
): ServiceImpl<typeof PermitService>["listPermitSummaries"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const visible = await visibleSales(dependencies, context, request.saleUuids);
    const nowMs = clock();
    const counts = await countIssuedSince(database, visible, nowMs, nowMs - DAY_MS);
    const enabled = await database.read((query) => salesTakingPart(query, visible));
    const signing = await database.read((query) => salesWithActiveKey(query, visible));
    return {
      sales: visible.map((saleUuid) => {
        const { hours, total } = counts.get(saleUuid) ?? { hours: [], total: 0n };
        return {
          saleUuid,
          permits: total,
          lastDay: hours.reduce((sum, { count }) => sum + count, 0n),
          enabled: enabled.has(saleUuid),
          hasActiveKey: signing.has(saleUuid),
        };
      }),
    };
  };
}
