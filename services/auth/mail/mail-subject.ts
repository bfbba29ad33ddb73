import type { Language } from "../../../common/platform/language/language.ts";
import type { MAIL_TEXTS } from "./texts/mail-texts.ts";

type TranslatedSubject = (typeof MAIL_TEXTS)[Language][
  | "signIn"
  | "emailChange"
  | "emailChanged"
  | "accountDeleted"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeyCopied"
  | "passkeyRequired"
  | "passkeyNotRequired"
  | "recoveryBegun"
  | "recoveryBegunByOperator"
  | "recoveryReminder"
  | "recoveryReady"
  | "recoveryStopped"
  | "recoveryExpired"
  | "recoveryCompleted"]["subject"];

/**
 * The subjects of all mails. None contains anything that somebody entered: a name in a subject could pose as a warning of
 * ours, with a host name to log in at.
 */
export type MailSubject =
  | TranslatedSubject
  | "The redirect URIs of an application were changed"
  | "The members of a sale were changed"
  | "Whether a sale requires passkeys was changed"
  | "A sale was opened"
  | "A sale was settled"
  | "A sale was withdrawn"
  | "A draft was deleted"
  | "Who may take part in a sale was changed"
  | "A key for purchase permits was changed"
  | "An entity of a sale was frozen or released"
  | "Commitments of a sale were imported"
  | "An application was disabled"
  | "The security of an application was changed"
  | "An application requires e-mail addresses"
  | "You were invited to a sale"
  | "Your identity check is complete"
  | "Your identity check was refused"
  | "Your identity check ends soon"
  | "Your identity check has ended";
