import { type EventPage, eventPagePath } from "../../../common/internal-api/event-pages.ts";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import { APPLICATION_LISTS } from "../../../common/sale/words/application-words.ts";
import { roleNoun } from "../../../common/sale/words/role-words.ts";
import { SALE_EVENTS, saleEventText } from "../../../common/sale/words/sale-event-words.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import { type MailBlock, type MailSubject, mailContent } from "../mail/mail-content.ts";
import { notify } from "../mail/notify.ts";
import { quotedName } from "../mail/safe-text.ts";
import type { Member } from "./members-store.ts";
import type { Role } from "./membership.ts";

interface SaleChange {
  readonly saleUuid: string;
  readonly saleName: string;
  /** The e-mail address of the author of the change; absent for the operator. */
  readonly by?: string | undefined;
}

/** A change about which the owners of a sale get a mail. */
export type OwnerNotice =
  | (SaleChange & {
      readonly event: "redirect_uris_changed";
      readonly clientUuid: string;
      readonly clientName: string;
      readonly redirectUris: readonly string[];
    })
  | (SaleChange & {
      readonly event: "member_changed";
      readonly memberEmail: string;
      /** Absent for a member who was removed. */
      readonly role?: Role | undefined;
    })
  | (SaleChange & { readonly event: "sale_opened" | "sale_settled" | "sale_withdrawn" | "draft_deleted" })
  | (SaleChange & {
      readonly event: "participation_changed" | "permit_key_changed" | "entity_freeze_changed" | "commitments_imported";
      /** The settings that changed, as people read them. */
      readonly changes: readonly SettingChange[];
    })
  | (SaleChange & { readonly event: "passkey_rule_changed"; readonly required: boolean })
  | (SaleChange & {
      readonly event: "client_disabled" | "email_required";
      readonly clientUuid: string;
      readonly clientName: string;
    })
  | (SaleChange & {
      readonly event: "client_security_changed";
      readonly clientUuid: string;
      readonly clientName: string;
      readonly changes: readonly SettingChange[];
    });

/** The pages to which the mails lead. */
const PAGES: Readonly<Record<OwnerNotice["event"], EventPage>> = {
  redirect_uris_changed: "application",
  client_disabled: "application",
  email_required: "application",
  client_security_changed: "security",
  member_changed: "members",
  passkey_rule_changed: "members",
  sale_opened: "sale",
  sale_settled: "sale",
  sale_withdrawn: "sale",
  draft_deleted: "sales",
  participation_changed: "rules",
  permit_key_changed: "signer",
  entity_freeze_changed: "freezes",
  commitments_imported: "log",
};

/** Writes the mail to the owners of a sale about a change. @param issuer the origin of `AUTH_URL`, whose pages it leads to */
export function ownerNotice(notice: OwnerNotice, issuer: string): MailContent {
  const sale = quotedName(notice.saleName);
  const [subject, ...blocks] = changeOf(notice, sale);
  const link = issuer + eventPagePath(PAGES[notice.event], notice);
  return mailContent(subject, [...blocks, `It was done by ${notice.by ?? "the operator"}.`, { link }, advice(sale)]);
}

