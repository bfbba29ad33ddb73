import { create } from "@bufbuild/protobuf";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SalePresentationSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { pageForm } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../dashboard-dependencies.ts";
import { guardOf } from "../dashboard-page.ts";
import { salePaths } from "../dashboard-paths.ts";
import { type FormErrors, refusalErrors } from "../form-errors.ts";
import { type FounderSale, founderSaleOf, orRefused, requireRoleFor } from "../founder.ts";
import {
  entriesOfPresentation,
  fieldOfPresentation,
  presentationEntriesOf,
  readPresentation,
} from "./presentation-entries.ts";
import { PRESENTATION_FORM, presentationPage } from "./presentation-page.ts";

/** Bound of the form: a description of 2,000 characters takes up to 12 bytes for each, percent-encoded. */
const MAX_FORM_BYTES = 32 * 1024;
const CHANGED_MEANWHILE: FormErrors = [
  { text: "Somebody else has changed the sale in the meantime. Reload this page and make your changes again." },
];

/** `GET /dashboard/sales/{uuid}/presentation` */
export async function showPresentation(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await presentableSale(c, dependencies);
  const entries = entriesOfPresentation(found.sale.definition?.presentation);
  const version = found.sale.definitionVersion.toString();
  const done = c.req.query("done") === "saved" ? "It is saved." : undefined;
  return showPage(c, presentationPage({ found, entries, version, done }));
}

/** `POST /dashboard/sales/{uuid}/presentation` */
export async function changePresentation(c: AuthContext, dependencies: DashboardDependencies) {
  const guard = guardOf(c, dependencies, PRESENTATION_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => pageForm(context, MAX_FORM_BYTES));
  const found = await presentableSale(c, dependencies);
  const entries = presentationEntriesOf(form);
  const version = /^[1-9]\d{0,18}$/.exec(form.text("version"))?.[0] ?? "1";
  const refuse = (errors: FormErrors) => showPage(c, presentationPage({ found, entries, version, errors }));
  const { presentation, errors } = readPresentation(entries);
  if (presentation === undefined) return refuse(errors);
  const { sale, founder } = found;
  const definition = { ...definitionOf(sale), presentation: create(SalePresentationSchema, presentation) };
  const request = { saleUuid: sale.uuid, definition, expectedDefinitionVersion: BigInt(version) };
  const changed = await orRefused(() => dependencies.dashboard.sales.updateSale(request, founder.atCommitments));
  if (!("refusal" in changed)) return c.redirect(`${salePaths(sale.uuid).presentation}?done=saved`, 303);
  const { refusal } = changed;
  return refuse(refusal.code === "aborted" ? CHANGED_MEANWHILE : refusalErrors(refusal, fieldOfPresentation));
}

/** @throws PageError for a viewer, and for a withdrawn sale; as `founderSaleOf` */
async function presentableSale(c: AuthContext, dependencies: DashboardDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const { uuid, status } = found.sale;
  if (status !== SaleStatus.WITHDRAWN) return found;
  const link = { href: salePaths(uuid).sale, text: "Back to the sale" };
  throw new PageError(409, "The sale is withdrawn", "Nobody finds it in public any more.", { link });
}

function definitionOf({ definition }: Sale) {
  if (definition === undefined) throw new TypeError("the sale has no definition");
  return definition;
}
