import type { Translation } from "../../../../../common/platform/language/message.ts";
import type { OPENING_EN } from "./en.ts";

/** The German texts of the pages on which a sale is opened and settled. */
export const OPENING_DE: Translation<typeof OPENING_EN> = {
  opening: {
    title: "Verkauf öffnen?",
    panel: "Öffnen",
    noDraft: "Der Verkauf ist kein Entwurf mehr.",
    lacking: "Der Verkauf lässt sich noch nicht öffnen:",
    unknown: "Ob sich der Verkauf öffnen lässt, ist derzeit nicht bekannt.",
    text: "Danach sieht jeder seine Zahlen, und er kann nicht wieder zum Entwurf werden. Art der Preise, Zahlungs-Token, Nachkommastellen und der Contract lassen sich nicht mehr ändern, sobald der Contract gelesen wurde. Die Inhaber werden per E‑Mail benachrichtigt.",
    anywayText: "Wer es besser weiß, öffnet den Verkauf, obwohl die Prüfung nicht bestanden ist.",
    open: "Verkauf öffnen",
    openAnyway: "Trotzdem öffnen",
    notYet: "Noch nicht",
    noContract: "Es ist kein Contract eingetragen: Einer Ihrer Dienste sendet die Zusagen.",
    settleTitle: "Verkauf abrechnen?",
    settlePanel: "Abrechnen",
    settleText:
      "Der Verkauf ist dann endgültig beendet: Er lässt sich nicht wieder öffnen, seine Seite sagt „Abgerechnet“, es wird kein Gebot mehr angenommen und keine Kauffreigabe mehr erteilt. Gebote, die als erstattet gekennzeichnet sind, zählen von da an, weil der Referenz-Contract am Ende alle so kennzeichnet. Was angenommen ist, lässt sich weiterhin eintragen. Ein Verkauf, der aus einem Contract gelesen wird, wird durch seinen Contract abgerechnet. Die Inhaber werden per E‑Mail benachrichtigt.",
    settle: "Verkauf abrechnen",
    contractTitle: "Der Contract jetzt",
    contractPanel: "Ergebnis",
    checkAgain: "Noch einmal prüfen",
  },
};
