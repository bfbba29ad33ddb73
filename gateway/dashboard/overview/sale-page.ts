import { html } from "hono/html";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { definitionLines } from "../../../common/sale/words/definition-lines.ts";
import { presentationLines } from "../../../common/sale/words/presentation-lines.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { publicSalePath, salePaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { roleText } from "../base/role-text.ts";
import { contractLines } from "../definition/contract-state.ts";
import { factList } from "../definition/sale-form.ts";
import { applicationsList } from "./applications-page.ts";
import { feedLine } from "./feed-line.ts";
import { type KnownSale, knownSale } from "./known-sale.ts";
import { mayDo } from "./next-step.ts";
import { isOpeningKnown, nextSteps, stepsBeforeOpening } from "./next-steps.ts";
import { openingList } from "./opening-list.ts";
import { removalLink } from "./removal-link.ts";
import { saleTags } from "./sale-tags.ts";
import { figureStats, useStats } from "./stats.ts";
import { stepsList } from "./steps-list.ts";

/** Messages of a sale's page about the change that was just made. */
const DONE_TEXTS: Readonly<Record<string, string>> = {
  created: "The sale is created, as a draft.",
  copied: "The live sale is created, as a draft, with copies of the applications. Add their redirect URIs.",
  "copied-sale-only": "The live sale is created, as a draft. The applications couldn’t be copied: add them again.",
  settings: "The settings are saved.",
  opened: "The sale is open.",
  settled: "The sale is settled.",
  withdrawn: "The sale is withdrawn. The owners are notified by e-mail.",
};

interface SaleView extends FounderSale, KnownSale {
  readonly done: string | undefined;
  readonly publicUrl: string;
}

/** `GET /dashboard/sales/{uuid}`. What a service doesn't answer in time is shown as not known. */
export async function showSale(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const known = await knownSale(found, dependencies, c.req.path);
  const publicUrl = dependencies.config.publicBaseUrl + publicSalePath(found.sale.uuid);
  return showPage(c, salePage({ ...found, ...known, publicUrl, done: DONE_TEXTS[c.req.query("done") ?? ""] }));
}

/** How it is going, and what to do next; everything else has a page of its own, which the menu leads to. */
function salePage(view: SaleView) {
  const { sale, role, done } = view;
  const name = sale.definition?.name ?? sale.uuid;
  const isDraft = sale.status === SaleStatus.DRAFT;
  return dashboardPage({
    title: name,
    crumbs: [{ href: DASHBOARD_PATH, text: "My sales" }],
    content: html`${doneLine(done)}
<div class="page-head"><div><h1><bdi>${name}</bdi></h1>
<p class="tags">${saleTags(sale)} <span class="tag">You: ${roleText(role).name}</span></p></div>${mainAction(view)}</div>
<div class="panels two"><div class="column">
${isDraft ? draftPanel(view) : html`${figuresPanel(view)}${nextPanel(view)}`}
</div><div class="column">
${sourcePanel(view)}
${applicationsPanel(view)}
${settingsPanel(view)}
${endPanel(view)}
</div></div>`,
  });
}

/** Returns the first step of a draft that the reader may do, as the list of steps has it, or the settlement of an open sale. */
function mainAction({ sale, facts, role }: SaleView): Html {
  const { open, settle } = salePaths(sale.uuid);
  if (sale.status === SaleStatus.OPEN) {
    // A contract that reports its stage also reports its settlement.
    const mayBeSettled = role === Role.OWNER && sale.stage === SaleStage.UNSPECIFIED;
    return mayBeSettled ? html`<a class="button secondary" href="${settle}">Settle…</a>` : html``;
  }
  if (sale.status !== SaleStatus.DRAFT) return html``;
  const [first] = nextSteps(facts, Date.now()).filter(({ isUrgent, href }) => isUrgent || href === open);
  if (first === undefined || !mayDo(first, role)) return html``;
  return html`<a class="button primary fit" href="${first.href}">${first.text}</a>`;
}

/** The steps of a draft: those before it can open, what they wait for, what people would like to read, and what is done already. */
function draftPanel(view: SaleView): Html {
  const { sale, facts, role } = view;
  const others = nextSteps(facts, Date.now()).filter(({ isUrgent }) => !isUrgent);
  const { open, preview } = salePaths(sale.uuid);
  const isReady =
    isOpeningKnown(facts) && stepsBeforeOpening(facts).length === 0 && others.some(({ href }) => href === open);
  return html`<section class="panel" aria-labelledby="checklist"><h2 id="checklist">${isReady ? "It can open" : "Before it can open"}</h2>
${openingList({ facts, role, further: others })}
<div class="panel-foot"><a class="button secondary small" href="${preview}">Preview the public page</a></div></section>`;
}

