import { html } from "hono/html";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { enteredVersion } from "../base/entered-version.ts";
import { errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { fieldOfTypedName, isNameTyped, typedNameErrors, typedNameField } from "../base/typed-name.ts";
import { type KnownChains, knownChains, type SourceCheck } from "./check-source.ts";
import { definitionErrors, errorsOfDefinition } from "./definition-errors.ts";
import { checkEntered, type ParsedDefinition, parseDefinition } from "./parsed-definition.ts";
import { checkLine, heldFormValues } from "./review-parts.ts";
import { formValuesOfDefinition } from "./sale-definition-form.ts";
import { factList, SALE_FORM, saleForm } from "./sale-form.ts";
import { type SaleFormValues, saleFormValues, withAnotherToken } from "./sale-form-values.ts";
import { settingsChange } from "./settings-change.ts";
import { type FoundToken, findTokens, withDecimals } from "./token-check.ts";

interface SettingsView {
  readonly found: FounderSale;
  readonly formValues: SaleFormValues;
  /** Version of the definition that the form's values were made from. */
  readonly version: string;
  readonly known: KnownChains;
  /** The facts of the payment tokens on the chain. */
  readonly tokens?: readonly FoundToken[];
  readonly meaning: ParsedDefinition;
  readonly errors?: FormErrors;
  readonly check?: SourceCheck | undefined;
  readonly focus?: string | undefined;
}

/** `GET /dashboard/sales/{uuid}/settings` */
export async function showSettings(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const { definition, definitionVersion, tenancy, status } = found.sale;
  if (definition === undefined) throw new TypeError("the sale has no definition");
  const known = await knownChains(dependencies.dashboard.indexer);
  const read = formValuesOfDefinition(definition, tenancy === Tenancy.LIVE ? "live" : "test");
  if (status === SaleStatus.WITHDRAWN) throw withdrawn(found.sale);
  const formValues = !isFrozen(found.sale)
    ? read
    : { ...read, paymentDecimals: String(definition.paymentTokenDecimals ?? "") };
  const meaning = parseDefinition(formValues, { ...known, before: definition });
  return showPage(c, formPage({ found, formValues, version: definitionVersion.toString(), known, meaning }));
}

/** `POST /dashboard/sales/{uuid}/settings`: shows what changes, then changes it. */
export async function changeSettings(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, SALE_FORM);
  const found = await founderSaleOf(c, dependencies);
  const { founder, sale } = found;
  const { indexer, sales } = dependencies.dashboard;
  const known = await knownChains(indexer);
  const entered = saleFormValues(form);
  const tokens = await findTokens(entered, dependencies.dashboard, founder.account.uuid);
  const formValues = withDecimals(entered, tokens);
  const frozenTokens = isFrozen(sale) ? (sale.definition?.paymentTokens.length ?? 0) : 0;
  const meaning = parseDefinition(formValues, { ...known, before: sale.definition, found: tokens, frozenTokens });
  const version = enteredVersion(form.text("version"));
  const view: SettingsView = { found, formValues, version, known, meaning, tokens };
  const step = form.text("do");
  if (step === "add-token") return showPage(c, formPage({ ...view, ...withAnotherToken(formValues) }));
  if (step === "change") return showPage(c, formPage(view));
  if (meaning.definition === undefined) return showPage(c, formPage({ ...view, errors: meaning.errors }));
  if (step !== "save") {
    const wanted = {
      saleUuid: sale.uuid,
      tenancy: formValues.tenancy,
      definition: meaning.definition,
      before: sale.definition,
      version: BigInt(version),
    };
    const errors = await definitionErrors(founder, dependencies, wanted);
    if (errors.length > 0) return showPage(c, formPage({ ...view, errors }));
    const who = { accountUuid: founder.account.uuid, saleUuid: sale.uuid };
    return showPage(c, reviewPage({ ...view, check: await checkEntered(formValues, dependencies.dashboard, who) }));
  }
  const { definition } = meaning;
  const overrideConfirmName = isNameTyped(sale, form) ? (sale.definition?.name ?? "") : "";
  const change = settingsChange(sale.definition, definition);
  const request = { saleUuid: sale.uuid, ...change, expectedDefinitionVersion: BigInt(version), overrideConfirmName };
  // The source of a draft is checked when it opens.
  const isDraft = sale.status === SaleStatus.DRAFT;
  const update = () => sales.updateSale(request, founder.atCommitments);
  const changed = await resultOrRefusal(update, isDraft ? [] : ["unavailable"]);
  if ("refusal" in changed && !isDraft && isAboutSource(changed.refusal)) {
    const errors = [...refusalErrors(changed.refusal, fieldOfTypedName), ...typedNameErrors(sale, form)];
    return showPage(c, reviewPage({ ...view, errors }));
  }
  if ("refusal" in changed) return showPage(c, formPage({ ...view, errors: errorsOfDefinition(changed.refusal) }));
  return c.redirect(`${salePaths(sale.uuid).sale}?done=settings`, 303);
}

