import { html } from "hono/html";
import { isSourceCheckError } from "../../../common/sale/definition/source-check-rule.ts";
import { definitionLines } from "../../../common/sale/words/definition-lines.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRecent, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { fieldOfTypedName, isNameTyped, typedNameErrors, typedNameField } from "../base/typed-name.ts";
import { type ContractState, checkedContract, contractLines } from "../definition/contract-state.ts";
import { definitionStyle } from "../definition/definition-style.ts";
import { factList } from "../definition/sale-form.ts";
import { type KnownSale, knownSale } from "../overview/known-sale.ts";
import { mayOpen, stepsBeforeOpening } from "../overview/next-steps.ts";
import { openingList } from "../overview/opening-list.ts";

const OPEN_FORM = "open sale";
/** Also a refusal here: the source can't be checked now, and the owner may open the sale without. */
const AWAY = ["unavailable"] as const;
const SETTLE_FORM = "settle sale";

/** `GET /dashboard/sales/{uuid}/open` */
export async function showOpening(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await ownersSale(c, dependencies);
  requireRecent(found.founder, c.req.path);
  return showPage(c, await openingPage(found, dependencies));
}

/**
 * `POST /dashboard/sales/{uuid}/open`. A contract that is found wrong, or that can't be checked, wants the sale's name
 * typed.
 */
export async function openSale(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, OPEN_FORM);
  const found = await ownersSale(c, dependencies);
  requireRecent(found.founder, c.req.path);
  const { founder, sale } = found;
  const contract = await checkedContract(found, dependencies);
  const isTyped = isNameTyped(sale, form);
  const show = async (refused: RefusedOpening) => showPage(c, await openingPage(found, dependencies, refused));
  if (contract?.state === "bad" && !isTyped) return show({ errors: typedNameErrors(sale, form), byCheck: true });
  const request = { saleUuid: sale.uuid, overrideConfirmName: isTyped ? (sale.definition?.name ?? "") : "" };
  const opened = await resultOrRefusal(
    () => dependencies.dashboard.sales.openSale(request, founder.atCommitments),
    AWAY,
  );
  if ("refusal" in opened) {
    const { refusal } = opened;
    return show({ errors: refusalErrors(refusal, fieldOfTypedName), byCheck: isSourceCheckError(refusal) });
  }
  return c.redirect(`${salePaths(sale.uuid).sale}?done=opened`, 303);
}

/** `GET /dashboard/sales/{uuid}/settle` */
export async function showSettlement(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await ownersSale(c, dependencies);
  requireRecent(found.founder, c.req.path);
  return showPage(c, settlementPage(found));
}

/** `POST /dashboard/sales/{uuid}/settle` */
export async function settleSale(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, SETTLE_FORM);
  const found = await ownersSale(c, dependencies);
  requireRecent(found.founder, c.req.path);
  const { sale, founder } = found;
  const errors = typedNameErrors(sale, form);
  if (errors.length > 0) return showPage(c, settlementPage(found, errors));
  const request = { saleUuid: sale.uuid, confirmName: sale.definition?.name ?? "" };
  const settled = await resultOrRefusal(() => dependencies.dashboard.sales.settleSale(request, founder.atCommitments));
  if ("refusal" in settled) return showPage(c, settlementPage(found, refusalErrors(settled.refusal, fieldOfTypedName)));
  return c.redirect(`${salePaths(sale.uuid).sale}?done=settled`, 303);
}

/** `GET /dashboard/sales/{uuid}/contract`: checks the contract again. */
export async function showContract(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const { sale } = found;
  const { contractTitle: title, contractPanel, checkAgain } = texts().opening;
  return showPage(
    c,
    dashboardPage({
      title,
      crumbs: saleCrumbs(sale),
      content: html`<div class="page-head"><h1>${title}</h1></div>
<section class="panel" aria-label="${contractPanel}">${contractContent(await checkedContract(found, dependencies))}
<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).contract}">${checkAgain}</a></div></section>`,
    }),
  );
}

async function ownersSale(c: AuthContext, dependencies: DashboardDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  return found;
}

/** A refusal to open a sale. */
interface RefusedOpening {
  readonly errors: FormErrors;
  /** Whether the check of the contract refused it, past which the sale's name leads. */
  readonly byCheck: boolean;
}

const NOT_REFUSED: RefusedOpening = { errors: [], byCheck: false };

async function openingPage(found: FounderSale, dependencies: DashboardDependencies, refused = NOT_REFUSED) {
  const { sale } = found;
  const { errors } = refused;
  const { title, panel, noDraft } = texts().opening;
  const isDraft = sale.status === SaleStatus.DRAFT;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<section class="panel" aria-label="${panel}">
${isDraft ? await draftContent(found, dependencies, refused) : html`<p>${noDraft}</p>`}</section>`,
  });
}

/** The form that opens a draft, or the steps before it can open. */
async function draftContent(
  found: FounderSale,
  dependencies: DashboardDependencies,
  refused: RefusedOpening,
): Promise<Html> {
  const { sale, role } = found;
  const known = await knownSale(found, dependencies, salePaths(sale.uuid).open);
  const list = openingList({ facts: known.facts, role });
  if (mayOpen(known.facts)) return openingForm(found, { known, list, refused });
  // Where applications aren't known now, the list may have no step.
  const isLacking = stepsBeforeOpening(known.facts).length > 0;
  const { lacking, unknown } = texts().opening;
  return html`<p>${isLacking ? lacking : unknown}</p>${list}<div class="aside">${contractContent(known.contract)}</div>`;
}

interface OpeningForm {
  readonly known: KnownSale;
  /** List of what is missing and what is done. */
  readonly list: Html;
  readonly refused: RefusedOpening;
}

/**
 * Returns the form to open a sale. With a wrong contract the open sale stays empty, but the owner may know better than
 * the check: such an opening wants the sale's name typed.
 */
function openingForm({ sale, founder }: FounderSale, { known: { contract }, list, refused }: OpeningForm): Html {
  const { uuid, definition } = sale;
  const wantsName = (contract?.state ?? "good") !== "good" || refused.byCheck;
  const { openAnyway, open, text, anywayText, notYet } = texts().opening;
  const button = wantsName
    ? html`<button class="danger">${openAnyway}</button>`
    : html`<button class="primary fit">${open}</button>`;
  return html`<p>${text}</p>
${definition && factList(definitionLines(definition, definitionStyle()))}
${list}<div class="aside">${contractContent(contract)}${wantsName && html`<p>${anywayText}</p>`}</div>
<form method="post" action="${salePaths(uuid).open}" novalidate>${hiddenFields(OPEN_FORM, founder.sessionToken)}
${wantsName && typedNameField(sale, refused.errors)}
<div class="panel-foot">${button}<a class="button secondary" href="${salePaths(uuid).sale}">${notYet}</a></div></form>`;
}

function contractContent(contract: ContractState | undefined): Html {
  return contract === undefined ? html`<p class="quiet">${texts().opening.noContract}</p>` : contractLines(contract);
}

function settlementPage({ founder, sale }: FounderSale, errors: FormErrors = []) {
  const { settleTitle: title, settlePanel, settleText, settle: settleButton, notYet } = texts().opening;
  const { sale: back, settle } = salePaths(sale.uuid);
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<section class="panel" aria-label="${settlePanel}"><p>${settleText}</p>
<form method="post" action="${settle}" novalidate>${hiddenFields(SETTLE_FORM, founder.sessionToken)}
${typedNameField(sale, errors)}
<div class="panel-foot"><button class="danger">${settleButton}</button><a class="button secondary" href="${back}">${notYet}</a></div></form></section>`,
  });
}
