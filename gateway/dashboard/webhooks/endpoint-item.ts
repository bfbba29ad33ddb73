import { html } from "hono/html";
import { endpointState, type WebhookState } from "../../../common/sale/words/webhook-texts.ts";
import type { WebhookEndpoint } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorOf, type FormErrors, sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { WEBHOOKS_FORM } from "./webhooks-form.ts";

/** Returns a webhook with the forms that change it. */
export function endpointItem(endpoint: WebhookEndpoint, found: FounderSale, errors: FormErrors): Html {
  const { url, createdAt, failingSince, previousSecretUntil } = endpoint;
  const state = endpointState(endpoint);
  return html`<li class="stacked"><div><p><bdi>${url}</bdi></p>
<p class="${toneClass(state)}">${sentence(state.text)}</p>
<p class="quiet">Added ${utcTime(createdAt)}${failingSince && html`; nothing has arrived since ${utcTime(failingSince)}`}.
${previousSecretUntil && html` The replaced secret signs until ${utcTime(previousSecretUntil)}.`}</p></div>
${endpointForms(endpoint, found, errors)}</li>`;
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
  const hidden = hiddenFields(WEBHOOKS_FORM, founder.sessionToken, { endpoint: endpointUuid });
  const step = (value: string, text: string, kind = "secondary") =>
    html`<button class="${kind} small" name="do" value="${value}" aria-label="${text}: ${url}">${text}</button>`;
  const isEnabled = disabledAt === undefined;
  return html`<form class="inline-form" method="post" action="${action}">${hidden}
${isEnabled && step("test", "Send a test event")}
${isEnabled ? step("disable", "Disable") : step("enable", "Enable", "primary fit")}
${step("rotate", "Replace the secret")}
${step("delete", "Delete", "danger")}</form>
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
  return html`<form class="inline-form" method="post" action="${action}" novalidate>${hidden}
<label for="${id}">Send again all events since (UTC)</label>
<input id="${id}" name="since" type="datetime-local" step="1" autocomplete="off"${error && html` aria-invalid="true" aria-describedby="${id}-error"`}>
<button class="secondary small" name="do" value="replay-since" aria-label="Send again to ${url}">Send again</button>
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}</form>`;
}
