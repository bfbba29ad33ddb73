import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import type { AccountService, NotifyAccountRequest } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import type { Mail, MailContent } from "../base/mailer.ts";
import { type MailBlock, type MailSubject, mailContent } from "../mail/mail-content.ts";
import { quotedName } from "../mail/safe-text.ts";
import { findAccount } from "./accounts-store.ts";
import { saleAlertMail } from "./sale-alert.ts";
import { sendOnce, sendOnceAtMost } from "./send-once.ts";

/** Mails about sales under way at once: one of the four connections to the mail server stays for codes, however many send such mails. */
const SALE_ALERTS_AT_ONCE = 3;

/** Mails a notice to an account, about one of its entities or about a sale, once for each notice. */
export function notifyAccount(context: AuthContext): ServiceImpl<typeof AccountService>["notifyAccount"] {
  const { database, issuer } = context;
  const saleAlerts = new Semaphore(SALE_ALERTS_AT_ONCE);
  return async (request, call) => {
    const content = contentOfRequest(request, issuer);
    const account = await database.read((query) => findAccount(query, request.accountUuid));
    if (account === undefined) return {};
    const noticeUuid = request.noticeUuid.toLowerCase();
    const send = () => context.mailer.send({ ...content, to: account.email });
    // A decision is told twice rather than never, and what somebody has asked to be told about a sale is never told twice.
    if (request.notice.case === "saleAlert") {
      await saleAlerts.run(() => sendOnceAtMost(context, noticeUuid, send), call.signal);
    } else await sendOnce(context, noticeUuid, send);
    return {};
  };
}

function contentOfRequest(request: NotifyAccountRequest, issuer: string): Omit<Mail, "to"> {
  if (request.notice.case === "saleAlert") return saleAlertMail(request.notice.value, issuer);
  return entityNotice(noticeOf(request), issuer + pagePath(request.entityUuid.toLowerCase()));
}

function noticeOf({ notice }: NotifyAccountRequest): EntityNotice {
  switch (notice.case) {
    case "setupDecided": {
      const { entityLabel: label, approved, reason, final, unfinished } = notice.value;
      return { event: "setup_decided", label, approved, reason, final, unfinished };
    }
    case "approvalExpiry": {
      const { entityLabel: label, expiresAt, expired } = notice.value;
      if (expiresAt === undefined) break;
      return { event: "approval_expiry", label, expiresAt: timestampDate(expiresAt), expired };
    }
    case "reviewQuestion": {
      const { entityLabel: label, question } = notice.value;
      return { event: "review_question", label, question };
    }
  }
  throw new TypeError("the request's rules let a notice without content through");
}

/** A notice of the entities service about an entity of an account. */
type EntityNotice =
  | {
      readonly event: "setup_decided";
      /** The name that the user gave the entity. */
      readonly label: string;
      readonly approved: boolean;
      /** Why it was refused or couldn't be finished; empty if it was approved, or no reason is known. */
      readonly reason: string;
      /** Whether the user can't begin again. */
      readonly final: boolean;
      /** Whether it has ended without a decision. */
      readonly unfinished: boolean;
    }
  | { readonly event: "review_question"; readonly label: string; readonly question: string }
  | {
      readonly event: "approval_expiry";
      readonly label: string;
      readonly expiresAt: Date;
      /** Whether it has ended. */
      readonly expired: boolean;
    };

const MAX_REASON_CHARACTERS = 500;

/** Returns the path of the page about an entity; of the account's page where none is named. */
function pagePath(entityUuid: string): string {
  return entityUuid === "" ? "/account" : `/account/entities/${entityUuid}`;
}

/** Writes the mail to an account about one of its entities. @param link to the page about it */
export function entityNotice(notice: EntityNotice, link: string): MailContent {
  const [subject, ...blocks] = contentOf(notice);
  return mailContent(subject, [...blocks, { link }]);
}

function contentOf(notice: EntityNotice): [subject: MailSubject, ...blocks: MailBlock[]] {
  switch (notice.event) {
    case "setup_decided":
      return decisionOf(notice);
    case "approval_expiry":
      return expiryOf(notice);
    case "review_question": {
      const check = `Who checks the identity of your entity ${quotedName(notice.label)} has a question:`;
      const question = quotedName(notice.question, MAX_REASON_CHARACTERS);
      const next = "The check goes on once you have answered, in your account:";
      return ["A question about your identity check", check, question, next];
    }
  }
}

function decisionOf({
  label,
  approved,
  reason,
  final,
  unfinished,
}: Extract<EntityNotice, { event: "setup_decided" }>): [subject: MailSubject, ...blocks: MailBlock[]] {
  const check = `The identity check of your entity ${quotedName(label)}`;
  if (approved) return ["Your identity check is complete", `${check} is complete.`];
  const because = reason === "" ? [] : [`The reason: ${quotedName(reason, MAX_REASON_CHARACTERS)}`];
  const next = final ? "You can't begin again." : "You can begin again in your account.";
  if (unfinished) {
    return ["Your identity check couldn't be finished", `${check} couldn't be finished.`, ...because, next];
  }
  return ["Your identity check was refused", `${check} was refused.`, ...because, next];
}

function expiryOf({
  label,
  expiresAt,
  expired,
}: Extract<EntityNotice, { event: "approval_expiry" }>): [subject: MailSubject, ...blocks: MailBlock[]] {
  const check = `The identity check of your entity ${quotedName(label)}`;
  const time = utcText(expiresAt, DEFAULT_LANGUAGE);
  const next = "To take part in sales, begin a new one in your account.";
  if (expired) return ["Your identity check has ended", `${check} ended on ${time}. ${next}`];
  return ["Your identity check ends soon", `${check} ends on ${time}. You can begin a new one in your account then.`];
}
