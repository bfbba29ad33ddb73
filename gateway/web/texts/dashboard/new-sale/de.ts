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
    contractTitle: "Aus Ihrem Contract gelesen",
    untakenToken:
      "Ihr Contract nimmt {token} nicht an, den dieser Verkauf nennt: Niemand kann damit zahlen. Entfernen Sie ihn.",
    takes: "Zahlungs-Token",
    version: "Version",
    cancelled: "Nach einem Rücktritt",
    cancelledKeep: "behalten Zusagen ihre Beträge",
    cancelledLose: "sinken Zusagen auf null",
    wallets: "Wallets je Bieter",
    walletsAtMost: "höchstens {count}",
    unsaid: "sagt er nicht",
    textPrice: "Was verkauft wird, zu welchem Preis, und womit die Bieter zahlen.",
    textWords: "Was man zuerst liest. Sie können es jederzeit ändern und ergänzen.",
    textStart: "Wo sich Ihre Nutzer anmelden, und wer den Verkauf mit Ihnen einrichtet. Das alles kann warten.",
    continueTo: "Weiter",
    back: "Zurück",
    create: "Verkauf anlegen",
    stablecoins: "Stablecoins",
    stablecoinsHint:
      "Ein Stablecoin ist ein Token, der einen US-Dollar wert ist. Wählen Sie die, die Ihr Contract annimmt.",
    namedToken: "{symbol}, {decimals} Nachkommastellen",
    application: "Anwendung",
    applicationName: "Name der Anwendung",
    applicationHint: "Nutzer sehen ihn bei der Anmeldung.",
    applicationDefault: "Ohne Eingabe ist es der Name des Verkaufs.",
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
    copyOne: "Mit einer Kopie eines Ihrer Verkäufe beginnen",
    copyOneText: "Einstellungen, Texte und Anwendungen sind ausgefüllt wie dort, bis auf den Contract.",
    copyTitle: "Kopie eines Verkaufs",
    copyText:
      "Alles ist ausgefüllt wie bei {sale}, bis auf den Contract: Jeder Verkauf hat seinen eigenen, der auch sagt, womit gezahlt wird. Die Kopie beginnt als Entwurf, den nur seine Mitglieder sehen, und lässt sich ändern, bis sie öffnet.",
    otherSale: "dem anderen Verkauf",
    copiedApplications:
      "Die Anwendungen des anderen Verkaufs werden mit Namen, Scopes (was Nutzer ihnen erlauben), Logos und Anforderungen kopiert. Redirect-URIs und Schlüssel nicht: Sie gehören zur Website des anderen Verkaufs. Was Sie hier eingeben, gilt für die erste; ohne Eingabe bleibt sie, wie sie war.",
    kept: "Sie haben diesen Verkauf schon begonnen: Ihre Eingaben sind aufbewahrt, und seine ID bleibt dieselbe.",
    emptyForm: "Formular leeren",
  },
};
