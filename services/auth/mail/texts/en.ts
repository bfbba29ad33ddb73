import type { Translation } from "../../../../common/platform/language/message.ts";

/**
 * The English texts of mails to the person who asked for them. Subjects have no places but that of a code of ours: nothing
 * that somebody entered may stand in one.
 */
export const EN = {
  signIn: {
    subject: "{code} is your sign-in code",
    asked: "You asked to sign in. This is the code:",
    askedByApplication:
      "You asked to sign in to the application “{application}” of the sale “{sale}”. This is the code:",
    ignore: "If it wasn't you, ignore this mail: without the code nobody can sign in.",
  },
  emailChange: {
    subject: "{code} is your code to change your e-mail address",
    asked: "You asked to use this e-mail address for your account. This is the code that confirms it:",
    ignore: "If it wasn't you, ignore this mail: without the code nothing changes.",
  },
  code: {
    place:
      "Enter it at {host} within {minutes} minutes. It works once, and only in the browser that requested it: {browser}.",
    time: "It was asked for on {time}.",
    warning: "Never give the code to anybody, whoever asks for it.",
  },
  emailChanged: {
    subject: "The e-mail address of your account was changed",
    text: "The e-mail address of your account was changed with {browser}. From now on this address no longer signs in to it, and every other browser is signed out of it.",
    tokensEnded: "Applications that had access to it no longer have any.",
    tokensKept: "Applications keep the access that they had to it.",
  },
  accountDeleted: {
    subject: "Your account was deleted",
    text: "Your account was deleted with {browser}, together with everything that you had granted to applications.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your account",
    text: "The passkey “{name}” was added to your account with {browser}. Whoever has it can sign in to your account.",
    advice:
      "If it wasn't you, contact the people who run the sale at once: somebody else can sign in now. Use the address on the sale's page, if it has one. If you have another passkey, sign in with it and remove this one.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your account",
    text: "The passkey “{name}” was removed from your account with {browser}. Nobody can sign in with it any more.",
    advice:
      "If it wasn't you, contact the people who run the sale at once. Use the address on the sale's page, if it has one.",
  },
  passkeyCopied: {
    subject: "A sign-in with your passkey was refused",
    text: "A sign-in with your passkey “{name}” was refused, with {browser}: its counter has not risen since its last use. There may be a copy of it.",
    advice:
      "If it was you, try again. If it is refused again, or it wasn't you, sign in with another passkey and remove this one. If you have no other, sign in with a code and choose “{link}” in your account.",
  },
  passkeyRequired: {
    subject: "Your account now requires a passkey",
    text: "From now on a passkey is needed to sign in to your account. This was set with {browser}. Sessions that began with a code were ended, and so was the access of applications that you had signed in to with a code.",
  },
  passkeyNotRequired: {
    subject: "Your account no longer requires a passkey",
    text: "From now on a code from an e-mail is enough to sign in to your account. This was set with {browser}.",
  },
  recoveryBegun: {
    subject: "Somebody wants to recover your account without its passkeys",
    text: "Somebody who has entered a code from this mailbox says that all passkeys of your account are lost, and asks to sign in without them. From {ready} on this can be completed, with a code from this mailbox: the passkeys are then removed.",
    stop: "If you still have a passkey, or if it wasn't you: stop it. Sign in at {host}, best with your passkey, and choose “{button}” in your account. Signing in with a passkey stops it, too.",
  },
  recoveryBegunByOperator: {
    subject: "The operator has begun the recovery of your account",
    text: "The operator of this service has begun the recovery of your account, because somebody else may have a passkey of it. From {ready} on it can be completed with a code from this mailbox at {host}: all passkeys are then removed. Only the operator can stop it.",
  },
  recoveryReminder: {
    subject: "The recovery of your account can be completed tomorrow",
    text: "From {ready} on, somebody with a code from this mailbox can remove the passkeys of your account and sign in without them.",
    stop: "If you still have a passkey, or if it wasn't you: stop it now. Sign in at {host}, best with your passkey, and choose “{button}” in your account.",
  },
  recoveryReady: {
    subject: "The recovery of your account can be completed",
    text: "Until {end} you can complete the recovery of your account: sign in at {host} with a code from this mailbox. The passkeys are then removed.",
    stop: "If you still have a passkey, or if it wasn't you: stop it now. Sign in at {host}, best with your passkey, and choose “{button}” in your account.",
  },
  recoveryStopped: {
    subject: "The recovery of your account was stopped",
    text: "The recovery of your account was stopped with {browser}. The passkeys stay.",
    again:
      "If you didn't stop it, somebody else reads this mailbox: secure it first, for example with a new password, then begin again.",
  },
  recoveryExpired: {
    subject: "The recovery of your account has expired",
    text: "The recovery of your account was not completed in time. Nothing was changed. You can begin again.",
  },
  recoveryCompleted: {
    subject: "Your account was recovered, and its passkeys were removed",
    text: "Your account was recovered with {browser}: its passkeys were removed, all sessions were ended, and so was the access of all applications. A code from this mailbox is now enough to sign in. Add a new passkey soon.",
  },
  saleAlert: {
    out: {
      subject: "A bid of yours is out",
      text: "A bid of yours in the sale “{sale}” is too low now: it would get nothing if the sale ended at this moment.",
    },
    atMargin: {
      subject: "A bid of yours is at the margin",
      text: "A bid of yours in the sale “{sale}” is at the clearing price, where more is bid than can be bought. It would get only a part if the sale ended now, or nothing.",
    },
    closesInDay: {
      subject: "A sale closes in 24 hours",
      text: "The sale “{sale}” closes in about 24 hours: {time}, says its founder.",
    },
    closesInHour: {
      subject: "A sale closes in an hour",
      text: "The sale “{sale}” closes in about an hour: {time}, says its founder.",
    },
    settled: {
      subject: "A sale is settled",
      text: "The sale “{sale}” is settled.",
    },
    look: "Your account shows where your bids stand now:",
    asked: "You asked for mails about this sale. To get no more of them:",
  },
  notYou:
    "If it wasn't you, contact the people who run the sale at once. Use the address on the sale's page, if it has one.",
  browser: {
    onSystem: "{browser} on {system}",
    unknown: "an unknown browser",
    unknownOnSystem: "a browser on {system}",
  },
} as const;

/** All these texts, in some language. */
export type MailTexts = Translation<typeof EN>;
