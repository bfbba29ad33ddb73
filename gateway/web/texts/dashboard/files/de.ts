import type { Translation } from "../../../../../common/platform/language/message.ts";
import type { FILES_EN } from "./en.ts";

/** The German texts of the pages about files. */
export const FILES_DE: Translation<typeof FILES_EN> = {
  listImport: {
    checkFirst: "Zuerst prüfen",
    importNow: "Sofort einlesen",
    checkTitle: "Prüfung einer Liste",
    importTitle: "Einlesen einer Liste",
    keepOpen: "Lassen Sie diese Seite offen, bis sie das Ergebnis zeigt.",
    soFar: {
      one: "Bisher eine Zeile. Lassen Sie diese Seite offen, bis sie das Ergebnis zeigt.",
      other: "Bisher {count} Zeilen. Lassen Sie diese Seite offen, bis sie das Ergebnis zeigt.",
    },
    checked: "Geprüft, und noch nichts gespeichert",
    done: "Fertig",
    unread: "Es wurde nichts gespeichert",
    broken: "Der Vorgang ist abgebrochen",
    sendAgain: "Senden Sie die Liste noch einmal, wenn das behoben ist: Nichts wird doppelt gespeichert.",
    back: "Zurück zur Liste",
    read: { one: "Eine Zeile wurde gelesen.", other: "{count} Zeilen wurden gelesen." },
    stored: { one: "Eine Zeile wurde gespeichert.", other: "{count} Zeilen wurden gespeichert." },
    added: { one: "Eine Zeile wurde hinzugefügt.", other: "{count} Zeilen wurden hinzugefügt." },
    removed: { one: "Eine Zeile wurde entfernt.", other: "{count} Zeilen wurden entfernt." },
    wouldStore: { one: "Eine Zeile würde gespeichert.", other: "{count} Zeilen würden gespeichert." },
    wouldAdd: { one: "Eine Zeile würde hinzugefügt.", other: "{count} Zeilen würden hinzugefügt." },
    wouldRemove: { one: "Eine Zeile würde entfernt.", other: "{count} Zeilen würden entfernt." },
    unchanged: { one: "Eine Zeile ändert nichts.", other: "{count} Zeilen ändern nichts." },
    refused: {
      one: "Eine Zeile wurde abgelehnt, siehe unten.",
      other: "{count} Zeilen wurden abgelehnt, siehe unten.",
    },
    wouldRefuse: {
      one: "Eine Zeile würde abgelehnt, siehe unten.",
      other: "{count} Zeilen würden abgelehnt, siehe unten.",
    },
    refusedTitle: "Abgelehnte Zeilen",
    refusedTable: "Tabelle der abgelehnten Zeilen",
    line: "Zeile",
    column: "Spalte",
    problem: "Was nicht stimmt",
    more: { one: "Und eine Zeile mehr.", other: "Und {count} Zeilen mehr." },
    lineProblem: "Zeile {line}: {problem}",
    notAllowed: "Sie dürfen diese Liste nicht mehr ändern.",
    busy: "Wir können derzeit nicht mehr speichern. Bitte versuchen Sie es in einer Minute noch einmal.",
    failed: "Bei uns ist ein Fehler aufgetreten (Fehler-ID {errorId}).",
  },
  commitmentImport: {
    title: "Zusagen einlesen",
    formTitle: "Eine Datei mit Zusagen",
    text: "Eine Zusage der Datei ersetzt die mit derselben ID; alle anderen bleiben. Zuerst wird die ganze Datei geprüft, und zu sehen ist sie als Ganzes auf einmal.",
    linesHint:
      "CSV mit den Spalten der genauen Datei aller Zusagen, höchstens 12 MB. Beträge sind in den kleinsten Einheiten des Tokens.",
    goOn: "Um sie einzulesen, wählen Sie die Datei noch einmal, und drücken Sie „Sofort einlesen“.",
    importThem: "Einlesen",
    checkTitle: "Prüfung von Zusagen",
    importTitle: "Einlesen von Zusagen",
    refusedTitle: "Es lässt sich nichts einlesen",
    fromContract: "Die Zusagen dieses Verkaufs werden aus seinem Contract gelesen.",
    isDraft: "Der Verkauf ist ein Entwurf. Öffnen Sie ihn zuerst.",
    isWithdrawn: "Der Verkauf ist zurückgezogen.",
    back: "Zurück zum Verkauf",
    sent: {
      one: "Eine Zusage von {all} ist gesendet. Lassen Sie diese Seite offen, bis sie das Ergebnis zeigt.",
      other: "{count} Zusagen von {all} sind gesendet. Lassen Sie diese Seite offen, bis sie das Ergebnis zeigt.",
    },
    nothing: "Es wurde nichts eingelesen",
    empty: "Die Datei enthält keine Zusagen.",
    mend: "Berichtigen Sie, was unten steht, und senden Sie die Datei noch einmal: Sie wird als Ganzes eingelesen oder gar nicht.",
    applied:
      "Diese Datei wurde am letzten Tag schon eingelesen: Es hat sich nichts geändert. Um sie noch einmal einzulesen, fügen Sie eine leere Zeile hinzu.",
    again:
      "Zu sehen ist die ganze Datei oder nichts davon. Senden Sie dieselbe Datei noch einmal, um fortzufahren: Nichts wird doppelt gespeichert.",
    commitments: { one: "Eine Zusage", other: "{count} Zusagen" },
    ofEntities: { one: "{commitments} von einem Teilnehmer.", other: "{commitments} von {count} Teilnehmern." },
    total: "Insgesamt {amount} {token}.",
  },
  downloads: {
    title: "Alle Zusagen herunterladen",
    text: "Alle Zusagen zu einem Zeitpunkt, auch die, die nicht zählen, mit einer Zeile je Wallet und Token. Eine Datei, die abbricht, ist unvollständig: Laden Sie sie noch einmal herunter.",
    people: "Für Menschen",
    peopleText:
      "Für Tabellenprogramme: Beträge und Preise in ganzen Token mit ihren Symbolen, und Zeiten in Ihrer Zeitzone. Die Spalten sind auf Englisch.",
    zone: "Zeitzone",
    downloadPeople: "Für Menschen herunterladen",
    exact: "Genau",
    exactText:
      "Für Programme: jedes Feld, wie es gespeichert ist, Beträge in den kleinsten Einheiten ihres Tokens, Zeiten in UTC.",
    downloadExact: "Genau herunterladen",
    noSaleTitle: "Diesen Verkauf gibt es nicht",
    noSaleText:
      "Es gibt ihn nicht, er ist noch nicht offen, oder Sie sind kein Mitglied. Seine Inhaber können Sie hinzufügen.",
    noZoneTitle: "Diese Zeitzone gibt es nicht",
    noZoneText: "Gehen Sie zurück, und wählen Sie eine aus der Liste, zum Beispiel Europe/Berlin.",
    notYetTitle: "Diese Datei lässt sich derzeit nicht erstellen",
    notYetText: "Bitte versuchen Sie es in ein paar Minuten noch einmal.",
  },
};
