import { beginMemberExport, EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/export-members.ts";
import { WALLET_CSV_HEADER, walletCsv } from "../../../common/sale/csv/wallet-list.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { textStream } from "../../web/http/text-stream.ts";
import { permitted } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { type TakingPartSale, takingPartSaleOf } from "./taking-part-sale.ts";

/** Wallets of a page of the deny list. */
const PAGE_SIZE = 500;

/** `GET …/taking-part/group-members.csv`: all members of the sale's groups. */
export async function exportGroupMembers(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const { eligibility } = dependencies.entitiesUpstream;
  const { sale, atEntities, units } = found;
  const request = { saleUuid: sale.uuid };
  const { rules } = await permitted(() => eligibility.getRules(request, atEntities));
  const ending = new AbortController();
  const options = { ...atEntities, signal: ending.signal, timeoutMs: EXPORT_TIMEOUT_MS };
  const context = { groups: rules?.groups ?? [], decimals: units.decimals };
  const { csv } = await permitted(() => beginMemberExport(eligibility.exportMembers(request, options), context));
  return download(c, `members-${sale.uuid}.csv`, csv(), ending);
}

/** `GET …/taking-part/deny-list.csv` */
export async function exportDenyList(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const ending = new AbortController();
  const pages = deniedWallets(found, dependencies, ending.signal);
  // Refusals become a page: once the file has begun it is too late.
  const first = await permitted(() => pages.next());
  return download(c, `deny-list-${found.sale.uuid}.csv`, denyListCsv(first.value ?? [], pages), ending);
}

async function* denyListCsv(
  first: readonly string[],
  pages: AsyncGenerator<readonly string[], void>,
): AsyncGenerator<string, void> {
  yield WALLET_CSV_HEADER + walletCsv(first);
  for await (const wallets of pages) yield walletCsv(wallets);
}

async function* deniedWallets(
  { sale, atEntities }: TakingPartSale,
  { entitiesUpstream }: TakingPartDependencies,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  let pageToken = "";
  do {
    const request = { saleUuid: sale.uuid, pageSize: PAGE_SIZE, pageToken };
    const { wallets, nextPageToken } = await entitiesUpstream.eligibility.listDenyList(request, {
      ...atEntities,
      signal,
    });
    yield wallets;
    pageToken = nextPageToken;
  } while (pageToken !== "");
}

function download(
  c: AuthContext,
  name: string,
  texts: AsyncGenerator<string, void>,
  ending: AbortController,
): Response {
  const headers = {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  if (c.req.method !== "HEAD") return c.body(textStream(texts, ending), 200, headers);
  ending.abort();
  return c.body(null, 200, headers);
}
