import { html } from "hono/html";
import { type EventPage, eventPagePath } from "../../../common/internal-api/event-pages.ts";
import { saleEventText } from "../../../common/sale/words/sale-event-words.ts";
import {
  type SaleEvent,
  SaleEventKind,
  type SaleEventPerson,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { roleText } from "../base/role-text.ts";

/** Says what was done, without a full stop. */
export function eventText(event: SaleEvent): Html {
  const client = html`<strong><bdi>${event.clientName || event.clientUuid}</bdi></strong>`;
  switch (event.kind) {
    case SaleEventKind.SALE_CREATED:
      return html`The sale was created`;
    case SaleEventKind.SALE_CHANGED:
      return html`The settings were changed${overriddenText(event)}`;
    case SaleEventKind.SALE_OPENED:
      return html`${saleEventText("sale_opened")}${overriddenText(event)}`;
    case SaleEventKind.SALE_SETTLED:
      return html`${saleEventText("sale_settled")}`;
    case SaleEventKind.SALE_WITHDRAWN:
      return html`${saleEventText("sale_withdrawn")}`;
    case SaleEventKind.MEMBER_SET:
      return html`${personText(event.member)} became ${roleText(event.role).name.toLowerCase()}`;
    case SaleEventKind.MEMBER_REMOVED:
      return html`${personText(event.member)} was removed`;
    case SaleEventKind.PASSKEY_RULE_CHANGED:
      return html`Whether passkeys are required was changed`;
    case SaleEventKind.CLIENT_CREATED:
      return html`The application ${client} was added`;
    case SaleEventKind.CLIENT_CHANGED:
      return html`The application ${client} was changed`;
    case SaleEventKind.CLIENT_LOGO_SET:
      return html`The ${event.logoShape} logo of ${client} was set`;
    case SaleEventKind.CLIENT_DISABLED:
      return html`The application ${client} was disabled`;
    case SaleEventKind.CLIENT_ENABLED:
      return html`The application ${client} was enabled`;
    case SaleEventKind.PARTICIPATION_CHANGED:
      return html`${saleEventText("participation_changed")}`;
    case SaleEventKind.PARTICIPANTS_CHANGED:
      return html`Who is listed for the sale was changed`;
    case SaleEventKind.PERMIT_KEY_CHANGED:
      return html`${saleEventText("permit_key_changed")}`;
    case SaleEventKind.ENTITY_FREEZE_CHANGED:
      return html`${saleEventText("entity_freeze_changed")}`;
    case SaleEventKind.WEBHOOKS_CHANGED:
      return html`A webhook was added, changed or removed`;
    case SaleEventKind.COMMITMENTS_IMPORTED:
      return html`${saleEventText("commitments_imported")}`;
    default:
      return html`Something was done`;
  }
}

/** Pages about what was done, where there is one besides the sale's own. */
const PAGES: ReadonlyMap<SaleEventKind, EventPage> = new Map<SaleEventKind, EventPage>([
  [SaleEventKind.SALE_CHANGED, "settings"],
  [SaleEventKind.MEMBER_SET, "members"],
  [SaleEventKind.MEMBER_REMOVED, "members"],
  [SaleEventKind.PASSKEY_RULE_CHANGED, "members"],
  [SaleEventKind.CLIENT_CREATED, "application"],
  [SaleEventKind.CLIENT_CHANGED, "application"],
  [SaleEventKind.CLIENT_LOGO_SET, "application"],
  [SaleEventKind.CLIENT_DISABLED, "application"],
  [SaleEventKind.CLIENT_ENABLED, "application"],
  [SaleEventKind.PARTICIPATION_CHANGED, "rules"],
  [SaleEventKind.PARTICIPANTS_CHANGED, "participants"],
  [SaleEventKind.PERMIT_KEY_CHANGED, "signer"],
  [SaleEventKind.ENTITY_FREEZE_CHANGED, "freezes"],
  [SaleEventKind.WEBHOOKS_CHANGED, "webhooks"],
]);

/** Returns the path of the page about what was done; undefined where it is about the sale as a whole. */
export function pageOfEvent({ kind, clientUuid }: SaleEvent, saleUuid: string): string | undefined {
  const page = PAGES.get(kind);
  return page && eventPagePath(page, { saleUuid, ...(clientUuid !== "" && { clientUuid }) });
}

/** Names the person who did something, or to whom it was done. */
export function personText(person: SaleEventPerson | undefined): Html {
  if (person === undefined) return html`an operator`;
  return person.email === "" ? html`somebody who is no member now` : html`<bdi>${person.email}</bdi>`;
}

function overriddenText({ checkOverridden }: SaleEvent): string {
  return checkOverridden ? ", although the contract was found wrong or couldn’t be checked" : "";
}
