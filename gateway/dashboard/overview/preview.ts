import { publicStatus } from "../../../common/sale/state/status.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PREVIEW_HEADERS, salePreview } from "../../sale-page/sale-preview.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { PageError, type PageLink } from "../../web/pages/page-error.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { publicSalePath, salePaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf, permitted } from "../base/founder.ts";
import { bounded, orUnknown } from "./gather-facts.ts";

/** `GET /dashboard/sales/{uuid}/preview`: the public page of a draft as it will be, for its members. */
export async function showPreview(c: AuthContext, dependencies: DashboardDependencies): Promise<Response> {
  const found = await founderSaleOf(c, dependencies);
  const { sale, founder } = found;
  if (sale.status !== SaleStatus.DRAFT) throw noDraft(found, dependencies);
  const [{ data, sale: summary }, signer] = await Promise.all([
    permitted(() => dependencies.dashboard.sales.previewSale({ saleUuid: sale.uuid }, founder.atCommitments)),
    signerOf(found, dependencies, c.req.path),
  ]);
  if (data === undefined || summary === undefined) throw new TypeError("PreviewSaleResponse is incomplete");
  const previewed = { saleUuid: sale.uuid, data, summary, signer, now: Date.now() };
  const page = salePreview(previewed, salePaths(sale.uuid).sale);
  return c.body(new Uint8Array(page), 200, { ...PREVIEW_HEADERS, "Content-Language": pageLanguage() });
}

/** Returns the address that signs the sale's permits; empty where there is none, or it isn't known. */
async function signerOf({ sale, founder }: FounderSale, dependencies: DashboardDependencies, next: string) {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return "";
  const found = await orUnknown(dependencies, "signer", async () => {
    const options = await atEntities(founder, dependencies, next);
    return entitiesUpstream.permits.getSigner({ saleUuid: sale.uuid }, bounded(options));
  });
  return found?.address ?? "";
}

function noDraft({ sale }: FounderSale, { config }: DashboardDependencies): PageError {
  const { uuid, status } = sale;
  const isPublic = publicStatus(status) !== undefined;
  const link: PageLink = isPublic
    ? { href: config.publicBaseUrl + publicSalePath(uuid), text: ({ dashboard }) => dashboard.saleOverview.publicPage }
    : { href: salePaths(uuid).sale, text: ({ dashboard }) => dashboard.definition.backToSale };
  return new PageError(
    409,
    ({ dashboard }) => dashboard.preview.noDraft,
    ({ dashboard }) => (isPublic ? dashboard.preview.isPublic : dashboard.preview.isWithdrawn),
    { link },
  );
}
