import { html } from "hono/html";
import { rulesLines } from "../../../common/sale/words/rules-lines.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type {
  GetRulesResponse,
  ListFreezesResponse,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { CountPermitsResponse, PermitKey } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { permitted } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { type ContractState, contractState } from "../definition/contract-state.ts";
import { factList } from "../definition/sale-form.ts";
import { permitChart } from "./permit-chart.ts";
import { permitSeries } from "./permit-series.ts";
import { type Requirement, requirementsOf } from "./readiness.ts";
import { unexpiredText } from "./rules-form.ts";
import { type TakingPartSale, takingPartSaleOf } from "./taking-part-sale.ts";

/** Messages about the change that was just made. */
const DONE_TEXTS: Readonly<Record<string, string>> = {
  rules: "The rules are saved.",
};

interface Overview extends TakingPartSale {
  readonly stored: GetRulesResponse;
  readonly counts: CountPermitsResponse;
  readonly keys: readonly PermitKey[];
  readonly freezes: ListFreezesResponse["freezes"];
  readonly contract: ContractState | undefined;
  readonly done: string | undefined;
}

/** `GET …/taking-part` */
export async function showTakingPart(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const { eligibility, permits } = dependencies.entitiesUpstream;
  const request = { saleUuid: found.sale.uuid };
  const [stored, counts, { keys }, { freezes }, contract] = await permitted(() =>
    Promise.all([
      eligibility.getRules(request, found.atEntities),
      permits.countPermits(request, found.atEntities),
      permits.listKeys(request, found.atEntities),
      eligibility.listFreezes(request, found.atEntities),
      contractState(found, dependencies),
    ]),
  );
  const done = DONE_TEXTS[c.req.query("done") ?? ""];
  return showPage(c, overviewPage({ ...found, stored, counts, keys, freezes, contract, done }));
}

function overviewPage(view: Overview) {
  const { sale, paths, role, stored, done } = view;
  const isOn = stored.rules?.enabled ?? false;
  return dashboardPage({
    title: "Taking part",
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}<div class="page-head"><div><h1>Taking part</h1>
<p class="tags"><span class="tag${isOn ? " tag-open" : ""}">${isOn ? "On" : "Off"}</span></p></div>
${role === Role.OWNER && html`<a class="button primary fit" href="${paths.rules}">Change the rules</a>`}</div>
<div class="panels two"><div class="column">
${statePanel(view)}${permitsPanel(view)}${rulesPanel(view)}
</div><div class="column">${signerPanel(view)}${listsPanel(view)}</div></div>`,
  });
}

function statePanel(view: Overview): Html {
  const { sale, stored, keys, contract } = view;
  const { definition } = sale;
  if (definition === undefined || stored.rules === undefined) throw new TypeError("an answer is incomplete");
  const requirements = requirementsOf(definition, stored.rules, keys, contract?.state);
  const isReady = requirements.every(({ isMet }) => isMet);
  const { enabled } = stored.rules;
  const title = isReady ? (enabled ? "Users get permits" : "It can be switched on") : "What is missing";
  return html`<section class="panel" aria-labelledby="state"><h2 id="state">${title}</h2>
<p>${enabled ? ON : OFF}</p>
<ul class="checklist">${requirements.map((requirement) => requirementItem(requirement, view))}</ul></section>`;
}

const ON =
  "While the sale is open, an application can get a purchase permit for a user who may take part. The contract takes bids only with one.";
const OFF = "No permits are issued for this sale. Switch it on in the rules.";

function requirementItem({ isMet, text, at }: Requirement, { role, paths, sale }: Overview): Html {
  if (isMet)
    return html`<li class="met"><span class="mark" role="img" aria-label="Done">✓</span><span>${text}</span></li>`;
  const href = at === "settings" ? salePaths(sale.uuid).settings : paths[at];
  const mayGo = role === Role.OWNER || at === "signer";
  return html`<li class="unmet"><span class="mark" role="img" aria-label="To do">○</span>${mayGo ? html`<a href="${href}">${text}</a>` : html`<span>${text}</span>`}</li>`;
}

function permitsPanel({ counts, paths }: Overview): Html {
  const { permits, unexpired, entities, wallets, hours } = counts;
  const facts = [
    { label: "Issued", text: permits.toLocaleString("en") },
    { label: "Valid now", text: unexpired.toLocaleString("en") },
    { label: "Entities", text: entities.toLocaleString("en") },
    { label: "Wallets", text: wallets.toLocaleString("en") },
  ];
  return html`<section class="panel" aria-labelledby="permits"><h2 id="permits">Permits</h2>
${factList(facts)}
${permits > 0n && permitChart(permitSeries(hours, Date.now()))}
<p class="quiet">${unexpiredText(unexpired)}</p>
<div class="panel-foot"><a class="button secondary small" href="${paths.permits}">All permits</a></div></section>`;
}

function rulesPanel({ stored, units, paths, role }: Overview): Html {
  return html`<section class="panel" aria-labelledby="rules"><h2 id="rules">Rules</h2>
${stored.rules && factList(rulesLines(stored.rules, units))}
${role === Role.OWNER && html`<div class="panel-foot"><a class="button secondary small" href="${paths.rules}">Change the rules</a></div>`}</section>`;
}

function signerPanel({ paths }: Overview): Html {
  return html`<section class="panel" aria-labelledby="signer"><h2 id="signer">Signer</h2>
<p>The key that signs permits, and whether your contract knows it.</p>
<div class="panel-foot"><a class="button secondary small" href="${paths.signer}">Keys</a></div></section>`;
}

function listsPanel({ stored, freezes, paths }: Overview): Html {
  const line = (href: string, name: string, count: string) =>
    html`<li><a href="${href}">${name}</a> <span class="quiet">${count}</span></li>`;
  return html`<section class="panel" aria-labelledby="lists"><h2 id="lists">Lists</h2><ul class="list">
${line(paths.groupMembers, "Members of groups", stored.memberCount.toLocaleString("en"))}
${line(paths.denyList, "Wallets on the deny list", stored.denyListCount.toLocaleString("en"))}
${line(paths.freezes, "Frozen entities", freezes.length.toLocaleString("en"))}</ul></section>`;
}
