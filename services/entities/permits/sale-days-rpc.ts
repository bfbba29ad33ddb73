import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { DAY_MS, dayOf, type RefusedOnDay, readRefusals } from "../days/sale-days-store.ts";
import { SaleEntityCounts } from "../days/sale-entity-counts.ts";
import { reasonMessage } from "../eligibility/check-eligibility.ts";
import { FAILURE_REASONS } from "../eligibility/decide.ts";
import { stateMessage } from "../entities/entity-message.ts";

/** Days that are answered, today included. */
const DAYS = 30;

/** The methods of `PermitService` for numbers by day. */
export function dayMethods(dependencies: EntitiesContext): Pick<ServiceImpl<typeof PermitService>, "countSaleDays"> {
  const { database, clock } = dependencies;
  const counts = new SaleEntityCounts(dependencies);
  return {
    async countSaleDays(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      const today = dayOf(clock());
      const days = Array.from({ length: DAYS }, (_, index) => today - BigInt(DAYS - 1 - index) * DAY_MS);
      const refusals = await database.read((query) => readRefusals(query, saleUuid, days[0] ?? today));
      const { byState, byDay } = await counts.read(saleUuid);
      return {
        days: days.map((day) => dayMessage(day, byDay.get(day) ?? 0n, refusals)).filter(hasNumbers),
        entities: Array.from(byState, ([state, entities]) => ({ state: stateMessage(state), entities })),
      };
    },
  };
}

function dayMessage(dayMs: bigint, newEntities: bigint, refusals: readonly RefusedOnDay[]) {
  const countOf = (wanted: string) =>
    refusals.find(({ dayMs: day, reason }) => day === dayMs && reason === wanted)?.count ?? 0n;
  const all = FAILURE_REASONS.map((reason) => ({ reason: reasonMessage(reason), permits: countOf(reason) }));
  return {
    ...{ day: timestampFromMs(Number(dayMs)), newEntities },
    refusals: all.filter(({ permits }) => permits > 0n),
  };
}

function hasNumbers({ newEntities, refusals }: ReturnType<typeof dayMessage>): boolean {
  return newEntities > 0n || refusals.length > 0;
}
