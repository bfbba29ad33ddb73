import type { MailContent } from "../base/mailer.ts";
import { type MailBlock, mailContent } from "../mail/mail-content.ts";
import type { MailSubject } from "../mail/mail-subject.ts";
import { quotedName } from "../mail/plain-text.ts";

/** A notice of the entities service about an entity of an account. */
export type EntityNotice =
  | {
      readonly event: "setup_decided";
      /** The name that the user gave the entity. */
      readonly label: string;
      readonly approved: boolean;
      /** Why it was refused; empty if it was approved, or no reason is known. */
      readonly reason: string;
      /** Whether the user can't begin again. */
      readonly final: boolean;
    }
  | {
      readonly event: "approval_expiry";
      readonly label: string;
      readonly expiresAt: Date;
      /** Whether it has ended. */
      readonly expired: boolean;
    };

const MAX_REASON_CHARACTERS = 500;

/** Writes the mail to an account about one of its entities. @param issuer the origin of `AUTH_URL`, whose pages it leads to */
export function entityNotice(notice: EntityNotice, issuer: string): MailContent {
  const [subject, ...blocks] = notice.event === "setup_decided" ? decisionOf(notice) : expiryOf(notice);
  return mailContent(subject, [...blocks, { link: `${issuer}/account` }]);
}

function decisionOf({
  label,
  approved,
  reason,
  final,
}: Extract<EntityNotice, { event: "setup_decided" }>): [subject: MailSubject, ...blocks: MailBlock[]] {
  const check = `The identity check of your entity ${quotedName(label)}`;
  if (approved) return ["Your identity check is complete", `${check} is complete.`];
  const because = reason === "" ? [] : [`The reason: ${quotedName(reason, MAX_REASON_CHARACTERS)}`];
  const next = final ? "You can't begin again." : "You can begin again in your account.";
  return ["Your identity check was refused", `${check} was refused.`, ...because, next];
}

function expiryOf({
  label,
  expiresAt,
  expired,
}: Extract<EntityNotice, { event: "approval_expiry" }>): [subject: MailSubject, ...blocks: MailBlock[]] {
  const check = `The identity check of your entity ${quotedName(label)}`;
  const day = expiresAt.toISOString().slice(0, "2026-01-31".length);
  const next = "To take part in sales, begin a new one in your account.";
  if (expired) return ["Your identity check has ended", `${check} ended on ${day}. ${next}`];
  return ["Your identity check ends soon", `${check} ends on ${day}. You can begin a new one in your account then.`];
}
