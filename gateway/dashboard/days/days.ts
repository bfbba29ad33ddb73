import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { publicStatus } from "../../../common/sale/state/status.ts";
import type { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { bounded, orUnknown } from "../overview/gather-facts.ts";
import type { Known } from "../overview/sale-facts.ts";
import { type DayValue, endsOfDays, risesOfDays, sumsByDay } from "./day-series.ts";
import { daysPage } from "./days-page.ts";
import type { SaleDays, TakingPartDays } from "./sale-days.ts";

/** `GET /dashboard/sales/{uuid}/days`: charts of the last 30 days, all of numbers, and none of a person. */
export async function showDays(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const nowMs = Date.now();
  const [history, signIns, takingPart] = await Promise.all([
    historyOf(found, dependencies),
    signInsOf(found, dependencies),
    takingPartOf({ found, dependencies, next: c.req.path, nowMs }),
  ]);
  const days: SaleDays = {
    committed: history && endsOfDays(history.committed, nowMs),
    commitments: history && risesOfDays(history.commitments, nowMs),
    signIns: signIns && sumsByDay(signIns, nowMs),
    takingPart,
  };
  return showPage(c, daysPage(found, days, nowMs));
}

interface History {
  readonly committed: readonly DayValue[];
  readonly commitments: readonly DayValue[];
}

const NO_HISTORY: History = { committed: [], commitments: [] };

/** Asks for the figures over time. A sale that isn't public has none. */
async function historyOf({ sale }: FounderSale, dependencies: DashboardDependencies): Promise<Known<History>> {
  if (publicStatus(sale.status) === undefined || !sale.hasSnapshot) return NO_HISTORY;
  const { commitments } = dependencies.dashboard;
  const found = await orUnknown(dependencies, "history", () =>
    commitments.getHistory({ saleUuid: sale.uuid }, bounded({})),
  );
  return (
    found && {
      committed: found.points.map((point) => ({ ms: endMs(point), value: BigInt(point.totalAmount) })),
      commitments: found.points.map((point) => ({ ms: endMs(point), value: point.commitmentCount })),
    }
  );
}

/** A point has the figures at the end of its period. */
function endMs({ fromSeconds, seconds }: { readonly fromSeconds: bigint; readonly seconds: number }): number {
  return (Number(fromSeconds) + seconds) * 1_000 - 1;
}

async function signInsOf({ sale, founder }: FounderSale, dependencies: DashboardDependencies) {
  const request = { saleUuids: [sale.uuid] };
  const found = await orUnknown(dependencies, "sign-ins", () =>
    dependencies.clients.clients.countSignIns(request, bounded(founder.atAuth)),
  );
  const days = found && (found.sales.find(({ saleUuid }) => saleUuid === sale.uuid)?.days ?? []);
  return days?.map(({ day, signIns }) => ({ ms: msOf(day), value: signIns }));
}

interface Asked {
  readonly found: FounderSale;
  readonly dependencies: DashboardDependencies;
  /** Page to which a sign-in leads back. */
  readonly next: string;
  readonly nowMs: number;
}

/** Asks for the numbers of those who take part; null where there are none here. @throws SignInRequired */
async function takingPartOf({ found, dependencies, next, nowMs }: Asked): Promise<TakingPartDays | null> {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return null;
  const { permits } = entitiesUpstream;
  const request = { saleUuid: found.sale.uuid };
  const options = async () => bounded(await atEntities(found.founder, dependencies, next));
  const [issued, counts] = await Promise.all([
    orUnknown(dependencies, "permits", async () => permits.countPermits(request, await options())),
    orUnknown(dependencies, "entities", async () => permits.countSaleDays(request, await options())),
  ]);
  const hours = issued?.hours.map(({ hour, permits: value }) => ({ ms: msOf(hour), value }));
  const entities = counts?.days.map(({ day, newEntities: value }) => ({ ms: msOf(day), value }));
  const refusals = counts?.days.flatMap(({ day, refusals: ofDay }) =>
    ofDay.map(({ reason, permits: value }) => ({ ms: msOf(day), reason, value })),
  );
  return {
    permits: hours && sumsByDay(hours, nowMs),
    entities: entities && sumsByDay(entities, nowMs),
    refused: refusals && sumsByDay(refusals, nowMs),
    reasons: refusals && byReason(refusals),
    states: counts?.entities,
  };
}

function byReason(refusals: readonly { readonly reason: FailureReason; readonly value: bigint }[]) {
  const groups = Map.groupBy(refusals, ({ reason }) => reason);
  return Array.from(groups, ([reason, same]) => ({
    reason,
    permits: same.reduce((sum, { value }) => sum + value, 0n),
  }));
}

function msOf(time: Timestamp | undefined): number {
  return time === undefined ? 0 : timestampMs(time);
}
