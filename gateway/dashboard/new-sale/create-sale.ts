import type { AuthContext } from "../../web/http/hono-context.ts";
import { mediaTypeOf } from "../../web/http/request-body.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { showPage } from "../../web/pages/layout.ts";
import { type PageForm, pageForm, uuidField } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { guardOf } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import type { FormErrors } from "../base/form-errors.ts";
import { type Founder, founderOf, resultOrRefusal } from "../base/founder.ts";
import { NEW_SALE_UPLOAD, UploadForm, uploadForm } from "../base/upload-form.ts";
import { knownChains } from "../definition/check-source.ts";
import { definitionErrors, errorsOfDefinition, tenancyOf } from "../definition/definition-errors.ts";
import { orNotInvited } from "../definition/not-invited.ts";
import { checkEntered, type ParsedDefinition, parseDefinition } from "../definition/parsed-definition.ts";
import { SALE_FORM } from "../definition/sale-form.ts";
import { withAnotherToken } from "../definition/sale-form-values.ts";
import { findTokens, withDecimals } from "../definition/token-check.ts";
import { fieldOfPresentation, parsePresentation } from "../presentation/presentation-form-values.ts";
import { keepFormValues } from "./begun-sale.ts";
import { tokenChoice, withChosenTokens } from "./chosen-tokens.ts";
import { withContract } from "./contract-values.ts";
import { copiedDefinition, withCopiedWords } from "./copied-values.ts";
import { checkAt, copiedSaleOf, firstPage } from "./new-sale.ts";
import { type NewSaleView, newSalePage } from "./new-sale-page.ts";
import { heldNewSale, MAX_FORM_BYTES, newSaleValues } from "./new-sale-values.ts";
import { requireRecentForLastStep, requireRecentToStart, startErrors, startSale } from "./start-sale.ts";
import type { FirstFiles } from "./started-sale.ts";
import { errorsUpTo, LAST_STEP, namedFor, newSalePath, readStep, type Step, stepOfErrors, stepPath } from "./steps.ts";

/** A form of a new sale that was sent from one of its steps. */
interface SentForm {
  readonly form: PageForm;
  readonly founder: Founder;
  readonly saleUuid: string;
  /** UUID of the sale that it copies; empty for none. */
  readonly from: string;
}

/** The same as it was read. */
interface SentStep extends SentForm {
  readonly view: NewSaleView & { readonly meaning: ParsedDefinition };
  /** The step to go to: the fields of those before must be right. */
  readonly target: Step;
  /** Whether another visit shows what was entered. */
  readonly isKept: boolean;
}

/** `POST /dashboard/new-sale`: goes from step to step, and creates the sale with its applications. */
export async function createSale(c: AuthContext, dependencies: DashboardDependencies) {
  const from = copiedSaleOf(c);
  const form = await sentForm(c, dependencies, from);
  const founder = await founderOf(c, dependencies, newSalePath(from));
  const sent = { form, founder, saleUuid: uuidField(form, "sale"), from };
  const action = form.text("do");
  if (action === "start-again") return startAgain(c, dependencies, sent);
  const step = await readSent(dependencies, sent);
  if (action === "add-token") return addToken(c, step);
  if (action.startsWith("back-")) return goBack(c, step);
  return action === "create" ? createNow(c, dependencies, step) : goOn(c, dependencies, step);
}

async function startAgain(c: AuthContext, dependencies: DashboardDependencies, { founder, saleUuid, from }: SentForm) {
  await keepFormValues(founder, dependencies, saleUuid, []);
  const known = await knownChains(dependencies.dashboard.indexer);
  return showPage(c, await firstPage({ founder, saleUuid, from, known }, dependencies));
}

/** Reads the form of a step with what its contract and the chain say, and keeps what was entered. */
async function readSent(dependencies: DashboardDependencies, sent: SentForm): Promise<SentStep> {
  const { form, founder, saleUuid, from } = sent;
  const { dashboard } = dependencies;
  const { uuid: accountUuid } = founder.account;
  const known = await knownChains(dashboard.indexer);
  const step = readStep(form.text("step"));
  const entered = newSaleValues(form);
  const { listedTokens } = dashboard;
  const listed = await listedTokens.on(entered.sale.source === "chain" ? entered.sale.chain : "");
  const chosen = withChosenTokens(entered.sale, tokenChoice(form), listed, listedTokens);
  const who = { accountUuid, saleUuid, takesFamily: true };
  const check = step === 1 ? await checkEntered(chosen, dashboard, who) : undefined;
  const read = withContract({ ...entered, sale: chosen }, check?.facts, listed);
  const found = await findTokens(read.sale, dashboard, accountUuid);
  const values = { ...read, sale: withDecimals(read.sale, found) };
  const isKept = await keepFormValues(founder, dependencies, saleUuid, heldNewSale(values));
  const target = targetOf(form.text("do"));
  const meaning = parseDefinition(namedFor(target, values.sale), { ...known, found });
  return { ...sent, view: { founder, saleUuid, from, values, step, known, found, listed, meaning }, target, isKept };
}

