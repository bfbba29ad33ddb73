import { type Client, Code } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { beginExport, EXPORT_TIMEOUT_MS } from "../../../services/shared/csv/commitment-export.ts";
import { parseUuid } from "../../../services/shared/encoding/uuid.ts";
import { ACTOR_HEADER } from "../../../services/shared/rpc/identity/actor.ts";
import { COMMITMENTS_AUDIENCE } from "../../../services/shared/rpc/identity/audiences.ts";
import type { AuthDependencies } from "../../web/auth/auth-dependencies.ts";
import { isRefused } from "../../web/auth/auth-failure.ts";
import { orSignIn, requireSession } from "../../web/auth/session.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { textStream } from "../../web/http/text-stream.ts";
import { PageError } from "../../web/pages/page-error.ts";

export type ExportClient = Pick<Client<typeof CommitmentService>, "exportCommitments">;

export interface ExportDependencies extends AuthDependencies {
  readonly exports: ExportClient;
}

/**
 * `GET /dashboard/sales/{uuid}/commitments.csv`: all commitments of a sale, for its members. An answer that
 * breaks off lacks the end of its chunked coding, so no browser takes it for complete.
 */
export async function exportCommitments(c: AuthContext, dependencies: ExportDependencies): Promise<Response> {
  const saleUuid = parseUuid(c.req.param("saleUuid") ?? "");
  if (saleUuid === undefined) throw noSale();
  const actorToken = await actorTokenOf(c, dependencies);
  const ending = new AbortController();
  const options = { headers: { [ACTOR_HEADER]: actorToken }, signal: ending.signal, timeoutMs: EXPORT_TIMEOUT_MS };
  const { revision, csv } = await orNoSale(() =>
    beginExport(dependencies.exports.exportCommitments({ saleUuid }, options)),
  );
  const headers = {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="commitments-${saleUuid}-${revision}.csv"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  if (c.req.method !== "HEAD") return c.body(textStream(csv(), ending), 200, headers);
  ending.abort();
  return c.body(null, 200, headers);
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
    "There is no such sale",
    "It doesn’t exist or isn’t open yet, or you aren’t a member of it. Its owners can add you.",
  );
}