/** Whether the source and what belongs to it can't change any more: it was read, or there is none. */
function isFrozen({ status, hasSnapshot, definition }: Sale): boolean {
  if (status === SaleStatus.DRAFT) return false;
  return hasSnapshot || definition?.source.case === undefined;
}

/** Whether a refusal says that the source or the tokens don't pass the check, which an owner can override. */
function isAboutSource({ code }: ServiceError): boolean {
  return code === "failed_precondition" || code === "unavailable";
}

function withdrawn({ uuid }: Sale): PageError {
  return new PageError(
    409,
    ({ dashboard }) => dashboard.definition.withdrawnTitle,
    ({ dashboard }) => dashboard.definition.withdrawnText,
    { link: { href: salePaths(uuid).sale, text: ({ dashboard }) => dashboard.definition.backToSale } },
  );
}

function formPage({ found, formValues, version, known, tokens, meaning, errors = [], check, focus }: SettingsView) {
  const { sale, founder } = found;
  const isDraft = sale.status === SaleStatus.DRAFT;
  const frozen = isFrozen(sale);
  const words = texts().definition;
  return dashboardPage({
    title: words.settingsTitle,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${words.settingsTitle}</h1></div>
${!isDraft && !frozen && html`<p class="notice">${words.neverRead}</p>`}
${frozen && html`<p class="notice">${words.frozen}</p>`}
${saleForm({
  sessionToken: founder.sessionToken,
  formValues,
  errors,
  known,
  found: tokens,
  check,
  lines: meaning.lines,
  action: salePaths(sale.uuid).settings,
  hidden: { version },
  saleUuid: sale.uuid,
  frozenTokens: frozen ? (sale.definition?.paymentTokens.length ?? 0) : 0,
  isSettled: sale.status === SaleStatus.SETTLED,
  focus,
  submit: words.checkAndGoOn,
})}`,
  });
}

function reviewPage({ found, formValues, version, meaning, check, errors = [] }: SettingsView) {
  const { sale, founder } = found;
  // A draft is checked again before it opens.
  const wantsName = sale.status !== SaleStatus.DRAFT && (errors.length > 0 || check?.state === "bad");
  const words = texts().definition;
  return dashboardPage({
    title: words.reviewTitle,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${words.reviewTitle}</h1></div>
<section class="panel" aria-labelledby="review"><h2 id="review"><bdi>${formValues.name}</bdi></h2>
${factList(meaning.lines)}
${check && checkLine(check)}
<form method="post" action="${salePaths(sale.uuid).settings}" novalidate>
${hiddenFields(SALE_FORM, founder.sessionToken, { version })}
${heldFormValues(formValues)}
${wantsName && typedNameField(sale, errors)}
<div class="panel-foot"><button class="primary fit" name="do" value="save">${words.save}</button>
<button class="secondary" name="do" value="change">${words.change}</button></div>
</form></section>`,
  });
}
