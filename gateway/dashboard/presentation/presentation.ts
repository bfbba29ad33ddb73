import { withMaskedFields } from "../../../common/sale/definition/field-mask.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { pageForm } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { guardOf } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { enteredVersion } from "../base/entered-version.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { type UploadBound, uploadForm } from "../base/upload-form.ts";
import {
  fieldOfPresentation,
  parsePresentation,
  presentationFormValues,
  storedFormValues,
} from "./presentation-form-values.ts";
import { LOGO_FORM, PRESENTATION_FORM, presentationPage } from "./presentation-page.ts";

/** Bound of the form: a description of 2,000 characters takes up to 12 bytes for each, percent-encoded. */
const MAX_FORM_BYTES = 32 * 1024;
/** The logo, and the fields around it. */
const LOGO_BOUND: UploadBound = {
  maxBytes: 204_800 + 16 * 1024,
  title: ({ dashboard }) => dashboard.presentation.logoTitle,
  text: ({ dashboard }) => dashboard.presentation.logoText,
};

/** Returns the message about the change that was just made. */
function doneText(done: string): string | undefined {
  const { saved, logoSaved: logo } = texts().presentation;
  return new Map(Object.entries({ saved, logo })).get(done);
}

/** `GET /dashboard/sales/{uuid}/presentation` */
export async function showPresentation(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await presentableSale(c, dependencies);
  const done = doneText(c.req.query("done") ?? "");
  return showPage(c, presentationPage({ ...storedView(found), done }));
}

function storedView(found: FounderSale) {
  const { definition, definitionVersion } = found.sale;
  return { found, values: storedFormValues(definition ?? {}), version: definitionVersion.toString() };
}

/** `POST /dashboard/sales/{uuid}/presentation` */
export async function changePresentation(c: AuthContext, dependencies: DashboardDependencies) {
  const guard = guardOf(c, dependencies, PRESENTATION_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => pageForm(context, MAX_FORM_BYTES));
  const found = await presentableSale(c, dependencies);
  const posted = presentationFormValues(form);
  const version = enteredVersion(form.text("version"));
  const { sale, founder } = found;
  const before = definitionOf(sale);
  const values = { ...storedFormValues(before), ...posted };
  const refuse = (errors: FormErrors) => showPage(c, presentationPage({ found, values, version, errors }));
  const parsed = parsePresentation(posted, before.offeredTokenDecimals ?? 0);
  if (parsed.definition === undefined) return refuse(parsed.errors);
  const paths = [...parsed.paths];
  // Whole, since a service of the version before knows no mask.
  const definition = withMaskedFields(before, parsed.definition, paths);
  const expectedDefinitionVersion = BigInt(version);
  const request = { saleUuid: sale.uuid, definition, expectedDefinitionVersion, updateMask: { paths } };
  const changed = await resultOrRefusal(() => dependencies.dashboard.sales.updateSale(request, founder.atCommitments));
  if (!("refusal" in changed)) return c.redirect(`${salePaths(sale.uuid).presentation}?done=saved`, 303);
  const { refusal } = changed;
  const changedMeanwhile = [{ text: texts().presentation.changed }];
  return refuse(refusal.code === "aborted" ? changedMeanwhile : refusalErrors(refusal, fieldOfPresentation));
}

/** `POST /dashboard/sales/{uuid}/presentation/logo`: sets the logo, or removes it. */
export async function changeSaleLogo(c: AuthContext, dependencies: DashboardDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await presentableSale(c, dependencies, salePaths(c.req.param("sale") ?? "").presentation);
  const guard = guardOf(c, dependencies, LOGO_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => uploadForm(context, LOGO_BOUND));
  const refuse = (errors: FormErrors) => showPage(c, presentationPage({ ...storedView(found), errors }));
  const image = form.text("do") === "remove" ? new Uint8Array() : form.file("logo");
  if (image === undefined)
    return refuse([{ field: "logo", label: texts().presentationLabel.logo, text: texts().presentation.chooseFile }]);
  const { sale, founder } = found;
  const request = { saleUuid: sale.uuid, image };
  const set = await resultOrRefusal(() => dependencies.dashboard.sales.setSaleLogo(request, founder.atCommitments));
  if ("refusal" in set)
    return refuse(refusalErrors(set.refusal, () => ({ field: "logo", label: texts().presentationLabel.logo })));
  return c.redirect(`${salePaths(sale.uuid).presentation}?done=logo`, 303);
}

/** @throws PageError for a viewer, and for a withdrawn sale; as `founderSaleOf` */
async function presentableSale(
  c: AuthContext,
  dependencies: DashboardDependencies,
  next = c.req.path,
): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies, next);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const { uuid, status } = found.sale;
  if (status !== SaleStatus.WITHDRAWN) return found;
  throw new PageError(
    409,
    ({ dashboard }) => dashboard.presentation.withdrawnTitle,
    ({ dashboard }) => dashboard.presentation.withdrawnText,
    { link: { href: salePaths(uuid).sale, text: ({ dashboard }) => dashboard.presentation.backToSale } },
  );
}

function definitionOf({ definition }: Sale) {
  if (definition === undefined) throw new TypeError("the sale has no definition");
  return definition;
}
