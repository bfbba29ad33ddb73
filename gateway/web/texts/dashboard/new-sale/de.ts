import type { Translation } from "../../../../../common/platform/language/message.ts";
import type { NEW_SALE_EN } from "./en.ts";

/** The German texts of a new sale. */
export const NEW_SALE_DE: Translation<typeof NEW_SALE_EN> = {
  newSale: {
    title: "Neuer Verkauf",
    steps: "Schritte",
    stepOf: "Schritt {step} von {steps}",
    stepContract: "Chain und Contract",
    stepPrice: "Preis und Token",
    stepWords: "Texte",
    stepStart: "Anwendung und Team",
    textContract:
      "Wo die Gebote sind. Der Contract sagt selbst, welche Token er annimmt: Sie müssen sie nicht eingeben.",
    textPrice: "Was verkauft wird, zu welchem Preis, und womit die Bieter zahlen.",
    textWords: "Was man zuerst liest. Sie können es jederzeit ändern und ergänzen.",
    textStart: "Wo sich Ihre Nutzer anmelden, und wer den Verkauf mit Ihnen einrichtet. Das alles kann warten.",
    continueTo: "Weiter",
    back: "Zurück",
    create: "Verkauf anlegen",
    contractSays: "Ihr Contract: {text}",
    stablecoins: "Stablecoins",
    stablecoinsHint:
      "Ein Stablecoin ist ein Token, der einen US-Dollar wert ist. Wählen Sie die, die Ihr Contract annimmt.",
    stablecoin: "{symbol}, {decimals} Nachkommastellen",
    application: "Anwendung",
    applicationName: "Name der Anwendung",
    applicationHint: "Nutzer sehen ihn bei der Anmeldung. Ohne Eingabe ist es der Name des Verkaufs.",
    redirectUri: "Redirect-URI",
    redirectHint: "Die Adresse Ihrer Website, zu der Nutzer von der Anmeldung zurückkommen, zum Beispiel",
    logosHint:
      "PNG, JPEG oder WebP, höchstens 200 KB und 2.048 Pixel je Seite. Die Seite des Verkaufs zeigt das quadratische ebenfalls. Dateien werden nicht aufbewahrt: Wenn Sie diesen Schritt verlassen, wählen Sie sie erneut.",
    team: "Team",
    invite: "E‑Mail-Adresse von jemandem, der mithilft",
    inviteHint: "Er oder sie kann alles außer Redirect-URIs und Mitgliedern ändern und kann den Verkauf nicht öffnen.",
    preview: "Was man zuerst sieht",
    previewName: "Name des Verkaufs",
    previewText: "Seine Beschreibung",
    copyTitle: "Als echten Verkauf kopieren",
    copyText:
      "Alle Einstellungen sind aus dem anderen Verkauf kopiert. Prüfen Sie vor allem den Contract und die Adressen der Token: Sie sind im Test andere als im echten Verkauf.",
    liveFixed:
      "Ein echter Verkauf zum Festpreis. Er beginnt als Entwurf, den nur seine Mitglieder sehen, und lässt sich ändern, bis er öffnet.",
    liveAuction:
      "Ein echter Verkauf als Auktion. Er beginnt als Entwurf, den nur seine Mitglieder sehen, und lässt sich ändern, bis er öffnet.",
    kept: "Sie haben diesen Verkauf schon begonnen: Ihre Eingaben sind aufbewahrt, und seine ID bleibt dieselbe.",
    emptyForm: "Formular leeren",
  },
};
