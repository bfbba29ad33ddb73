import { beginMemberExport, EXPORT_TIMEOUT_MS } from "../../../common/sale/csv/export-members.ts";
import { WALLET_CSV_HEADER, walletCsv } from "../../../common/sale/csv/wallet-list.ts";
import { answerDownload } from "../../web/http/download.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
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
  return answerDownload(c, { name: `members-${sale.uuid}.csv`, texts: csv(), ending }, dependencies);
}

/** `GET …/taking-part/deny-list.csv` */
export async function exportDenyList(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const ending = new AbortController();
  const pages = deniedWallets(found, dependencies, ending.signal);
  // Refusals become a page: once the file has begun it is too late.
  const first = await permitted(() => pages.next());
  const texts = denyListCsv(first.value ?? [], pages);
  return answerDownload(c, { name: `deny-list-${found.sale.uuid}.csv`, texts, ending }, dependencies);
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
