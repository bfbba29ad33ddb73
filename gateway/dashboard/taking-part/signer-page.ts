import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { leakSteps, nextSteps, type SignerStep } from "../../../common/sale/words/signer-steps.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { tickField } from "../base/choice-fields.ts";
import { copyable, dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { englishText, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { texts } from "../base/texts.ts";
import { confirmationPanel, mayChangeNow } from "./owner-steps.ts";
import { type TakingPartSale, takingPartCrumbs } from "./taking-part-sale.ts";

export const SIGNER_FORM = "permit keys";

export interface SignerView {
  readonly found: TakingPartSale;
  readonly keys: readonly PermitKey[];
  readonly done?: string | undefined;
  readonly errors?: FormErrors;
}

/** Returns the page about the keys that sign a sale's permits. */
export function signerPage(view: SignerView) {
  const { found, keys, done, errors = [] } = view;
  const active = keys.find(({ status }) => status === PermitKeyStatus.ACTIVE);
  const words = texts().signer;
  const { signerWords } = texts();
  return dashboardPage({
    title: words.title,
    errors,
    crumbs: takingPartCrumbs(found),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${words.title}</h1></div>
<div class="panels two"><div class="column">
<section class="panel" aria-labelledby="keys"><h2 id="keys">${words.keys}</h2>
${keys.length === 0 ? html`<p>${words.none}</p>` : html`<ul class="list keys">${keys.map((key) => keyItem(key, view))}</ul>`}
${mayChangeNow(found) && !keys.some(({ status }) => status === PermitKeyStatus.NEXT) && creation(found, keys)}</section>
${confirmationPanel(found, found.paths.signer)}</div>
<div class="column"><section class="panel" aria-labelledby="next"><h2 id="next">${words.next}</h2>${stepList(nextSteps(keys, signerWords))}</section>
${active && html`<section class="panel" aria-labelledby="leak"><h2 id="leak">${words.leak}</h2>${stepList(leakSteps(active, signerWords))}</section>`}
</div></div>`,
  });
}

function stepList(steps: readonly SignerStep[]): Html {
  return html`<ol class="steps">${steps.map(
    ({ text, call }) => html`<li>${text}${call !== undefined && copyable(texts().signer.call, call)}</li>`,
  )}</ol>`;
}

function keyItem(key: PermitKey, { found }: SignerView): Html {
  const { address, chain, createdAt, activatedAt, retiredAt, remote } = key;
  const words = texts().signer;
  const facts = [
    fill(remote ? words.remote : words.forChain, { chain }),
    fillHtml(words.createdAt, { time: utcTime(createdAt) }),
    ...(activatedAt ? [fillHtml(words.activatedAt, { time: utcTime(activatedAt) })] : []),
    ...(retiredAt ? [fillHtml(words.retiredAt, { time: utcTime(retiredAt) })] : []),
  ];
  return html`<li><div class="grow">${copyable(statusText(key), address)}
<p class="${knowledgeClass(key)}">${knowledgeSentence(key)}</p>
<p class="quiet">${facts.map((fact, index) => html`${index > 0 && " "}${fact}`)}</p>
${mayChangeNow(found) && keyForms(key, found)}</div></li>`;
}

function statusText({ status }: PermitKey): string {
  const { isNext, isActive, isRetired, isUnknown } = texts().signer;
  if (status === PermitKeyStatus.NEXT) return isNext;
  if (status === PermitKeyStatus.ACTIVE) return isActive;
  return status === PermitKeyStatus.RETIRED ? isRetired : isUnknown;
}

function knowledgeClass({ contract }: PermitKey): string {
  if (contract === ContractKnowledge.KNOWN) return "state-good";
  return contract === ContractKnowledge.UNKNOWN_KEY ? "state-bad" : "quiet";
}

function knowledgeSentence({ contract, contractProblem }: PermitKey): Html | string {
  const { known, unknown, unasked, unaskedAs } = texts().signer;
  if (contract === ContractKnowledge.KNOWN) return known;
  if (contract === ContractKnowledge.UNKNOWN_KEY) return unknown;
  if (contractProblem === "") return unasked;
  return fillHtml(unaskedAs, { reason: englishText(contractProblem.replace(/\.$/, "")) });
}

function creation(found: TakingPartSale, keys: readonly PermitKey[]): Html {
  const isFirst = keys.length === 0;
  const { create, createNext } = texts().signer;
  return html`<form method="post" action="${found.paths.signer}">${hiddenFields(SIGNER_FORM, found.founder.sessionToken)}
<div class="panel-foot"><button class="${isFirst ? "primary fit" : "secondary"}" name="do" value="create">${isFirst ? create : createNext}</button></div></form>`;
}

function keyForms(key: PermitKey, found: TakingPartSale): Html {
  const { keyUuid, status, contract, address } = key;
  if (status === PermitKeyStatus.ACTIVE) return html``;
  const words = texts().signer;
  const hidden = hiddenFields(SIGNER_FORM, found.founder.sessionToken, { key: keyUuid });
  const activation = html`${contract !== ContractKnowledge.KNOWN && tickField({ id: `override-${keyUuid}`, label: words.override }, false)}
<button class="primary fit small" name="do" value="activate" aria-label="${fill(words.activateOf, { address })}">${words.activate}</button>`;
  return html`<form method="post" action="${found.paths.signer}">${hidden}${status === PermitKeyStatus.NEXT && activation}
<button class="danger small" name="do" value="delete" aria-label="${fill(words.deleteOf, { address })}">${words.delete}</button></form>`;
}
