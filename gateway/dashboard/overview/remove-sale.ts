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
import { fieldOfTypedName, typedNameErrors, typedNameField } from "../base/typed-name.ts";

const REMOVE_FORM = "remove sale";

/** The way in which a sale is removed, by its status. */
interface Removal {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

const DELETION: Removal = {
  title: "Delete the draft?",
  text: "The draft goes for good, with its applications and the list of its members. Nothing of it was public.",
  button: "Delete the draft",
};
const WITHDRAWAL: Removal = {
  title: "Withdraw the sale?",
  text: "Nobody finds it in public any more, its live figures end, its contract isn’t read any more, its applications stop signing users in, and their tokens are revoked. Its members still see it here. There is no way back, and its ID can’t be used again. The contract itself goes on: this stops nobody from paying into it.",
  button: "Withdraw the sale",
};

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
  const { title, text, button } = sale.status === SaleStatus.DRAFT ? DELETION : WITHDRAWAL;
  const { sale: back, remove } = salePaths(sale.uuid);
  const isWithdrawn = sale.status === SaleStatus.WITHDRAWN;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<section class="panel" aria-label="Removal">${
      isWithdrawn
        ? html`<p>It is withdrawn already.</p>`
        : html`<p>${text} The owners are notified by e-mail.</p>
<form method="post" action="${remove}" novalidate>${hiddenFields(REMOVE_FORM, founder.sessionToken)}
${typedNameField(sale, errors)}
<div class="panel-foot"><button class="danger">${button}</button><a class="button secondary" href="${back}">Not now</a></div></form>`
    }</section>`,
  });
}
