import { html } from "hono/html";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { mediaTypeOf } from "../../web/http/request-body.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { type PageForm, pageForm, uuidField } from "../../web/pages/page-form.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, guardOf } from "../base/dashboard-page.ts";
import { NEW_SALE_PATH, salePaths } from "../base/dashboard-paths.ts";
import { errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { type Founder, founderOf, resultOrRefusal } from "../base/founder.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import { saidTexts } from "../base/said-text.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { NEW_SALE_UPLOAD, UploadForm, uploadForm } from "../base/upload-form.ts";
import { type KnownChains, knownChains, type SourceCheck } from "../definition/check-source.ts";
import { definitionErrors, errorsOfDefinition, tenancyOf } from "../definition/definition-errors.ts";
import { orNotInvited } from "../definition/not-invited.ts";
import { checkEntered, type ParsedDefinition, parseDefinition } from "../definition/parsed-definition.ts";
import { SALE_FORM } from "../definition/sale-form.ts";
import { withAnotherToken } from "../definition/sale-form-values.ts";
import { type FoundToken, findTokens, withDecimals } from "../definition/token-check.ts";
import { fieldOfPresentation, parsePresentation } from "../presentation/presentation-form-values.ts";
import { begunSale, keepFormValues } from "./begun-sale.ts";
import { tokenChoice, withChosenTokens } from "./chosen-tokens.ts";
import { contractFacts, withContract } from "./contract-facts.ts";
import { createCopy, keptLine, showCopy } from "./copied-sale.ts";
import {
  type FirstFiles,
  requireRecentForLastStep,
  requireRecentToStart,
  startErrors,
  startSale,
} from "./first-application.ts";
import { FIRST_NEW_SALE, heldNewSale, MAX_FORM_BYTES, type NewSaleValues, newSaleValues } from "./new-sale-values.ts";
import { errorsUpTo, LAST_STEP, namedFor, readStep, type Step, stepOfErrors } from "./steps.ts";
import { defaultButton, newSaleForm } from "./steps-form.ts";

interface NewSaleView {
  readonly founder: Founder;
  /** UUID of the sale that was begun: the same on every visit until it is created, so that a contract can hold it. */
  readonly saleUuid: string;
  readonly values: NewSaleValues;
  readonly step: Step;
  readonly known: KnownChains;
  /** The facts of the tokens on the chain. */
  readonly found?: readonly FoundToken[];
  /** The stablecoins of the sale's chain that can be chosen by name. */
  readonly listed?: readonly ListedToken[];
  readonly errors?: FormErrors;
  readonly meaning?: ParsedDefinition;
  readonly check?: SourceCheck | undefined;
  readonly focus?: string | undefined;
  /** Whether the form's values are those of an earlier visit. */
  readonly isKept?: boolean;
}

/** `GET /dashboard/new-sale`. With `from` it offers a copy of another sale in live tenancy; with `step` it begins at that step. */
export async function showNewSale(c: AuthContext, dependencies: DashboardDependencies) {
  const from = parseUuid(c.req.query("from") ?? "") ?? "";
  const step = readStep(c.req.query("step") ?? "");
  const ownPath = step === 1 ? NEW_SALE_PATH : stepPath(step);
  const next = from === "" ? ownPath : copyPath(from);
  const founder = await founderOf(c, dependencies, next);
  if (from !== "") return showCopy(c, dependencies, founder, from);
  const known = await knownChains(dependencies.dashboard.indexer);
  const { saleUuid, values: kept } = await begunSale(founder, dependencies, "");
  if (kept === undefined)
    return showPage(c, formPage({ founder, saleUuid, known, values: firstValuesOn(known), step: 1 }));
  // The last step has what only a recent sign-in may add, and files, which no browser sends again.
  if (step === LAST_STEP) requireRecentForLastStep(founder, stepPath(LAST_STEP));
  const { dashboard } = dependencies;
  const { account } = founder;
  const { source, chain } = kept.sale;
  const [listed, found, check] = await Promise.all([
    dashboard.listedTokens.on(source === "chain" ? chain : ""),
    findTokens(kept.sale, dashboard, account.uuid),
    checkAt(step, kept, dependencies, { accountUuid: account.uuid, saleUuid }),
  ]);
  const meaning = parseDefinition(namedFor(step, kept.sale), { ...known, found });
  const view = { founder, saleUuid, values: kept, step, known, listed, found, meaning, check };
  return showPage(c, formPage({ ...view, isKept: c.req.query("step") === undefined }));
}

/** Checks the contract where its check is shown. An account has few: one after it was entered, and one before the sale is created. */
async function checkAt(
  step: Step,
  { sale }: NewSaleValues,
  { dashboard }: DashboardDependencies,
  who: { readonly accountUuid: string; readonly saleUuid: string },
): Promise<SourceCheck | undefined> {
  return step === 2 || step === LAST_STEP ? checkEntered(sale, dashboard, who) : undefined;
}

function copyPath(from: string): string {
  return `${NEW_SALE_PATH}?${new URLSearchParams({ from })}`;
}

function stepPath(step: Step): string {
  return `${NEW_SALE_PATH}?${new URLSearchParams({ step: String(step) })}`;
}

/** Returns the values of a new sale: one that is read from the only chain, where there is one. */
function firstValuesOn({ chains }: KnownChains): NewSaleValues {
  if (chains.length === 0) return FIRST_NEW_SALE;
  const chain = chains.length === 1 ? (chains[0]?.name ?? "") : "";
  return { ...FIRST_NEW_SALE, sale: { ...FIRST_NEW_SALE.sale, source: "chain", chain } };
}

/** `POST /dashboard/new-sale`: goes from step to step, and creates the sale with its first application. */
export async function createSale(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await sentForm(c, dependencies);
  const founder = await founderOf(c, dependencies, NEW_SALE_PATH);
  const saleUuid = uuidField(form, "sale");
  const from = parseUuid(form.text("from")) ?? "";
  if (from !== "") return createCopy(c, dependencies, { form, founder, saleUuid, from });
  const known = await knownChains(dependencies.dashboard.indexer);
  const step = readStep(form.text("step"));
  const action = form.text("do");
  if (action === "start-again") {
    await keepFormValues(founder, dependencies, saleUuid, []);
    return showPage(c, formPage({ founder, saleUuid, known, values: firstValuesOn(known), step: 1 }));
  }
  const entered = newSaleValues(form);
  const { account } = founder;
  const { listedTokens } = dependencies.dashboard;
  const listed = await listedTokens.on(entered.sale.source === "chain" ? entered.sale.chain : "");
  const facts = step === 1 ? await contractFacts(entered.sale, dependencies.dashboard, account.uuid) : undefined;
  const read = withContract(withChosenTokens(entered.sale, tokenChoice(form), listed, listedTokens), facts);
  const found = await findTokens(read, dependencies.dashboard, account.uuid);
  const values = { ...entered, sale: withDecimals(read, found) };
  const isKept = await keepFormValues(founder, dependencies, saleUuid, heldNewSale(values));
  const view: NewSaleView = { founder, saleUuid, values, step, known, found, listed };
  const [, kind, wanted = ""] = /^(back|step)-(\d)$/.exec(action) ?? [];
  const target = kind === undefined ? LAST_STEP : readStep(wanted);
  const meaning = parseDefinition(namedFor(target, values.sale), { ...known, found });
  if (action === "add-token") {
    const { formValues: sale, focus } = withAnotherToken(values.sale);
    return showPage(c, formPage({ ...view, values: { ...values, sale }, meaning, focus, step: 2 }));
  }
  // A reload of the step then sends nothing again.
  const go = () => c.redirect(stepPath(target), 303);
  if (kind === "back") return isKept ? go() : showPage(c, formPage({ ...view, meaning, step: target }));
  const isCreating = action === "create";
  const files = filesOf(form);
  const { errors, definition } = await checked(view, { dependencies, meaning, target, isCreating });
  if (errors.length > 0) return showPage(c, formPage({ ...view, errors, meaning, step: stepOfErrors(errors) ?? step }));
  if (!isCreating || definition === undefined) {
    if (target === LAST_STEP) requireRecentForLastStep(founder, stepPath(LAST_STEP));
    if (isKept) return go();
    const check = await checkAt(target, values, dependencies, { accountUuid: account.uuid, saleUuid });
    return showPage(c, formPage({ ...view, meaning, check, step: target }));
  }
  // What was entered is kept only until the sale exists: somebody who must sign in finds it as long as nothing is created.
  requireRecentToStart(founder, values, stepPath(LAST_STEP));
  const request = { saleUuid, tenancy: tenancyOf(values.sale.tenancy), definition };
  const created = await resultOrRefusal(() =>
    orNotInvited(dependencies.dashboard.sales.createSale(request, founder.atCommitments)),
  );
  if ("refusal" in created) {
    const refused = errorsOfDefinition(created.refusal, fieldOfPresentation);
    return showPage(c, formPage({ ...view, errors: refused, meaning, step: stepOfErrors(refused) ?? LAST_STEP }));
  }
  const unfinished = await startSale(c, dependencies, { founder, saleUuid, values, files });
  if (unfinished.length > 0) {
    return showPage(c, formPage({ ...view, errors: unfinished, meaning, step: LAST_STEP }));
  }
  return c.redirect(`${salePaths(saleUuid).sale}?done=created`, 303);
}

/** Reads the form of a step. Only the last one has files; those of strangers aren't even read. */
async function sentForm(c: AuthContext, dependencies: DashboardDependencies): Promise<PageForm> {
  const hasFiles = mediaTypeOf(c) === "multipart/form-data";
  if (hasFiles) await founderOf(c, dependencies, stepPath(LAST_STEP));
  const read = (context: AuthContext): Promise<PageForm> =>
    hasFiles ? uploadForm(context, NEW_SALE_UPLOAD) : pageForm(context, MAX_FORM_BYTES);
  return guardedFormOf(c, dependencies, guardOf(c, dependencies, SALE_FORM), read);
}

function filesOf(form: PageForm): FirstFiles {
  if (!(form instanceof UploadForm)) return {};
  const [square, wide] = [form.file("square"), form.file("wide")];
  return { ...(square && { square }), ...(wide && { wide }) };
}

interface Checked {
  readonly dependencies: DashboardDependencies;
  readonly meaning: ParsedDefinition;
  /** The step to go to: the fields of those before must be right. */
  readonly target: Step;
  readonly isCreating: boolean;
}

/** Checks all that is filled in by now; from the last step on also by the services. @returns the definition of all steps, if there is one */
async function checked(view: NewSaleView, { dependencies, meaning, target, isCreating }: Checked) {
  const { founder, saleUuid, values } = view;
  const decimals = /^\d{1,2}$/.test(values.sale.offeredDecimals) ? Number(values.sale.offeredDecimals) : 0;
  const words = parsePresentation(values.words, decimals);
  const all = [...meaning.errors, ...words.errors, ...(isCreating ? startErrors(values) : [])];
  const errors = isCreating ? all : errorsUpTo(all, readStep(String(target - 1)));
  const { definition } = meaning;
  if (errors.length > 0 || target < LAST_STEP || definition === undefined) return { errors };
  const presentation = words.definition?.presentation;
  const whole = Object.assign(definition, presentation && { presentation });
  const { tenancy } = values.sale;
  const wanted = { saleUuid, tenancy, definition: whole, version: 0n, fieldOfOthers: fieldOfPresentation };
  return { errors: await definitionErrors(founder, dependencies, wanted), definition: whole };
}

function formPage(view: NewSaleView) {
  const { founder, saleUuid, values, step, known, found, listed = [] } = view;
  const { errors = [], meaning, check, focus, isKept = false } = view;
  const { newSale } = texts();
  return dashboardPage({
    title: newSale.title,
    errors,
    crumbs: [{ href: DASHBOARD_PATH, text: pageTexts().frame.mySales }],
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${newSale.title}</h1></div>
${defaultButton(step)}${isKept && keptLine()}
${check && check.state !== "unknown" && step > 1 && contractLine(check)}
${newSaleForm({
  sessionToken: founder.sessionToken,
  values,
  step,
  errors,
  known,
  found,
  listed,
  check,
  lines: meaning?.lines ?? [],
  saleUuid,
  focus,
})}`,
  });
}

/** Returns what the contract of the first step says, for the steps after it. */
function contractLine({ state, text }: SourceCheck): Html {
  return html`<p class="notice-line state-${state}">${fillHtml(texts().newSale.contractSays, { text: saidTexts(text) })}</p>`;
}