function targetOf(action: string): Step {
  const [, wanted] = /^(?:back|step)-(\d)$/.exec(action) ?? [];
  return wanted === undefined ? LAST_STEP : readStep(wanted);
}

function addToken(c: AuthContext, { view }: SentStep) {
  const { formValues: sale, focus } = withAnotherToken(view.values.sale);
  return showPage(c, newSalePage({ ...view, values: { ...view.values, sale }, focus, step: 2 }));
}

function goBack(c: AuthContext, { view, target, isKept }: SentStep) {
  return isKept ? goTo(c, target, view.from) : showPage(c, newSalePage({ ...view, step: target }));
}

/** Leads to a step, whose reload then sends nothing again. */
function goTo(c: AuthContext, step: Step, from: string) {
  return c.redirect(stepPath(step, from), 303);
}

async function goOn(c: AuthContext, dependencies: DashboardDependencies, sent: SentStep) {
  const { view, target, isKept } = sent;
  const { founder, saleUuid, from, values } = view;
  const { errors } = await checked(dependencies, sent, false);
  if (errors.length > 0) return showPage(c, refusedPage(view, errors));
  if (target === LAST_STEP) requireRecentForLastStep(founder, stepPath(LAST_STEP, from));
  if (isKept) return goTo(c, target, from);
  const check = await checkAt(target, values, dependencies, { accountUuid: founder.account.uuid, saleUuid });
  return showPage(c, newSalePage({ ...view, check, step: target }));
}

async function createNow(c: AuthContext, dependencies: DashboardDependencies, sent: SentStep) {
  const { view } = sent;
  const { founder, saleUuid, from, values } = view;
  const { errors, definition } = await checked(dependencies, sent, true);
  if (definition === undefined || errors.length > 0) return showPage(c, refusedPage(view, errors));
  // What was entered is kept only until the sale exists: somebody who must sign in finds it as long as nothing is created.
  requireRecentToStart(founder, values, stepPath(LAST_STEP, from));
  const copied = from === "" ? undefined : await copiedDefinition(founder, dependencies, from);
  const whole = copied === undefined ? definition : withCopiedWords(definition, copied);
  const request = { saleUuid, tenancy: tenancyOf(values.sale.tenancy), definition: whole };
  const created = await resultOrRefusal(() =>
    orNotInvited(dependencies.dashboard.sales.createSale(request, founder.atCommitments)),
  );
  if ("refusal" in created) {
    const refused = errorsOfDefinition(created.refusal, fieldOfPresentation);
    return showPage(c, refusedPage({ ...view, step: LAST_STEP }, refused));
  }
  return startNow(c, dependencies, sent);
}

/** Adds to the sale that was just created what its last step asks for. */
async function startNow(c: AuthContext, dependencies: DashboardDependencies, { view, form }: SentStep) {
  const { founder, saleUuid, from, values } = view;
  const { errors, done } = await startSale(c, dependencies, { founder, saleUuid, from, values, files: filesOf(form) });
  if (errors.length > 0) return showPage(c, newSalePage({ ...view, errors, step: LAST_STEP }));
  return c.redirect(`${salePaths(saleUuid).sale}?done=${done}`, 303);
}

/** Returns the page at the first step with an error; at the view's own where no step has one. */
function refusedPage(view: NewSaleView, errors: FormErrors) {
  return newSalePage({ ...view, errors, step: stepOfErrors(errors) ?? view.step });
}

/** Reads the form of a step. Only the last one has files; those of strangers aren't even read. */
async function sentForm(c: AuthContext, dependencies: DashboardDependencies, from: string): Promise<PageForm> {
  const hasFiles = mediaTypeOf(c) === "multipart/form-data";
  if (hasFiles) await founderOf(c, dependencies, stepPath(LAST_STEP, from));
  const read = (context: AuthContext): Promise<PageForm> =>
    hasFiles ? uploadForm(context, NEW_SALE_UPLOAD) : pageForm(context, MAX_FORM_BYTES);
  return guardedFormOf(c, dependencies, guardOf(c, dependencies, SALE_FORM), read);
}

function filesOf(form: PageForm): FirstFiles {
  if (!(form instanceof UploadForm)) return {};
  const [square, wide] = [form.file("square"), form.file("wide")];
  return { ...(square && { square }), ...(wide && { wide }) };
}

/** Checks all that is filled in by now; from the last step on also by the services. @returns the definition of all steps, if there is one */
async function checked(dependencies: DashboardDependencies, { view, target }: SentStep, isCreating: boolean) {
  const { founder, saleUuid, values, meaning } = view;
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
