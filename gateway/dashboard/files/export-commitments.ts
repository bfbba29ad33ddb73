import { type Client, Code } from "@connectrpc/connect";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { exactFormat } from "../../../common/sale/csv/commitment-csv.ts";
import { beginExport, type CommitmentExport, EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/commitment-export.ts";
import type { CsvFormat } from "../../../common/sale/csv/csv-format.ts";
import { peopleFormat } from "../../../common/sale/csv/people-csv.ts";
import { isTimeZone, ZoneTimes } from "../../../common/sale/csv/zone-times.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { answerDownload } from "../../web/http/download.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { orSignIn, requireSession } from "../../web/sessions/session.ts";
import { ZONE_PARAMETER } from "../base/dashboard-paths.ts";

export type ExportClient = Pick<Client<typeof CommitmentService>, "exportCommitments">;

export interface ExportDependencies extends AuthDependencies {
  readonly exports: ExportClient;
}

/** `GET /dashboard/sales/{uuid}/commitments.csv`: all commitments of a sale, exactly, for its members. */
export function exportCommitments(c: AuthContext, dependencies: ExportDependencies): Promise<Response> {
  return answerExport(c, dependencies, { name: "commitments", formatOf: ({ definition }) => exactFormat(definition) });
}

/**
 * `GET /dashboard/sales/{uuid}/commitments-for-people.csv`: the same for people and their spreadsheets, with times of the zone
 * that `zone` names; UTC without it.
 */
export function exportForPeople(c: AuthContext, dependencies: ExportDependencies): Promise<Response> {
  const zone = c.req.query(ZONE_PARAMETER) ?? "UTC";
  if (!isTimeZone(zone)) throw noZone();
  const formatOf = ({ definition }: CommitmentExport) => {
    if (definition === undefined) throw notYet();
    return peopleFormat(definition, new ZoneTimes(zone));
  };
  return answerExport(c, dependencies, { name: "commitments-for-people", formatOf });
}

/** A kind of file. */
interface ExportFile {
  /** The beginning of its name. */
  readonly name: string;
  readonly formatOf: (begun: CommitmentExport) => CsvFormat;
}

async function answerExport(
  c: AuthContext,
  dependencies: ExportDependencies,
  { name, formatOf }: ExportFile,
): Promise<Response> {
  const saleUuid = parseUuid(c.req.param("saleUuid") ?? "");
  if (saleUuid === undefined) throw noSale();
  const actorToken = await actorTokenOf(c, dependencies);
  const ending = new AbortController();
  const options = { headers: { [ACTOR_HEADER]: actorToken }, signal: ending.signal, timeoutMs: EXPORT_TIMEOUT_MS };
  const begun = await orNoSale(() => beginExport(dependencies.exports.exportCommitments({ saleUuid }, options)));
  const texts = textsOf(begun, formatOf, ending);
  return answerDownload(c, { name: `${name}-${saleUuid}-${begun.revision}.csv`, texts, ending }, dependencies);
}

function textsOf(begun: CommitmentExport, formatOf: ExportFile["formatOf"], ending: AbortController) {
  try {
    return begun.csv(formatOf(begun));
  } catch (error) {
    ending.abort();
    throw error;
  }
}

async function actorTokenOf(c: AuthContext, dependencies: ExportDependencies): Promise<string> {
  const { sessionToken } = await requireSession(c, dependencies);
  const request = { sessionToken, audience: COMMITMENTS_AUDIENCE };
  return (await orSignIn(() => dependencies.clients.accounts.issueActorToken(request))).actorToken;
}

async function orNoSale<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.NotFound)) throw noSale();
    throw error;
  }
}

/** Returns the same error for a sale that doesn't exist and for strangers, who may not learn which sales exist. */
function noSale(): PageError {
  return new PageError(
    404,
    ({ dashboard }) => dashboard.downloads.noSaleTitle,
    ({ dashboard }) => dashboard.downloads.noSaleText,
  );
}

function noZone(): PageError {
  return new PageError(
    400,
    ({ dashboard }) => dashboard.downloads.noZoneTitle,
    ({ dashboard }) => dashboard.downloads.noZoneText,
  );
}

/** While an installation is upgraded, its services may be of different versions. */
function notYet(): PageError {
  return new PageError(
    503,
    ({ dashboard }) => dashboard.downloads.notYetTitle,
    ({ dashboard }) => dashboard.downloads.notYetText,
  );
}
