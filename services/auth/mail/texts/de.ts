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
  notYou: "Waren Sie es nicht, dann wenden Sie sich sofort an die Betreiber des Verkaufs.",
  browser: {
    onSystem: "{browser} unter {system}",
    unknown: "ein unbekannter Browser",
    unknownOnSystem: "ein Browser unter {system}",
  },
} as const satisfies MailTexts;
