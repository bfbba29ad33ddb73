import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
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
import { pageTexts, texts } from "../base/texts.ts";
import { contractLines } from "../definition/contract-state.ts";
import { definitionStyle } from "../definition/definition-style.ts";
import { factList } from "../definition/sale-form.ts";
import { applicationsList } from "./applications-page.ts";
import { feedLine } from "./feed-line.ts";
import { type KnownSale, knownSale } from "./known-sale.ts";
import { mayDo } from "./next-step.ts";
import { nextSteps, stepsTowardsOpening } from "./next-steps.ts";
import { openingList, openingTitle } from "./opening-list.ts";
import { presentationStyle } from "./presentation-style.ts";
import { removalLink } from "./removal-link.ts";
import { saleTags } from "./sale-tags.ts";
import { figureStats, useStats } from "./stats.ts";
import { stepsList } from "./steps-list.ts";

/** The names of the texts about the change that was just made, by what the address says. */
const DONE = {
  created: "created",
  copied: "copied",
  "copied-sale-only": "copiedAlone",
  settings: "settingsSaved",
  opened: "opened",
  settled: "settled",
  withdrawn: "withdrawn",
} as const;

interface SaleView extends FounderSale, KnownSale {
  readonly done: string | undefined;
  readonly publicUrl: string;
}

/** `GET /dashboard/sales/{uuid}`. What a service doesn't answer in time is shown as not known. */
export async function showSale(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const known = await knownSale(found, dependencies, c.req.path);
  const publicUrl = dependencies.config.publicBaseUrl + publicSalePath(found.sale.uuid);
  return showPage(c, salePage({ ...found, ...known, publicUrl, done: doneText(c.req.query("done") ?? "") }));
}

function doneText(done: string): string | undefined {
  return Object.hasOwn(DONE, done) ? texts().saleOverview[DONE[done as keyof typeof DONE]] : undefined;
}

