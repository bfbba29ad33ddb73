import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { endpointState, type WebhookState } from "../../../common/sale/words/webhook-texts.ts";
import type { WebhookEndpoint } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorOf, type FormErrors, sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { WEBHOOKS_FORM } from "./webhooks-form.ts";

/** Returns a webhook with the forms that change it. */
export function endpointItem(endpoint: WebhookEndpoint, found: FounderSale, errors: FormErrors): Html {
  const { url, previousSecretUntil } = endpoint;
  const state = endpointState(endpoint);
  return html`<li class="stacked"><div><p><bdi>${url}</bdi></p>
<p class="${toneClass(state)}">${sentence(texts().webhookState[state.name])}</p>
<p class="quiet">${addedLine(endpoint)}${previousSecretUntil && html` ${fillHtml(texts().webhooks.replaced, { time: utcTime(previousSecretUntil) })}`}</p></div>
${endpointForms(endpoint, found, errors)}</li>`;
}

function addedLine({ createdAt, failingSince }: WebhookEndpoint): Html {
  const { added, addedFailing } = texts().webhooks;
  const time = utcTime(createdAt);
  return failingSince ? fillHtml(addedFailing, { time, since: utcTime(failingSince) }) : fillHtml(added, { time });
}

/** Returns the class of a state's text. */
export function toneClass({ tone }: WebhookState): string {
  if (tone === "neutral") return "quiet";
  return tone === "good" ? "state-good" : "state-bad";
}

function endpointForms(
  { endpointUuid, url, disabledAt }: WebhookEndpoint,
  { sale, founder }: FounderSale,
  errors: FormErrors,
): Html {
  const { webhooks: action } = salePaths(sale.uuid);
  const words = texts().webhooks;
  const hidden = hiddenFields(WEBHOOKS_FORM, founder.sessionToken, { endpoint: endpointUuid });
  const step = (value: string, text: string, kind = "secondary") =>
    html`<button class="${kind} small" name="do" value="${value}" aria-label="${fill(words.stepOf, { step: text, url })}">${text}</button>`;
  const isEnabled = disabledAt === undefined;
  return html`<form class="inline-form" method="post" action="${action}">${hidden}
${isEnabled && step("test", words.sendTest)}
${isEnabled ? step("disable", words.disable) : step("enable", words.enable, "primary fit")}
${step("rotate", words.rotate)}
${step("delete", words.delete, "danger")}</form>
${isEnabled && replayForm(action, hidden, { id: sinceField(endpointUuid), url, error: errorOf(errors, sinceField(endpointUuid)) })}`;
}

/** Returns the ID of the field for the time from which events are sent again. */
export function sinceField(endpointUuid: string): string {
  return `since-${endpointUuid}`;
}

interface ReplayField {
  readonly id: string;
  readonly url: string;
  readonly error: Html | string | undefined;
}

function replayForm(action: string, hidden: Html, { id, url, error }: ReplayField): Html {
  const { replaySince, sendAgainTo, sendAgain } = texts().webhooks;
  return html`<form class="inline-form" method="post" action="${action}" novalidate>${hidden}
<label for="${id}">${replaySince}</label>
<input id="${id}" name="since" type="datetime-local" step="1" autocomplete="off"${error && html` aria-invalid="true" aria-describedby="${id}-error"`}>
<button class="secondary small" name="do" value="replay-since" aria-label="${fill(sendAgainTo, { url })}">${sendAgain}</button>
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}</form>`;
}
