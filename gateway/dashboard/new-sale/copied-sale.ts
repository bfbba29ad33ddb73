import { html } from "hono/html";
import { type ClientSecurity, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { showPage } from "../../web/pages/layout.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { NEW_SALE_PATH, salePaths } from "../base/dashboard-paths.ts";
import { errorSummaryOf } from "../base/form-errors.ts";
import { type Founder, permitted, resultOrRefusal, saleMissing } from "../base/founder.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { knownChains } from "../definition/check-source.ts";
import { definitionErrors, errorsOfDefinition, tenancyOf } from "../definition/definition-errors.ts";
import { orNotInvited } from "../definition/not-invited.ts";
import { checkEntered, parseDefinition } from "../definition/parsed-definition.ts";
import { checkLine, heldFormValues } from "../definition/review-parts.ts";
import { formValuesOfDefinition } from "../definition/sale-definition-form.ts";
import { defaultSubmit, factList, SALE_FORM, saleForm } from "../definition/sale-form.ts";
import {
  heldSaleFields,
  type SaleFormValues,
  saleFormValues,
  withAnotherToken,
} from "../definition/sale-form-values.ts";
import { findTokens, withDecimals } from "../definition/token-check.ts";
import { begunSale, keepFormValues } from "./begun-sale.ts";
import type { BegunSaleView } from "./begun-sale-view.ts";
import { keptLine } from "./kept-line.ts";

interface CopyView extends BegunSaleView {
  /** UUID of the sale to copy. */
  readonly from: string;
  readonly formValues: SaleFormValues;
}

/** Shows the form of a copy of another sale in live tenancy. */
export async function showCopy(c: AuthContext, dependencies: DashboardDependencies, founder: Founder, from: string) {
  const known = await knownChains(dependencies.dashboard.indexer);
  const { saleUuid, values } = await begunSale(founder, dependencies, from);
  const formValues = values?.sale ?? (await copiedFormValues(founder, dependencies, from));
  const view = { founder, saleUuid, from, formValues, known, isKept: values !== undefined };
  return showPage(c, formPage({ ...view, meaning: parseDefinition(formValues, known) }));
}

async function copiedFormValues(founder: Founder, dependencies: DashboardDependencies, from: string) {
  return formValuesOfDefinition(await copiedSale(founder, dependencies, from), "live");
}

/** Returns the definition of the sale that is copied. @throws PageError 404 */
async function copiedSale({ atCommitments }: Founder, { dashboard }: DashboardDependencies, from: string) {
  const { sale } = await permitted(() => dashboard.sales.getSale({ saleUuid: from }, atCommitments));
  if (sale?.definition === undefined) throw saleMissing();
  return sale.definition;
}

/** A form of a copy that was sent. */
export interface SentCopy {
  readonly form: PageForm;
  readonly founder: Founder;
  readonly saleUuid: string;
  readonly from: string;
}

/** First shows the exact meaning of a copy's form, then creates the sale with copies of the applications. */
export async function createCopy(
  c: AuthContext,
  dependencies: DashboardDependencies,
  { form, founder, saleUuid, from }: SentCopy,
) {
  const known = await knownChains(dependencies.dashboard.indexer);
  const entered = saleFormValues(form);
  const found = await findTokens(entered, dependencies.dashboard, founder.account.uuid);
  const formValues = withDecimals(entered, found);
  const view: CopyView = { founder, saleUuid, from, formValues, known, found };
  const step = form.text("do");
  if (step === "start-again") {
    await keepFormValues(founder, dependencies, saleUuid, []);
    return showPage(c, formPage({ ...view, formValues: await copiedFormValues(founder, dependencies, from) }));
  }
  if (step !== "create") await keepFormValues(founder, dependencies, saleUuid, heldSaleFields(formValues));
  const meaning = parseDefinition(formValues, { ...known, found });
  if (step === "add-token") return showPage(c, formPage({ ...view, meaning, ...withAnotherToken(formValues) }));
  if (step === "change") return showPage(c, formPage({ ...view, meaning }));
  const { definition } = meaning;
  if (definition === undefined) return showPage(c, formPage({ ...view, errors: meaning.errors }));
  if (step !== "create") {
    const wanted = { saleUuid, tenancy: formValues.tenancy, definition, version: 0n };
    const errors = await definitionErrors(founder, dependencies, wanted);
    if (errors.length > 0) return showPage(c, formPage({ ...view, errors, meaning }));
    const check = await checkEntered(formValues, dependencies.dashboard, {
      accountUuid: founder.account.uuid,
      saleUuid,
    });
    return showPage(c, reviewPage({ ...view, meaning, check }));
  }
  const { presentation } = await copiedSale(founder, dependencies, from);
  const copied = { ...definition, ...(presentation && { presentation }) };
  const request = { saleUuid, tenancy: tenancyOf(formValues.tenancy), definition: copied };
  const created = await resultOrRefusal(() =>
    orNotInvited(dependencies.dashboard.sales.createSale(request, founder.atCommitments)),
  );
  if ("refusal" in created) {
    return showPage(c, formPage({ ...view, errors: errorsOfDefinition(created.refusal), meaning }));
  }
  if (presentation !== undefined) await copySaleLogo(founder, dependencies, saleUuid, presentation.logo);
  const done = await copyApplications(founder, dependencies, from, saleUuid);
  return c.redirect(`${salePaths(saleUuid).sale}?done=${done}`, 303);
}

/** Gives the copy of a sale the logo with a hash. Never fails: a founder sees that it is missing, and uploads it. */
async function copySaleLogo(
  { atCommitments }: Founder,
  { dashboard, logger }: DashboardDependencies,
  saleUuid: string,
  logo: string,
): Promise<void> {
  if (logo === "") return;
  try {
    const { image } = await dashboard.saleLogos.getSaleLogo({ logo });
    await dashboard.sales.setSaleLogo({ saleUuid, image }, atCommitments);
  } catch (error) {
    logger.warn({ err: error, saleUuid }, "logo not copied");
  }
}

/**
 * Copies the applications of a sale to its copy: names, scopes, logos and demands. Redirect URIs, post-logout URIs and keys aren't
 * copied, since they belong to the site where the first sale was tested.
 */
async function copyApplications(
  { atAuth }: Founder,
  { clients, logger }: DashboardDependencies,
  from: string,
  saleUuid: string,
) {
  try {
    const [before, there] = await Promise.all([
      clients.clients.listClients({ saleUuid: from }, atAuth),
      clients.clients.listClients({ saleUuid }, atAuth),
    ]);
    if (there.clients.length > 0) return "copied";
    for (const { definition, squareLogo, wideLogo } of before.clients) {
      const { name = "", scopes = [], security } = definition ?? {};
      const copy = { name, scopes, ...(security && { security: demandsOf(security) }) };
      const { client } = await clients.clients.createClient({ saleUuid, definition: copy }, atAuth);
      const clientUuid = client?.uuid ?? "";
      const logos = [
        [LogoShape.SQUARE, squareLogo],
        [LogoShape.WIDE, wideLogo],
      ] as const;
      for (const [shape, logo] of logos.filter(([, hash]) => hash !== "")) {
        const { image } = await clients.clients.getLogo({ logo });
        await clients.clients.setLogo({ clientUuid, shape, image }, atAuth);
      }
    }
    return "copied";
  } catch (error) {
    logger.warn({ err: error, saleUuid }, "applications not copied");
    return "copied-sale-only";
  }
}

function demandsOf({
  requirePushedAuthorizationRequests,
  dpopBoundAccessTokens,
  idTokenSignedResponseAlg,
}: ClientSecurity) {
  return { requirePushedAuthorizationRequests, dpopBoundAccessTokens, idTokenSignedResponseAlg };
}

function formPage(view: CopyView) {
  const {
    founder,
    saleUuid,
    from,
    formValues,
    known,
    found,
    errors = [],
    meaning,
    check,
    focus,
    isKept = false,
  } = view;
  const { copyTitle: title, copyText } = texts().newSale;
  const submit = texts().definition.checkAndGoOn;
  return dashboardPage({
    title,
    errors,
    crumbs: [salesCrumb()],
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">${copyText}</p>
${isKept && html`${defaultSubmit("review", submit)}${keptLine()}`}
${saleForm({
  sessionToken: founder.sessionToken,
  formValues,
  errors,
  known,
  found,
  check,
  lines: meaning?.lines ?? [],
  action: NEW_SALE_PATH,
  hidden: { from },
  saleUuid,
  focus,
  submit,
})}`,
  });
}

function reviewPage({ founder, saleUuid, from, formValues, meaning, check }: CopyView) {
  const { newSale, definition } = texts();
  return dashboardPage({
    title: definition.reviewTitle,
    crumbs: [salesCrumb()],
    content: html`<div class="page-head"><h1>${definition.reviewTitle}</h1></div>
<section class="panel" aria-labelledby="review"><h2 id="review"><bdi>${formValues.name}</bdi></h2>
<p>${formValues.kind === "auction" ? newSale.liveAuction : newSale.liveFixed}</p>
${factList(meaning?.lines ?? [])}
${check && checkLine(check)}
<form method="post" action="${NEW_SALE_PATH}">
${hiddenFields(SALE_FORM, founder.sessionToken, { sale: saleUuid, from })}
${heldFormValues(formValues)}
<div class="panel-foot"><button class="primary fit" name="do" value="create">${newSale.create}</button>
<button class="secondary" name="do" value="change">${definition.change}</button></div>
</form></section>`,
  });
}
