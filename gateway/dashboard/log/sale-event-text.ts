import { html } from "hono/html";
import { type EventPage, eventPagePath } from "../../../common/internal-api/event-pages.ts";
import {
  Role,
  type SaleEvent,
  SaleEventKind,
  type SaleEventPerson,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../base/texts.ts";

/** Says what was done, without a full stop. */
export function eventText(event: SaleEvent): Html {
  const { log } = texts();
  const client = html`<strong><bdi>${event.clientName || event.clientUuid}</bdi></strong>`;
  switch (event.kind) {
    case SaleEventKind.SALE_CREATED:
      return html`${log.created}`;
    case SaleEventKind.SALE_CHANGED:
      return html`${event.checkOverridden ? log.settingsAnyway : log.settings}`;
    case SaleEventKind.SALE_OPENED:
      return html`${event.checkOverridden ? log.openedAnyway : log.opened}`;
    case SaleEventKind.SALE_SETTLED:
      return html`${log.settled}`;
    case SaleEventKind.SALE_WITHDRAWN:
      return html`${log.withdrawn}`;
    case SaleEventKind.MEMBER_SET:
      return fillHtml(roleSentence(event.role), { person: subjectText(event.member) });
    case SaleEventKind.MEMBER_REMOVED:
      return fillHtml(log.memberRemoved, { person: subjectText(event.member) });
    case SaleEventKind.PASSKEY_RULE_CHANGED:
      return html`${log.passkeyRule}`;
    case SaleEventKind.CLIENT_CREATED:
      return fillHtml(log.clientCreated, { client });
    case SaleEventKind.CLIENT_CHANGED:
      return fillHtml(log.clientChanged, { client });
    case SaleEventKind.CLIENT_LOGO_SET:
      return fillHtml(event.logoShape === "wide" ? log.wideLogo : log.squareLogo, { client });
    case SaleEventKind.CLIENT_DISABLED:
      return fillHtml(log.clientDisabled, { client });
    case SaleEventKind.CLIENT_ENABLED:
      return fillHtml(log.clientEnabled, { client });
    case SaleEventKind.PARTICIPATION_CHANGED:
      return html`${log.rules}`;
    case SaleEventKind.PARTICIPANTS_CHANGED:
      return html`${log.listed}`;
    case SaleEventKind.PERMIT_KEY_CHANGED:
      return html`${log.permitKey}`;
    case SaleEventKind.ENTITY_FREEZE_CHANGED:
      return html`${log.freeze}`;
    case SaleEventKind.WEBHOOKS_CHANGED:
      return html`${log.webhooks}`;
    case SaleEventKind.COMMITMENTS_IMPORTED:
      return html`${log.imported}`;
    default:
      return html`${log.unknown}`;
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

/** Names the person who did something, after "by". */
export function personText(person: SaleEventPerson | undefined): Html {
  const { operator, nobody } = texts().log;
  return namedPerson(person, operator, nobody);
}

/** Names the person to whom something was done, as the subject of a sentence. */
function subjectText(person: SaleEventPerson | undefined): Html {
  const { operatorSubject, nobodySubject } = texts().log;
  return namedPerson(person, operatorSubject, nobodySubject);
}

function namedPerson(person: SaleEventPerson | undefined, operator: string, nobody: string): Html {
  if (person === undefined) return html`${operator}`;
  return person.email === "" ? html`${nobody}` : html`<bdi>${person.email}</bdi>`;
}

function roleSentence(role: Role) {
  const { memberViewer, memberEditor, memberOwner } = texts().log;
  if (role === Role.OWNER) return memberOwner;
  return role === Role.EDITOR ? memberEditor : memberViewer;
}
