import { html } from "hono/html";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type {
  WebhookDelivery,
  WebhookEndpoint,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import { copyable, dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { deliveryLog } from "./delivery-log.ts";
import { endpointItem } from "./endpoint-item.ts";
import { WEBHOOKS_FORM } from "./webhooks-form.ts";

/** The most webhooks of a sale, as the service has it. */
const MAX_ENDPOINTS = 5;

export interface WebhooksView {
  readonly found: FounderSale;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly deliveries: readonly WebhookDelivery[];
  /** Token of the page with older deliveries; empty for none. */
  readonly nextPageToken: string;
  /** The secret that was just made. */
  readonly secret?: { readonly url: string; readonly text: string } | undefined;
  /** Entry for the URL of a new webhook. */
  readonly url?: string;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** Returns the page about the webhooks of a sale. */
export function webhooksPage(view: WebhooksView): Page {
  const { found, endpoints, errors = [], done } = view;
  const { title, intro, howTo, all, none } = texts().webhooks;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(found.sale),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">${intro} <a href="${GUIDE_PATH}/webhooks">${howTo}</a></p>
<div class="column">${secretPanel(view)}
<section class="panel" aria-labelledby="all"><h2 id="all">${all}</h2>
${endpoints.length === 0 ? html`<p>${none}</p>` : html`<ul class="list">${endpoints.map((endpoint) => endpointItem(endpoint, found, errors))}</ul>`}</section>
${endpoints.length < MAX_ENDPOINTS && additionPanel(view)}
${deliveryLog(view)}</div>`,
  });
}

function secretPanel({ secret }: WebhooksView): Html {
  if (secret === undefined) return html``;
  const words = texts().webhooks;
  const url = html`<bdi>${secret.url}</bdi>`;
  return html`<section class="panel" aria-labelledby="secret"><h2 id="secret">${fillHtml(words.secretFor, { url })}</h2>
<p>${words.secretText}</p>
${copyable(words.secret, secret.text)}</section>`;
}

function additionPanel({ found: { sale, founder }, url = "", errors = [] }: WebhooksView): Html {
  if (sale.status === SaleStatus.WITHDRAWN) return html``;
  const words = texts().webhooks;
  return html`<section class="panel" aria-labelledby="add"><h2 id="add">${words.addTitle}</h2>
<form method="post" action="${salePaths(sale.uuid).webhooks}" novalidate>${hiddenFields(WEBHOOKS_FORM, founder.sessionToken)}
${textField({
  id: "url",
  name: "url",
  label: words.url,
  hint: html`${words.urlHint}`,
  value: url,
  error: errorOf(errors, "url"),
  attributes: html`type="url" maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false"`,
})}
<div class="panel-foot"><button class="primary fit" name="do" value="add">${words.add}</button></div></form></section>`;
}