/** Returns the next steps of a sale that was opened; nothing where there are none. */
function nextPanel({ facts, role }: SaleView): Html {
  const steps = nextSteps(facts, Date.now());
  if (steps.length === 0) return html``;
  return html`<section class="panel" aria-labelledby="next"><h2 id="next">What to do next</h2>${stepsList(steps, role)}</section>`;
}

function figuresPanel({ sale, facts, publicUrl, role }: SaleView): Html {
  if (sale.status === SaleStatus.WITHDRAWN) {
    return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">Withdrawn</h2>
<p>Nobody finds this sale in public any more, and its applications sign nobody in. Its members still see it here.</p></section>`;
  }
  const { downloads, days, importCommitments } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">Figures</h2>
${facts.figures === null && html`<p>There are none yet: the contract hasn’t been read.</p>`}${figureStats(facts)}${feedLine(sale)}
${useStats(facts)}
<div class="panel-foot"><a class="button primary fit" href="${publicUrl}">Public page</a>
<a class="button secondary" href="${days}">Day by day</a>
<a class="button secondary" href="${downloads}">Download all commitments</a>
${role === Role.OWNER && isFed(sale) && html`<a class="button secondary" href="${importCommitments}">Import commitments</a>`}</div></section>`;
}

/** Whether the commitments of a sale come from a service or from files, and not from a contract. */
function isFed({ definition }: Sale): boolean {
  return definition?.source.case === undefined;
}

/** The contract and its state. A withdrawn sale is read no more. */
function sourcePanel({ sale, contract, role }: SaleView): Html {
  const isDraft = sale.status === SaleStatus.DRAFT;
  if (!isDraft && (contract === undefined || publicStatus(sale.status) === undefined)) return html``;
  const { contract: check, contractState, settings } = salePaths(sale.uuid);
  const change = html`<a href="${settings}#address">${contract === undefined ? "Set a contract" : "Set another contract"}</a>`;
  return html`<section class="panel" aria-labelledby="source"><h2 id="source">Contract</h2>
${contract === undefined ? html`<p class="quiet">No contract is set: one of your services sends the commitments.</p>` : contractLines(contract, contractState)}
<p class="links">${contract !== undefined && html`<a href="${check}">Check the contract now</a>`}${isDraft && role >= Role.EDITOR && change}</p></section>`;
}

function applicationsPanel({ sale, clients, role }: SaleView): Html {
  const { newApplication } = salePaths(sale.uuid);
  const mayAdd = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN && clients?.length !== 0;
  return html`<section class="panel" aria-labelledby="applications"><h2 id="applications">Applications</h2>
${applicationsList(sale.uuid, clients)}
${mayAdd && html`<p class="links"><a href="${newApplication}">Add another application</a></p>`}</section>`;
}

/** All that was entered about the sale, for those who look for one of it. */
function settingsPanel({ sale, role }: SaleView): Html {
  const { settings, presentation } = salePaths(sale.uuid);
  const lines = presentationLines(sale.definition ?? {});
  const mayChange = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN;
  return html`<section class="panel" aria-labelledby="settings"><h2 id="settings">What is set</h2>
<details><summary>Settings</summary>${sale.definition && factList(definitionLines(sale.definition))}
${mayChange && html`<p class="links"><a href="${settings}">Change settings</a></p>`}</details>
<details><summary>What people read</summary>${lines.length === 0 ? html`<p class="quiet">Nothing yet but its name and figures.</p>` : factList(lines)}
${mayChange && html`<p class="links"><a href="${presentation}">Change what people read</a></p>`}</details></section>`;
}

/** The copy of a test sale, and the end of a sale. */
function endPanel({ sale, role }: SaleView): Html {
  const { copy, remove } = salePaths(sale.uuid);
  const isTest = sale.tenancy === Tenancy.TEST;
  const removal = role === Role.OWNER ? removalLink(sale) : undefined;
  if (!isTest && removal === undefined) return html``;
  return html`<section class="panel" aria-labelledby="end"><h2 id="end">${isTest ? "When it works" : "End this sale"}</h2>
${isTest && html`<p>A test sale can’t become a live one. Copy it as a live sale, with its settings and applications.</p>`}
<div class="panel-foot">${isTest && html`<a class="button secondary small" href="${copy}">Copy as live</a>`}
${removal !== undefined && html`<a class="button danger small" href="${remove}">${removal}</a>`}</div></section>`;
}
