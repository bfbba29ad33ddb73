import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { SignInRequired } from "../../web/sessions/session.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf, permitted } from "../base/founder.ts";
import { keptEntry } from "../base/kept-entry.ts";

/** Bytes up to which an entry is shown again after a sign-in; no redirect URI may have more. */
const MAX_KEPT = 1_024;

/** An application, and the role of the user in its sale. */
export interface FoundApplication extends FounderSale {
  readonly client: Client;
  /** `aud` of access tokens. */
  readonly audience: string;
}

/**
 * Returns the application that a page's path names.
 *
 * @throws PageError 404 for an application of another sale and for one that doesn't exist
 */
export async function applicationOf(c: AuthContext, dependencies: DashboardDependencies): Promise<FoundApplication> {
  const [, pagePath = ""] = /^(\/dashboard\/sales\/[^/]+\/applications\/[^/]+)/.exec(c.req.path) ?? [];
  const found = await founderSaleOf(c, dependencies, pagePath);
  const clientUuid = parseUuid(c.req.param("client") ?? "");
  if (clientUuid === undefined) throw applicationMissing(found);
  const { client, accessTokenAudience } = await permitted(
    () => dependencies.clients.clients.getClient({ clientUuid }, found.founder.atAuth),
    () => applicationMissing(found),
  );
  if (client === undefined || client.saleUuid !== found.sale.uuid) throw applicationMissing(found);
  // An auth service of an older version doesn't say it.
  const audience = accessTokenAudience || dependencies.config.authUrl;
  return { ...found, client, audience };
}

function applicationMissing({ sale }: FounderSale): PageError {
  return new PageError(
    404,
    ({ dashboard }) => dashboard.application.missingTitle,
    ({ dashboard }) => dashboard.application.missingText,
    { link: { href: salePaths(sale.uuid).sale, text: ({ dashboard }) => dashboard.application.backToSale } },
  );
}

/** An entry that a page shows again after a sign-in. */
export interface Kept {
  readonly field: string;
  readonly text: string;
  /** The page of the application by default. */
  readonly page?: string;
}

/** Requires a recent sign-in, which leads back to a page with the entry. @throws SignInRequired */
export function requireRecentFor(
  c: AuthContext,
  { cookies }: DashboardDependencies,
  { founder, sale, client }: FounderSale & { readonly client?: Client },
  { field, text, page }: Kept = { field: "", text: "" },
): void {
  if (founder.isRecent) return;
  const next = page ?? applicationPaths(sale.uuid, client?.uuid ?? "").application;
  const browserToken = cookies.browserToken(c);
  const isKept = text !== "" && Buffer.byteLength(text) <= MAX_KEPT && browserToken !== undefined;
  throw new SignInRequired(isKept ? `${next}?entry=${keptEntry(field, text, browserToken)}` : next, true);
}
