import { createHash } from "node:crypto";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { showStreamedPage } from "../../web/pages/streamed-page.ts";
import type { Texts } from "../../web/texts/en.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf, requireRecent, requireRoleFor } from "../base/founder.ts";
import { importPlace, uploadedList } from "../base/list-upload.ts";
import type { ImportDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { heading, IMPORT_FORM, importCrumbs, importPage } from "./import-page.ts";
import { importProgress } from "./import-progress.ts";

/** `GET /dashboard/sales/{uuid}/import`. It requires a recent sign-in, which a file must not be lost to. */
export async function showCommitmentImport(c: AuthContext, dependencies: ImportDependencies) {
  return showPage(c, importPage(await fedSale(c, dependencies)));
}

/** `POST /dashboard/sales/{uuid}/import`: checks a file of commitments, or imports it, and shows how far it is. */
export async function importCommitments(c: AuthContext, dependencies: ImportDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await fedSale(c, dependencies);
  const leave = importPlace(dependencies, found.founder.account.uuid);
  try {
    return await shownImport(c, dependencies, found, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function shownImport(c: AuthContext, dependencies: ImportDependencies, found: FounderSale, leave: () => void) {
  const { form, bytes } = await uploadedList(c, dependencies, IMPORT_FORM);
  const isCheck = form.text("do") !== "import";
  const ending = new AbortController();
  const importId = createHash("sha256").update(bytes).digest("hex");
  const { checkTitle, importTitle } = texts().commitmentImport;
  const title = isCheck ? checkTitle : importTitle;
  const page = dashboardPage({ title, crumbs: importCrumbs(found), content: heading(title) });
  const file = { bytes, importId, isCheck };
  const progress = importProgress({ found, file, dependencies, ending, leave });
  return showStreamedPage(c, page, progress, ending, dependencies);
}

/**
 * Returns the sale that a page's path names.
 *
 * @throws PageError unless the user is its owner, and it is a public one that isn't read from a contract; SignInRequired
 */
async function fedSale(c: AuthContext, dependencies: ImportDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecent(found.founder, c.req.path);
  const reason = refusal(found.sale);
  if (reason === undefined) return found;
  throw new PageError(409, ({ dashboard }) => dashboard.commitmentImport.refusedTitle, reason, {
    link: { href: salePaths(found.sale.uuid).sale, text: ({ dashboard }) => dashboard.commitmentImport.back },
  });
}

function refusal({ definition, status }: Sale): ((texts: Texts) => string) | undefined {
  if (definition?.source.case !== undefined) return ({ dashboard }) => dashboard.commitmentImport.fromContract;
  if (status === SaleStatus.DRAFT) return ({ dashboard }) => dashboard.commitmentImport.isDraft;
  return status === SaleStatus.WITHDRAWN ? ({ dashboard }) => dashboard.commitmentImport.isWithdrawn : undefined;
}
