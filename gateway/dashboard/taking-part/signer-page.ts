import { html } from "hono/html";
import { knowledgeText, leakSteps, nextSteps, type SignerStep } from "../../../common/sale/words/signer-steps.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { tickField } from "../base/choice-fields.ts";
import { copyable, dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { errorSummaryOf, type FormErrors, sentence } from "../base/form-errors.ts";
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
  return dashboardPage({
    title: "Signer",
    errors,
    crumbs: takingPartCrumbs(found),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>Signer</h1></div>
<div class="panels two"><div class="column">
<section class="panel" aria-labelledby="keys"><h2 id="keys">Keys</h2>
${keys.length === 0 ? html`<p>There is none yet. A key signs the permits of this sale and of no other; nobody can read it.</p>` : html`<ul class="list keys">${keys.map((key) => keyItem(key, view))}</ul>`}
${mayChangeNow(found) && !keys.some(({ status }) => status === PermitKeyStatus.NEXT) && creation(found, keys)}</section>
${confirmationPanel(found, found.paths.signer)}</div>
<div class="column"><section class="panel" aria-labelledby="next"><h2 id="next">What to do next</h2>${stepList(nextSteps(keys))}</section>
${active && html`<section class="panel" aria-labelledby="leak"><h2 id="leak">If the active key leaks</h2>${stepList(leakSteps(active))}</section>`}
</div></div>`,
  });
}

function stepList(steps: readonly SignerStep[]): Html {
  return html`<ol class="steps">${steps.map(
    ({ text, call }) => html`<li>${text}${call !== undefined && copyable("The call", call)}</li>`,
  )}</ol>`;
}

const STATUS_TEXTS: Readonly<Partial<Record<PermitKeyStatus, string>>> = {
  [PermitKeyStatus.NEXT]: "Next: it doesn’t sign yet",
  [PermitKeyStatus.ACTIVE]: "Active: it signs",
  [PermitKeyStatus.RETIRED]: "Retired: it signs no more",
};

function keyItem(key: PermitKey, { found }: SignerView): Html {
  const { address, status, chain, createdAt, activatedAt, retiredAt, remote } = key;
  return html`<li><div class="grow">${copyable(STATUS_TEXTS[status] ?? "Unknown", address)}
<p class="${knowledgeClass(key)}">${knowledgeSentence(key)}</p>
<p class="quiet">For ${chain}${remote && ", held by a remote signer"}. Created ${utcTime(createdAt)}${activatedAt && html`, activated ${utcTime(activatedAt)}`}${retiredAt && html`, retired ${utcTime(retiredAt)}`}.</p>
${mayChangeNow(found) && keyForms(key, found)}</div></li>`;
}

function knowledgeClass({ contract }: PermitKey): string {
  if (contract === ContractKnowledge.KNOWN) return "state-good";
  return contract === ContractKnowledge.UNKNOWN_KEY ? "state-bad" : "quiet";
}

function knowledgeSentence(key: PermitKey): string {
  const effect = key.contract === ContractKnowledge.UNKNOWN_KEY ? ", and takes none of its permits" : "";
  return sentence(`the contract ${knowledgeText(key)}${effect}`);
}

function creation(found: TakingPartSale, keys: readonly PermitKey[]): Html {
  const isFirst = keys.length === 0;
  return html`<form method="post" action="${found.paths.signer}">${hiddenFields(SIGNER_FORM, found.founder.sessionToken)}
<div class="panel-foot"><button class="${isFirst ? "primary fit" : "secondary"}" name="do" value="create">${isFirst ? "Create a key" : "Create the next key"}</button></div></form>`;
}

function keyForms(key: PermitKey, found: TakingPartSale): Html {
  const { keyUuid, status, contract, address } = key;
  if (status === PermitKeyStatus.ACTIVE) return html``;
  const hidden = hiddenFields(SIGNER_FORM, found.founder.sessionToken, { key: keyUuid });
  const activation = html`${contract !== ContractKnowledge.KNOWN && tickField({ id: `override-${keyUuid}`, label: "Activate it although the contract may not know it" }, false)}
<button class="primary fit small" name="do" value="activate" aria-label="Activate ${address}">Activate</button>`;
  return html`<form method="post" action="${found.paths.signer}">${hidden}${status === PermitKeyStatus.NEXT && activation}
<button class="danger small" name="do" value="delete" aria-label="Delete ${address}">Delete</button></form>`;
}
