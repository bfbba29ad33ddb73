import type { CallOptions } from "@connectrpc/connect";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PREVIEW_HEADERS, salePreview } from "../../sale-page/sale-preview.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { PageError, type PageLink } from "../../web/pages/page-error.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import type { EntitiesUpstream } from "../../web/sessions/entities-upstream.ts";
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
  const request = { saleUuid: sale.uuid };
  const asked = { found, dependencies, next: c.req.path };
  const [{ data, sale: summary }, signer, rules] = await Promise.all([
    permitted(() => dependencies.dashboard.sales.previewSale(request, founder.atCommitments)),
    ofEntities(asked, "signer", ({ permits }, options) => permits.getSigner(request, options)),
    ofEntities(asked, "rules", ({ eligibility }, options) => eligibility.getPublicRules(request, options)),
  ]);
  if (data === undefined || summary === undefined) throw new TypeError("PreviewSaleResponse is incomplete");
  const shown = { signer: signer?.address ?? "", rules: rules?.rules };
  const previewed = { saleUuid: sale.uuid, data, summary, ...shown, now: Date.now() };
  const page = salePreview(previewed, salePaths(sale.uuid).sale);
  return c.body(new Uint8Array(page), 200, { ...PREVIEW_HEADERS, "Content-Language": pageLanguage() });
}

interface AskedPart {
  readonly found: FounderSale;
  readonly dependencies: DashboardDependencies;
  /** Page to which a sign-in leads back. */
  readonly next: string;
}

/** Returns the answer of the entities service; undefined where there is none, or it fails. @throws SignInRequired */
async function ofEntities<Answer>(
  { found, dependencies, next }: AskedPart,
  part: string,
  call: (upstream: EntitiesUpstream, options: CallOptions) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return undefined;
  return orUnknown(dependencies, part, async () =>
    call(entitiesUpstream, bounded(await atEntities(found.founder, dependencies, next))),
  );
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
