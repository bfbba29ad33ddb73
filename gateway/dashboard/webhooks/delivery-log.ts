import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { answerText, deliveryState } from "../../../common/sale/words/webhook-texts.ts";
import {
  type WebhookDelivery,
  WebhookDeliveryStatus,
  type WebhookEndpoint,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { toneClass } from "./endpoint-item.ts";
import { WEBHOOKS_FORM } from "./webhooks-form.ts";

export interface LogView {
  readonly found: FounderSale;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly deliveries: readonly WebhookDelivery[];
  readonly nextPageToken: string;
}

/** Returns the log of what was sent, the latest event first; nothing before the first event. */
export function deliveryLog(view: LogView): Html {
  const { found, deliveries, nextPageToken } = view;
  if (deliveries.length === 0) return html``;
  const older = `${salePaths(found.sale.uuid).webhooks}?${new URLSearchParams({ before: nextPageToken })}`;
  const words = texts().webhooks;
  const { event, to, state, attempt, lastAnswer, nextAttempt, again } = words;
  const names = [event, to, state, attempt, lastAnswer, nextAttempt, again];
  return html`<section class="panel" aria-labelledby="log"><h2 id="log">${words.log}</h2>
<div class="scroller" tabindex="0" role="region" aria-label="${words.table}"><table class="figures"><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${deliveries.map((delivery) => deliveryRow(delivery, view))}</tbody></table></div>
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${older}">${words.older}</a></div>`}</section>`;
}

function deliveryRow(delivery: WebhookDelivery, { found, endpoints }: LogView): Html {
  const { eventType, eventAt, eventUuid, endpointUuid, attempts, lastAttemptAt, nextAttemptAt, status } = delivery;
  const endpoint = endpoints.find((each) => each.endpointUuid === endpointUuid);
  const state = deliveryState(delivery);
  const answer = answerText(delivery);
  const mayBeSent = endpoint !== undefined && endpoint.disabledAt === undefined;
  const isWaiting = status === WebhookDeliveryStatus.PENDING && attempts === 0;
  return html`<tr><th scope="row"><bdi>${eventType}</bdi><br>${utcTime(eventAt)}</th><td><bdi>${URL.parse(endpoint?.url ?? "")?.host ?? ""}</bdi></td>
<td class="${toneClass(state)}">${sentence(texts().webhookState[state.name])}</td><td>${attempts}</td>
<td>${answer === "" ? texts().webhooks.noneYet : html`<bdi>${answer}</bdi><br>${utcTime(lastAttemptAt)}`}</td>
<td>${nextAttemptAt === undefined ? texts().webhooks.noNext : utcTime(nextAttemptAt)}</td>
<td>${mayBeSent && !isWaiting && againForm(found, { endpoint: endpointUuid, event: eventUuid }, eventType)}</td></tr>`;
}

function againForm({ sale, founder }: FounderSale, fields: Readonly<Record<string, string>>, type: string): Html {
  return html`<form method="post" action="${salePaths(sale.uuid).webhooks}">${hiddenFields(WEBHOOKS_FORM, founder.sessionToken, fields)}
<button class="secondary small" name="do" value="replay-event" aria-label="${fill(texts().webhooks.sendAgainOf, { event: type })}">${texts().webhooks.sendAgain}</button></form>`;
}
