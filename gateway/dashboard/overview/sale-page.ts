import { html } from "hono/html";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { definitionLines } from "../../../common/sale/words/definition-lines.ts";
import { presentationLines } from "../../../common/sale/words/presentation-lines.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { squareLogo } from "../../web/pages/requesting-application.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { applicationPaths, publicSalePath, salePaths } from "../base/dashboard-paths.ts";
import { sentence } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { roleText } from "../base/role-text.ts";
import { contractLines } from "../definition/contract-state.ts";
import { factList } from "../definition/sale-form.ts";
import { type DeveloperView, developerPanel } from "./developer-panel.ts";
import { feedLine } from "./feed-line.ts";
import { type KnownSale, knownSale } from "./known-sale.ts";
import { mayDo } from "./next-step.ts";
import { isOpeningKnown, nextSteps } from "./next-steps.ts";
import { openingList } from "./opening-list.ts";
import { removalLink } from "./removal-link.ts";
import { saleTags } from "./sale-tags.ts";
import { figureStats, permitStats, signInStats } from "./stats.ts";
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

interface SaleView extends FounderSale, DeveloperView, KnownSale {
  readonly done: string | undefined;
}

/** `GET /dashboard/sales/{uuid}`. What a service doesn't answer in time is shown as not known. */
export async function showSale(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  const { uuid: saleUuid } = found.sale;
  const known = await knownSale(found, dependencies, c.req.path);
  const { publicBaseUrl } = dependencies.config;
  const { publicReadPath, saleScriptPath, docsPath } = dependencies.dashboard;
  const view: SaleView = {
    ...found,
    ...known,
    done: DONE_TEXTS[c.req.query("done") ?? ""],
    publicUrl: publicBaseUrl + publicSalePath(saleUuid),
    readUrl: publicBaseUrl + publicReadPath,
    scriptUrl: publicBaseUrl + saleScriptPath,
    docsUrl: publicBaseUrl + docsPath,
  };
  return showPage(c, salePage(view));
}

function salePage(view: SaleView) {
  const { sale, role, done } = view;
  const name = sale.definition?.name ?? sale.uuid;
  return dashboardPage({
    title: name,
    crumbs: [{ href: DASHBOARD_PATH, text: "My sales" }],
    content: html`${doneLine(done)}
<div class="page-head"><div><h1><bdi>${name}</bdi></h1>
<p class="tags">${saleTags(sale)} <span class="tag">You: ${roleText(role).name}</span></p></div>${mainAction(view)}</div>
<div class="panels two"><div class="column">
${sale.status === SaleStatus.DRAFT ? draftPanel(view) : html`${figuresPanel(view)}${nextPanel(view)}`}
${applicationsPanel(view)}
${takingPartPanel(view)}
${aboutPanel(view)}
${settingsPanel(view)}
</div><div class="column">
${developerPanel(view)}
${webhooksPanel(view)}
${sourcePanel(view)}
${peoplePanel(view)}
${morePanel(view)}
${removalPanel(view)}
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

/** The steps of a draft: those before it can open, what is done already, and what people would like to read. */
function draftPanel(view: SaleView): Html {
  const { sale, facts, role } = view;
  const steps = nextSteps(facts, Date.now());
  const urgent = steps.filter(({ isUrgent }) => isUrgent);
  const others = steps.filter(({ isUrgent }) => !isUrgent);
  const { open } = salePaths(sale.uuid);
  const isReady = isOpeningKnown(facts) && urgent.length === 0 && others.some(({ href }) => href === open);
  return html`<section class="panel" aria-labelledby="checklist"><h2 id="checklist">${isReady ? "It can open" : "Before it can open"}</h2>
${openingList(view)}
${draftContract(view)}
${others.length > 0 && html`<div class="aside"><h3>${isReady ? "What to do next" : "Also worth doing"}</h3>${stepsList(others, role)}</div>`}</section>`;
}

/** Returns the next steps of a sale that was opened; nothing where there are none. */
function nextPanel({ facts, role }: SaleView): Html {
  const steps = nextSteps(facts, Date.now());
  if (steps.length === 0) return html``;
  return html`<section class="panel" aria-labelledby="next"><h2 id="next">What to do next</h2>${stepsList(steps, role)}</section>`;
}

function draftContract({ sale, contract, role }: SaleView): Html {
  if (contract === undefined) {
    return html`<p class="quiet panel-foot">No contract is set: one of your services sends the commitments.</p>`;
  }
  const { contract: check, settings } = salePaths(sale.uuid);
  const change = html`<a href="${settings}#address">Set another contract</a>`;
  return html`<div class="aside">${contractLines(contract, salePaths(sale.uuid).contractState)}
<p class="links"><a href="${check}">Check the contract now</a>${role >= Role.EDITOR && change}</p></div>`;
}

function figuresPanel({ sale, facts, publicUrl, role }: SaleView): Html {
  if (sale.status === SaleStatus.WITHDRAWN) {
    return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">Withdrawn</h2>
<p>Nobody finds this sale in public any more, and its applications sign nobody in. Its members still see it here.</p></section>`;
  }
  return html`<section class="panel" aria-labelledby="figures"><h2 id="figures">Figures</h2>
${facts.figures === null && html`<p>There are none yet: the contract hasn’t been read.</p>`}${figureStats(facts)}${feedLine(sale)}
<div class="panel-foot"><a class="button primary fit" href="${publicUrl}">Public page</a>
<a class="button secondary" href="${salePaths(sale.uuid).downloads}">Download all commitments</a>
${role === Role.OWNER && isFed(sale) && html`<a class="button secondary" href="${salePaths(sale.uuid).importCommitments}">Import commitments</a>`}</div></section>`;
}

/** Whether the commitments of a sale come from a service or from files, and not from a contract. */
function isFed({ definition }: Sale): boolean {
  return definition?.source.case === undefined;
}

function applicationsPanel(view: SaleView): Html {
  const { sale, clients, role, facts } = view;
  const { newApplication } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="applications"><h2 id="applications">Applications</h2>
${applicationsList(view)}
${sale.status !== SaleStatus.DRAFT && signInStats(facts)}
${mayChange(sale, role) && clients !== undefined && clients.length > 0 && html`<div class="panel-foot"><a class="button secondary small" href="${newApplication}">Add an application</a></div>`}</section>`;
}

function applicationsList({ sale, clients }: SaleView): Html {
  if (clients === undefined)
    return html`<p class="quiet">They aren’t known now. Please reload the page in a moment.</p>`;
  if (clients.length === 0) {
    return html`<p>The application that your users sign in to: your portal, or the site of the sale.</p>`;
  }
  const items = clients.map(({ uuid, definition, squareLogo: logo, obstacles }) => {
    const { application } = applicationPaths(sale.uuid, uuid);
    return html`<li>${squareLogo(logo)}<div class="grow"><p><a href="${application}"><bdi>${definition?.name}</bdi></a></p>
<p class="quiet">${obstacles.length === 0 ? "Ready to sign users in" : sentence(`it ${obstacles.join(", ")}`)}</p></div></li>`;
  });
  return html`<ul class="list">${items}</ul>`;
}

function takingPartPanel({ sale, facts }: SaleView): Html {
  if (!facts.hasTakingPart) return html``;
  return html`<section class="panel" aria-labelledby="taking-part"><h2 id="taking-part">Taking part</h2>
<p>Who may take part, when and with how much, and the purchase permits that your contract wants for that.</p>
${sale.status !== SaleStatus.DRAFT && permitStats(facts)}
<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).takingPart}">Rules, lists and permits</a></div></section>`;
}