function changeOf(notice: OwnerNotice, sale: string): [subject: MailSubject, ...blocks: MailBlock[]] {
  switch (notice.event) {
    case "redirect_uris_changed": {
      const text = `The redirect URIs of the application ${quotedName(notice.clientName)} of the sale ${sale} are now:`;
      return ["The redirect URIs of an application were changed", text, { items: notice.redirectUris }];
    }
    case "member_changed": {
      const state = notice.role === undefined ? "no longer a member" : `now ${roleNoun(notice.role)}`;
      return ["The members of a sale were changed", `${notice.memberEmail} is ${state} of the sale ${sale}.`];
    }
    case "sale_opened":
      return [SALE_EVENTS.sale_opened.subject, `${saleEventText(notice.event, sale)}.`];
    case "sale_withdrawn": {
      const effects = "It is no longer found in public, its applications sign nobody in, and their tokens are revoked.";
      return [SALE_EVENTS.sale_withdrawn.subject, `${saleEventText(notice.event, sale)} for good. ${effects}`];
    }
    case "draft_deleted":
      return [SALE_EVENTS.draft_deleted.subject, `${saleEventText(notice.event, sale)}, with its applications.`];
    case "sale_settled":
      return [SALE_EVENTS.sale_settled.subject, `${saleEventText(notice.event, sale)}. That can't be undone.`];
    case "participation_changed":
    case "permit_key_changed":
    case "entity_freeze_changed":
    case "commitments_imported": {
      const text = `${saleEventText(notice.event, sale)}:`;
      return [SALE_EVENTS[notice.event].subject, text, { items: notice.changes.map(changeText) }];
    }
    case "passkey_rule_changed": {
      const who = `Owners and editors of the sale ${sale}`;
      const text = notice.required
        ? `${who} must sign in with a passkey from now on. Whoever has none adds one at their account, then signs in with it.`
        : `${who} no longer need a passkey: a code from an e-mail is enough again.`;
      return ["Whether a sale requires passkeys was changed", text];
    }
    case "client_disabled": {
      const client = quotedName(notice.clientName);
      const text = `The application ${client} of the sale ${sale} was disabled. It can't sign users in, and its tokens are revoked.`;
      return ["An application was disabled", text];
    }
    case "client_security_changed": {
      const text = `Security settings of the application ${quotedName(notice.clientName)} of the sale ${sale} were changed:`;
      return ["The security of an application was changed", text, { items: notice.changes.map(securityText) }];
    }
    case "email_required": {
      const client = quotedName(notice.clientName);
      const text = `The application ${client} of the sale ${sale} now requires the e-mail addresses of its users (scope contact_email).`;
      return ["An application requires e-mail addresses", text];
    }
  }
}

/** Longest description of a public key: a `kid` of 128 characters, its type and algorithm, and the thumbprint. */
const MAX_KEY_CHARACTERS = 200;

/** Writes a change of an application's security as one line: registered URIs as they are, and thumbprints whole. */
function securityText(change: SettingChange): string {
  const isUri = change.field === APPLICATION_LISTS.postLogoutUri;
  return changeLine(change, isUri ? (uri) => `“${uri}”` : (value) => quotedName(value, MAX_KEY_CHARACTERS));
}

/** Writes a change as one line, everything that a founder chose quoted. */
function changeText(change: SettingChange): string {
  return changeLine(change, (value) => quotedName(value));
}

function changeLine({ field, before, after }: SettingChange, quote: (value: string) => string): string {
  const [name, old, now] = [quotedName(field), quote(before), quote(after)];
  if (before === "") return `${name}, added: ${now}`;
  return after === "" ? `${name}, removed: ${old}` : `${name}: now ${now}, before ${old}`;
}

function advice(sale: string): string {
  return `You get this mail as an owner of the sale ${sale}. If you didn't expect this, check the members of the sale and its applications at once.`;
}

type WithoutActor<Notice> = Notice extends OwnerNotice ? Omit<Notice, "by"> : never;

/**
 * Mails the owners of a sale about a change. Call it after the change was committed. It returns at once, and a mail that
 * can't be sent is only logged.
 *
 * @param members the members before and after the change, so that an owner who was removed gets the mail too
 * @param actor the author of the change; undefined for an operator
 */
export function notifyOwners(
  context: AuthContext,
  members: readonly Member[],
  actor: Pick<Actor, "accountUuid"> | undefined,
  notice: WithoutActor<OwnerNotice>,
): void {
  const by = emailOf(members, actor);
  const owners = new Set(members.filter(({ role }) => role === "owner").map(({ email }) => email));
  void notify(context, [...owners], ownerNotice({ ...notice, by }, context.issuer));
}

/** Returns the address of the author of a change; undefined for an operator. */
export function emailOf(members: readonly Member[], actor: Pick<Actor, "accountUuid"> | undefined): string | undefined {
  return members.find(({ accountUuid }) => accountUuid === actor?.accountUuid)?.email;
}
