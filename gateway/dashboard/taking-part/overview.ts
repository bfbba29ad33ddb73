import { html } from "hono/html";
import { countText } from "../../../common/sale/words/number-text.ts";
import { rulesLines } from "../../../common/sale/words/rules-lines.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type {
  GetRulesResponse,
  ListFreezesResponse,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { CountPermitsResponse, PermitKey } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { permitted } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { type ContractState, contractState } from "../definition/contract-state.ts";
import { factList } from "../definition/sale-form.ts";
import { permitChart } from "./permit-chart.ts";
import { permitSeries } from "./permit-series.ts";
import { type Requirement, requirementsOf } from "./readiness.ts";
import { unexpiredText } from "./rules-form.ts";
import { rulesStyle } from "./rules-style.ts";
import { type TakingPartSale, takingPartSaleOf } from "./taking-part-sale.ts";

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
  const done = c.req.query("done") === "rules" ? texts().takingPart.rulesSaved : undefined;
  return showPage(c, overviewPage({ ...found, stored, counts, keys, freezes, contract, done }));
}

function overviewPage(view: Overview) {
  const { sale, paths, role, stored, done } = view;
  const isOn = stored.rules?.enabled ?? false;
  const words = texts().takingPart;
  return dashboardPage({
    title: words.title,
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}<div class="page-head"><div><h1>${words.title}</h1>
<p class="tags"><span class="tag${isOn ? " tag-open" : ""}">${isOn ? words.on : words.off}</span></p></div>
${role === Role.OWNER && html`<a class="button primary fit" href="${paths.rules}">${words.changeRules}</a>`}</div>
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
  const words = texts().takingPart;
  const title = isReady ? (enabled ? words.isReadyAndOn : words.isReady) : words.isMissing;
  return html`<section class="panel" aria-labelledby="state"><h2 id="state">${title}</h2>
<p>${enabled ? words.onText : words.offText}</p>
<ul class="checklist">${requirements.map((requirement) => requirementItem(requirement, view))}</ul></section>`;
}

function requirementItem({ isMet, text, at }: Requirement, { role, paths, sale }: Overview): Html {
  const { done, toDo } = texts().takingPart;
  if (isMet)
    return html`<li class="met"><span class="mark" role="img" aria-label="${done}">✓</span><span>${text}</span></li>`;
  const href = at === "settings" ? salePaths(sale.uuid).settings : paths[at];
  const mayGo = role === Role.OWNER || at === "signer";
  return html`<li class="unmet"><span class="mark" role="img" aria-label="${toDo}">○</span>${mayGo ? html`<a href="${href}">${text}</a>` : html`<span>${text}</span>`}</li>`;
}

function permitsPanel({ counts, paths }: Overview): Html {
  const { permits, unexpired, entities, wallets, hours } = counts;
  const words = texts().takingPart;
  const number = (value: bigint) => countText(value, pageLanguage());
  const facts = [
    { label: words.issued, text: number(permits) },
    { label: words.validNow, text: number(unexpired) },
    { label: words.entities, text: number(entities) },
    { label: words.wallets, text: number(wallets) },
  ];
  return html`<section class="panel" aria-labelledby="permits"><h2 id="permits">${words.permits}</h2>
${factList(facts)}
${permits > 0n && permitChart(permitSeries(hours, Date.now()))}
<p class="quiet">${unexpiredText(unexpired)}</p>
<div class="panel-foot"><a class="button secondary small" href="${paths.permits}">${words.allPermits}</a></div></section>`;
}

function rulesPanel({ stored, units, paths, role }: Overview): Html {
  const { rules, changeRules } = texts().takingPart;
  return html`<section class="panel" aria-labelledby="rules"><h2 id="rules">${rules}</h2>
${stored.rules && factList(rulesLines(stored.rules, units, rulesStyle()))}
${role === Role.OWNER && html`<div class="panel-foot"><a class="button secondary small" href="${paths.rules}">${changeRules}</a></div>`}</section>`;
}

function signerPanel({ paths }: Overview): Html {
  const { signer, signerText, keys } = texts().takingPart;
  return html`<section class="panel" aria-labelledby="signer"><h2 id="signer">${signer}</h2>
<p>${signerText}</p>
<div class="panel-foot"><a class="button secondary small" href="${paths.signer}">${keys}</a></div></section>`;
}

function listsPanel({ stored, freezes, paths }: Overview): Html {
  const { lists, groupMembers, deniedWallets, frozenEntities } = texts().takingPart;
  const line = (href: string, name: string, count: bigint) =>
    html`<li><a href="${href}">${name}</a> <span class="quiet">${countText(count, pageLanguage())}</span></li>`;
  return html`<section class="panel" aria-labelledby="lists"><h2 id="lists">${lists}</h2><ul class="list">
${line(paths.groupMembers, groupMembers, stored.memberCount)}
${line(paths.denyList, deniedWallets, stored.denyListCount)}
${line(paths.freezes, frozenEntities, BigInt(freezes.length))}</ul></section>`;
}
