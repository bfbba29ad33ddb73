import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "@connectrpc/connect";
import type { ClientSummary, DaySignIns } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { SaleOverview } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { PermitSummary } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { SignInRequired } from "../../web/sessions/session.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import type { Founder } from "../base/founder.ts";
import type { ApplicationFacts, FigureFacts, Known, PermitFacts, SignInFacts } from "./sale-facts.ts";

/** The longest time that a page waits for one of its parts. */
const PART_TIMEOUT_MS = 3_000;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Facts that a service knows of some sales, by sale; undefined while it can't be asked. */
export type KnownBySale<Facts> = Known<ReadonlyMap<string, Facts>>;

/** Sales whose facts a page needs, at most 50, for a person. */
export interface Asked {
  readonly founder: Founder;
  readonly dependencies: DashboardDependencies;
  readonly saleUuids: readonly string[];
  /** Page to which a sign-in leads back. */
  readonly next: string;
}

/** Returns sales with their figures. */
export async function overviewsOf({ founder, dependencies, saleUuids }: Asked): Promise<KnownBySale<SaleOverview>> {
  if (saleUuids.length === 0) return new Map();
  const { sales } = dependencies.dashboard;
  const request = { saleUuids: [...saleUuids] };
  const found = await orUnknown(dependencies, "figures", () =>
    sales.listSaleOverviews(request, bounded(founder.atCommitments)),
  );
  return found && new Map(found.overviews.map((overview) => [overview.sale?.uuid ?? "", overview]));
}

/** Returns the applications of sales. */
export async function applicationsOf(asked: Asked): Promise<KnownBySale<readonly ApplicationFacts[]>> {
  const { founder, dependencies, saleUuids } = asked;
  if (saleUuids.length === 0) return new Map();
  const request = { saleUuids: [...saleUuids] };
  const found = await orUnknown(dependencies, "applications", () =>
    dependencies.clients.clients.listClientSummaries(request, bounded(founder.atAuth)),
  );
  return found && bySale(found.sales, ({ clients }) => clients.map(applicationFacts));
}

/** Returns the sign-ins of sales. */
export async function signInsOf({ founder, dependencies, saleUuids }: Asked): Promise<KnownBySale<SignInFacts>> {
  if (saleUuids.length === 0) return new Map();
  const request = { saleUuids: [...saleUuids] };
  const found = await orUnknown(dependencies, "sign-ins", () =>
    dependencies.clients.clients.countSignIns(request, bounded(founder.atAuth)),
  );
  return found && bySale(found.sales, ({ days }) => signInFacts(days, Date.now()));
}

/** Returns the permits of sales. @throws SignInRequired */
export async function permitsOf({ founder, dependencies, saleUuids, next }: Asked): Promise<KnownBySale<PermitFacts>> {
  const { entitiesUpstream } = dependencies;
  if (saleUuids.length === 0 || entitiesUpstream === undefined) return new Map();
  const request = { saleUuids: [...saleUuids] };
  const found = await orUnknown(dependencies, "permits", async () => {
    const options = await atEntities(founder, dependencies, next);
    return entitiesUpstream.permits.listPermitSummaries(request, bounded(options));
  });
  return found && bySale(found.sales, permitFacts);
}

/** Returns the result of a call that fills a part of a page; undefined where it fails. @throws SignInRequired */
export async function orUnknown<Result>(
  { logger }: Pick<DashboardDependencies, "logger">,
  part: string,
  call: () => Promise<Result>,
): Promise<Known<Result>> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SignInRequired) throw error;
    logger.warn({ err: error, part }, "a part of a page of the dashboard isn't known");
    return undefined;
  }
}

/** Returns the options of a call that a page waits for, but not long. */
export function bounded(options: CallOptions): CallOptions {
  return { ...options, timeoutMs: PART_TIMEOUT_MS };
}

/** Returns the figures of a sale; null where it has none. */
export function figureFacts({ figures, earlier, earlierAt }: SaleOverview): FigureFacts | null {
  if (figures === undefined) return null;
  return { now: figures, ...(earlier && earlierAt && { earlier: { at: earlierAt, figures: earlier } }) };
}

/** Adds sign-ins of days up. @param nowMs milliseconds since 1970 */
function signInFacts(days: readonly DaySignIns[], nowMs: number): SignInFacts {
  const todayMs = nowMs - (nowMs % DAY_MS);
  const since = (fromMs: number) =>
    days
      .filter(({ day }) => day !== undefined && timestampMs(day) >= fromMs)
      .reduce((sum, { signIns }) => sum + signIns, 0n);
  return {
    today: since(todayMs),
    last7Days: since(todayMs - (WEEK_DAYS - 1) * DAY_MS),
    last30Days: since(0),
  };
}

function bySale<Summary extends { readonly saleUuid: string }, Facts>(
  summaries: readonly Summary[],
  factsOf: (summary: Summary) => Facts,
): ReadonlyMap<string, Facts> {
  return new Map(summaries.map((summary) => [summary.saleUuid, factsOf(summary)]));
}

function applicationFacts({ clientUuid, name, obstacles, openingRequirements }: ClientSummary): ApplicationFacts {
  return { uuid: clientUuid, name, obstacles, openingRequirements };
}

function permitFacts({ permits, lastDay, enabled, hasActiveKey }: PermitSummary): PermitFacts {
  return { permits, lastDay, enabled, hasActiveKey };
}
