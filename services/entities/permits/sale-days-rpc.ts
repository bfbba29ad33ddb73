import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { EntityStates } from "../days/entity-states.ts";
import { DAY_MS, dayOf, readSaleDays, type SaleDayCount } from "../days/sale-days-store.ts";
import { reasonMessage } from "../eligibility/check-eligibility.ts";
import { FAILURE_REASONS } from "../eligibility/decide.ts";
import { stateMessage } from "../entities/entity-message.ts";

/** Days that are answered, today included. */
const DAYS = 30n;

/** The methods of `PermitService` for numbers by day. */
export function dayMethods(dependencies: EntitiesContext): Pick<ServiceImpl<typeof PermitService>, "countSaleDays"> {
  const { database, clock } = dependencies;
  const states = new EntityStates(dependencies);
  return {
    async countSaleDays(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      const nowMs = clock();
      const counts = await database.read((query) => readSaleDays(query, saleUuid, nowMs - (DAYS - 1n) * DAY_MS));
      const counted = await states.read(saleUuid);
      return {
        days: [...Map.groupBy(counts, ({ dayMs }) => dayMs)].map(([dayMs, ofDay]) => dayMessage(dayMs, ofDay)),
        entities: Array.from(counted, ([state, entities]) => ({ state: stateMessage(state), entities })),
      };
    },
  };
}

function dayMessage(dayMs: bigint, counts: readonly SaleDayCount[]) {
  const countOf = (wanted: SaleDayCount["name"]) => counts.find(({ name }) => name === wanted)?.count ?? 0n;
  const refusals = FAILURE_REASONS.map((reason) => ({
    reason: reasonMessage(reason),
    permits: countOf(`refused:${reason}`),
  }));
  return {
    day: timestampFromMs(Number(dayOf(dayMs))),
    newEntities: countOf("entity"),
    refusals: refusals.filter(({ permits }) => permits > 0n),
  };
}
