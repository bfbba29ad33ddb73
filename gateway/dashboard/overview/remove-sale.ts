import { html } from "hono/html";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { showPage } from "../../web/pages/layout.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRecent, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { fieldOfTypedName, typedNameErrors, typedNameField } from "../base/typed-name.ts";

const REMOVE_FORM = "remove sale";

/** `GET /dashboard/sales/{uuid}/remove` */
export async function showRemoval(c: AuthContext, dependencies: DashboardDependencies) {
  return showPage(c, removalPage(await removableSale(c, dependencies)));
}

/** `POST /dashboard/sales/{uuid}/remove`: deletes a draft, or withdraws a sale that was opened. */
export async function removeSale(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, REMOVE_FORM);
  const found = await removableSale(c, dependencies);
  const { sale, founder } = found;
  const errors = typedNameErrors(sale, form);
  if (errors.length > 0) return showPage(c, removalPage(found, errors));
  const request = { saleUuid: sale.uuid, confirmName: sale.definition?.name ?? "" };
  const { sales } = dependencies.dashboard;
  const isDraft = sale.status === SaleStatus.DRAFT;
  const removed = await resultOrRefusal<unknown>(() =>
    isDraft ? sales.deleteDraft(request, founder.atCommitments) : sales.withdrawSale(request, founder.atCommitments),
  );
  if ("refusal" in removed) return showPage(c, removalPage(found, refusalErrors(removed.refusal, fieldOfTypedName)));
  return c.redirect(isDraft ? `${DASHBOARD_PATH}?done=deleted` : `${salePaths(sale.uuid).sale}?done=withdrawn`, 303);
}

async function removableSale(c: AuthContext, dependencies: DashboardDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecent(found.founder, c.req.path);
  return found;
}

function removalPage({ sale, founder }: FounderSale, errors: FormErrors = []) {
  const words = texts().removal;
  const [title, text, button] =
    sale.status === SaleStatus.DRAFT
      ? [words.deleteTitle, words.deleteText, words.deleteDraft]
      : [words.withdrawTitle, words.withdrawText, words.withdrawSale];
  const { sale: back, remove } = salePaths(sale.uuid);
  const isWithdrawn = sale.status === SaleStatus.WITHDRAWN;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<section class="panel" aria-label="${words.panel}">${
      isWithdrawn
        ? html`<p>${words.already}</p>`
        : html`<p>${text}</p>
<form method="post" action="${remove}" novalidate>${hiddenFields(REMOVE_FORM, founder.sessionToken)}
${typedNameField(sale, errors)}
<div class="panel-foot"><button class="danger">${button}</button><a class="button secondary" href="${back}">${words.notNow}</a></div></form>`
    }</section>`,
  });
}