/** How it is going, and what to do next; everything else has a page of its own, which the menu leads to. */
function salePage(view: SaleView) {
  const { sale, role, done } = view;
  const name = sale.definition?.name ?? sale.uuid;
  const isDraft = sale.status === SaleStatus.DRAFT;
  return dashboardPage({
    title: name,
    crumbs: [{ href: DASHBOARD_PATH, text: pageTexts().frame.mySales }],
    content: html`${doneLine(done)}
<div class="page-head"><div><h1><bdi>${name}</bdi></h1>
<p class="tags">${saleTags(sale)} <span class="tag">${fill(texts().saleOverview.you, { role: roleText(role).name })}</span></p></div>${mainAction(view)}</div>
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
  const { settle } = salePaths(sale.uuid);
  if (sale.status === SaleStatus.OPEN) {
    // A contract that reports its stage also reports its settlement.
    const mayBeSettled = role === Role.OWNER && sale.stage === SaleStage.UNSPECIFIED;
    return mayBeSettled
      ? html`<a class="button secondary" href="${settle}">${texts().saleOverview.settle}</a>`
      : html``;
  }
  if (sale.status !== SaleStatus.DRAFT) return html``;
  const [first] = stepsTowardsOpening(facts);
  if (first === undefined || !mayDo(first, role)) return html``;
  return html`<a class="button primary fit" href="${first.href}">${first.text}</a>`;
}

/** The steps of a draft: those before it can open, what they wait for, what people would like to read, and what is done already. */
function draftPanel(view: SaleView): Html {
  const { sale, facts, role } = view;
  const others = nextSteps(facts, Date.now()).filter(({ isUrgent }) => !isUrgent);
  const { preview } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="checklist"><h2 id="checklist">${openingTitle(facts)}</h2>
${openingList({ facts, role, further: others })}
<div class="panel-foot"><a class="button secondary small" href="${preview}">${texts().saleOverview.preview}</a></div></section>`;
}

/** Returns the next steps of a sale that was opened; nothing where there are none. */
function nextPanel({ facts, role }: SaleView): Html {
  const steps = nextSteps(facts, Date.now());
  if (steps.length === 0) return html``;
  return html`<section class="panel" aria-labelledby="next"><h2 id="next">${texts().saleOverview.next}</h2>${stepsList(steps, role)}</section>`;
}

function figuresPanel({ sale, facts, publicUrl, role }: SaleView): Html {
  const { figures, noFigures, publicPage, withdrawnText } = texts().saleOverview;
  if (sale.status === SaleStatus.WITHDRAWN) {
    return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">${texts().saleStatus.withdrawn}</h2>
<p>${withdrawnText}</p></section>`;
  }
  const { downloads, days, importCommitments } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">${figures}</h2>
${facts.figures === null && html`<p>${noFigures}</p>`}${figureStats(facts)}${feedLine(sale)}
${useStats(facts)}
<div class="panel-foot"><a class="button primary fit" href="${publicUrl}">${publicPage}</a>
<a class="button secondary" href="${days}">${texts().days.title}</a>
<a class="button secondary" href="${downloads}">${texts().downloads.title}</a>
${role === Role.OWNER && isFed(sale) && html`<a class="button secondary" href="${importCommitments}">${texts().commitmentImport.title}</a>`}</div></section>`;
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
  const { contract: title, setContract, setAnother } = texts().saleOverview;
  const change = html`<a href="${settings}#address">${contract === undefined ? setContract : setAnother}</a>`;
  return html`<section class="panel" aria-labelledby="source"><h2 id="source">${title}</h2>
${contract === undefined ? html`<p class="quiet">${texts().opening.noContract}</p>` : contractLines(contract, contractState)}
<p class="links">${contract !== undefined && html`<a href="${check}">${texts().nextStep.checkContract}</a>`}${isDraft && role >= Role.EDITOR && change}</p></section>`;
}

function applicationsPanel({ sale, clients, role }: SaleView): Html {
  const { newApplication } = salePaths(sale.uuid);
  const mayAdd = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN && clients?.length !== 0;
  return html`<section class="panel" aria-labelledby="applications"><h2 id="applications">${texts().menu.applications}</h2>
${applicationsList(sale.uuid, clients)}
${mayAdd && html`<p class="links"><a href="${newApplication}">${texts().saleOverview.addAnother}</a></p>`}</section>`;
}

/** All that was entered about the sale, for those who look for one of it. */
function settingsPanel({ sale, role }: SaleView): Html {
  const { settings, presentation, copy } = salePaths(sale.uuid);
  const lines = presentationLines(sale.definition ?? {}, presentationStyle());
  const mayChange = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN;
  const words = texts().saleOverview;
  return html`<section class="panel" aria-labelledby="settings"><h2 id="settings">${words.settings}</h2>
<details><summary>${texts().menu.settings}</summary>${sale.definition && factList(definitionLines(sale.definition, definitionStyle()))}
${mayChange && html`<p class="links"><a href="${settings}">${words.changeSettings}</a></p>`}</details>
<details><summary>${words.presentation}</summary>${lines.length === 0 ? html`<p class="quiet">${words.noPresentation}</p>` : factList(lines)}
${mayChange && html`<p class="links"><a href="${presentation}">${words.changePresentation}</a></p>`}</details>
${role >= Role.EDITOR && sale.tenancy !== Tenancy.TEST && html`<p class="links"><a href="${copy}">${words.copyLive}</a></p>`}</section>`;
}

/** The copy of a test sale, and the end of a sale. */
function endPanel({ sale, role }: SaleView): Html {
  const { copy, remove } = salePaths(sale.uuid);
  const isTest = sale.tenancy === Tenancy.TEST;
  const words = texts().saleOverview;
  const removal = role === Role.OWNER ? removalLink(sale) : undefined;
  if (!isTest && removal === undefined) return html``;
  return html`<section class="panel" aria-labelledby="end"><h2 id="end">${isTest ? words.whenItWorks : words.end}</h2>
${isTest && html`<p>${words.copyText}</p>`}
<div class="panel-foot">${isTest && html`<a class="button secondary small" href="${copy}">${words.copy}</a>`}
${removal !== undefined && html`<a class="button danger small" href="${remove}">${removal}</a>`}</div></section>`;
}
