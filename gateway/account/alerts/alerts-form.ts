import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { AlertReason, type SaleAlerts } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";

export const ALERTS_FORM = "alerts";

/** Each reason as the form's field names it. */
export const REASON_NAMES = {
  position: AlertReason.POSITION,
  closing: AlertReason.CLOSING,
  settled: AlertReason.SETTLED,
} as const;
type ReasonName = keyof typeof REASON_NAMES;
const NAMES = Object.keys(REASON_NAMES) as readonly ReasonName[];

/** The mails that a person has asked for, and the session in which they see it. */
export interface AlertsView {
  /** The sales about which they have asked for mails; undefined where the entities service is of a version without them. */
  readonly alerts: readonly SaleAlerts[] | undefined;
  readonly sessionToken: string;
}

/** A sale of the account's page. */
export interface AlertSale {
  readonly saleUuid: string;
  readonly name: string;
  /** Whether it can still be asked for mails: the person has a wallet in it, and it isn't settled. */
  readonly isOpen: boolean;
}

/** Returns the form by which a person asks for mails about a sale; nothing where there is nothing to ask for or to end. */
export function alertsForm(
  { saleUuid, name, isOpen }: AlertSale,
  { alerts, sessionToken }: AlertsView,
  language: Language,
): Html | undefined {
  if (alerts === undefined) return undefined;
  const asked = alerts.find((each) => each.saleUuid === saleUuid)?.reasons ?? [];
  if (!isOpen && asked.length === 0) return undefined;
  const { alerts: texts } = TEXTS[language];
  const fields = hiddenFields(ALERTS_FORM, sessionToken, { sale: saleUuid });
  const state = asked.length === 0 ? texts.off : texts.on;
  return html`<details class="alerts"><summary>${texts.title} <span class="tag">${state}</span></summary>
<form method="post" action="${AUTH_PATHS.alerts}">${fields}
<fieldset><legend>${fill(texts.legend, { sale: name })}</legend>
${NAMES.map((reason) => reasonField(reason, saleUuid, asked.includes(REASON_NAMES[reason]), texts))}</fieldset>
<p class="hint">${texts.hint}</p>
<button class="secondary small" aria-label="${fill(texts.saveOf, { sale: name })}">${texts.save}</button></form></details>`;
}

function reasonField(reason: ReasonName, saleUuid: string, isAsked: boolean, texts: Texts["alerts"]): Html {
  const id = `${reason}-${saleUuid}`;
  return html`<p class="tick"><input type="checkbox" id="${id}" name="${reason}" value="yes"${isAsked && " checked"}><label for="${id}">${texts[reason]}</label></p>`;
}