function aboutPanel({ sale, role }: SaleView): Html {
  const lines = presentationLines(sale.definition ?? {});
  const { presentation, preview } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="about"><h2 id="about">About the sale</h2>
${lines.length === 0 ? html`<p>A description, your site, the symbol of your token and times: what people read about the sale.</p>` : factList(lines)}
<div class="panel-foot">${mayChange(sale, role) && html`<a class="button secondary small" href="${presentation}">Change what people read</a>`}
${sale.status === SaleStatus.DRAFT && html`<a class="button secondary small" href="${preview}">Preview the public page</a>`}</div></section>`;
}

function settingsPanel({ sale, role }: SaleView): Html {
  return html`<section class="panel" aria-labelledby="settings"><h2 id="settings">Settings</h2>
${sale.definition && factList(definitionLines(sale.definition))}
${mayChange(sale, role) && html`<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).settings}">Change settings</a></div>`}</section>`;
}

function mayChange({ status }: Sale, role: Role): boolean {
  return role >= Role.EDITOR && status !== SaleStatus.WITHDRAWN;
}

function webhooksPanel({ sale, role }: SaleView): Html {
  if (!mayChange(sale, role)) return html``;
  return html`<section class="panel" aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2>
<p>We notify your own server when the sale opens, changes its stage, stands still or is settled.</p>
<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).webhooks}">Webhooks and their log</a></div></section>`;
}

function sourcePanel({ sale, contract }: SaleView): Html {
  if (contract === undefined || publicStatus(sale.status) === undefined) return html``;
  return html`<section class="panel" aria-labelledby="source"><h2 id="source">Contract</h2>
${contractLines(contract, salePaths(sale.uuid).contractState)}</section>`;
}

function peoplePanel({ sale, members }: SaleView): Html {
  const { members: path, log } = salePaths(sale.uuid);
  return html`<section class="panel" aria-labelledby="people"><h2 id="people">People</h2>
<p>${members.length === 1 ? "One person" : `${members.length} people`} can see this sale here.</p>
<div class="panel-foot"><a class="button secondary small" href="${path}">Members</a>
<a class="button secondary small" href="${log}">What was done</a></div></section>`;
}

function removalPanel({ sale, role }: SaleView): Html {
  const text = removalLink(sale);
  if (role !== Role.OWNER || text === undefined) return html``;
  return html`<section class="panel" aria-labelledby="removal"><h2 id="removal">End this sale</h2>
<div class="panel-foot"><a class="button danger small" href="${salePaths(sale.uuid).remove}">${text}</a></div></section>`;
}

function morePanel({ sale }: SaleView): Html {
  if (sale.tenancy !== Tenancy.TEST) return html``;
  return html`<section class="panel" aria-labelledby="copy"><h2 id="copy">When it works</h2>
<p>A test sale can’t become a live one. Copy it as a live sale, with its settings and applications.</p>
<div class="panel-foot"><a class="button secondary small" href="${salePaths(sale.uuid).copy}">Copy as live</a></div></section>`;
}
