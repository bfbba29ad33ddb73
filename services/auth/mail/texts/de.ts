import type { MailTexts } from "./en.ts";

/** The German texts of mails. */
export const DE = {
  signIn: {
    subject: "Ihr Anmeldecode",
    asked: "Sie möchten sich anmelden. Dies ist der Code:",
    askedByApplication:
      "Sie möchten sich bei der Anwendung „{application}“ des Verkaufs „{sale}“ anmelden. Dies ist der Code:",
    ignore: "Waren Sie es nicht, dann ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand anmelden.",
  },
  emailChange: {
    subject: "Ihr Code zum Ändern der E-Mail-Adresse",
    asked: "Sie möchten diese E-Mail-Adresse für Ihr Konto verwenden. Dies ist der Code, der sie bestätigt:",
    ignore: "Waren Sie es nicht, dann ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts.",
  },
  code: {
    place:
      "Geben Sie ihn innerhalb von 10 Minuten bei {host} ein. Er gilt einmal und nur in dem Browser, der ihn angefordert hat: {browser}.",
    warning: "Geben Sie den Code niemals weiter, wer auch immer danach fragt.",
  },
  emailChanged: {
    subject: "Die E-Mail-Adresse Ihres Kontos wurde geändert",
    text: "Die E-Mail-Adresse Ihres Kontos wurde geändert; benutzt wurde: {browser}. Mit dieser Adresse können Sie sich nun nicht mehr anmelden, und alle anderen Browser sind abgemeldet.",
    tokensEnded: "Anwendungen, die Zugriff darauf hatten, haben keinen mehr.",
    tokensKept: "Anwendungen behalten den Zugriff, den sie darauf hatten.",
  },
  accountDeleted: {
    subject: "Ihr Konto wurde gelöscht",
    text: "Ihr Konto wurde gelöscht, zusammen mit allem, was Sie Anwendungen erlaubt hatten; benutzt wurde: {browser}.",
  },
  passkeyAdded: {
    subject: "Ihr Konto hat einen neuen Passkey",
    text: "Der Passkey „{name}“ wurde zu Ihrem Konto hinzugefügt; benutzt wurde: {browser}. Wer ihn hat, kann sich bei Ihrem Konto anmelden.",
    advice:
      "Waren Sie es nicht, dann melden Sie sich an, entfernen den Passkey sofort und wenden sich an die Betreiber des Verkaufs.",
  },
  passkeyRemoved: {
    subject: "Ein Passkey Ihres Kontos wurde entfernt",
    text: "Der Passkey „{name}“ wurde aus Ihrem Konto entfernt; benutzt wurde: {browser}. Mit ihm kann sich nun niemand mehr anmelden.",
    advice: "Waren Sie es nicht, dann wenden Sie sich sofort an die Betreiber des Verkaufs.",
  },
  passkeyCopied: {
    subject: "Eine Anmeldung mit Ihrem Passkey wurde abgelehnt",
    text: "Eine Anmeldung mit Ihrem Passkey „{name}“ wurde abgelehnt; benutzt wurde: {browser}. Sein Zähler ist seit der letzten Anmeldung nicht gestiegen, vielleicht gibt es eine Kopie von ihm.",
    advice:
      "Waren Sie es, dann versuchen Sie es noch einmal. Wird er wieder abgelehnt oder waren Sie es nicht, dann melden Sie sich mit einem Code an, entfernen den Passkey und fügen einen neuen hinzu.",
  },
  notYou: "Waren Sie es nicht, dann wenden Sie sich sofort an die Betreiber des Verkaufs.",
  browser: {
    onSystem: "{browser} unter {system}",
    unknown: "ein unbekannter Browser",
    unknownOnSystem: "ein Browser unter {system}",
  },
} as const satisfies MailTexts;
