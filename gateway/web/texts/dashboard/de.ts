import type { DashboardTexts } from "./en.ts";

/** The German texts of the pages of founders and reviewers. */
export const DASHBOARD_DE: DashboardTexts = {
  base: {
    path: "Wo Sie sind",
    copy: "Kopieren",
    copied: "Kopiert",
    notCopied: "Nicht kopiert",
    copyOf: "{what} kopieren",
    problems: { one: "Es gibt ein Problem", other: "Es gibt {count} Probleme" },
    labelled: "{label}: {text}",
    missingTitle: "Diesen Verkauf gibt es nicht",
    missingText:
      "Oder Sie sind kein Mitglied. Melden Sie sich mit einer anderen Adresse an, oder bitten Sie einen Inhaber des Verkaufs, Sie einzuladen.",
    roleTitle: "Ihre Rolle erlaubt das nicht",
    roleText:
      "Es wurde nichts geändert. Bitten Sie einen Inhaber des Verkaufs, es zu tun oder Ihnen eine andere Rolle zu geben.",
    passkeyTitle: "Dieser Verkauf verlangt einen Passkey",
    passkeyByCode:
      "Seine Inhaber verlangen ihn von Inhabern und Bearbeitern, und Sie haben sich mit einem Code angemeldet.",
    passkeyNone:
      "Seine Inhaber verlangen ihn von Inhabern und Bearbeitern. Ihr Konto hat noch keinen Passkey: Fügen Sie einen hinzu, und melden Sie sich dann damit an.",
    signInWithPasskey: "Mit Passkey anmelden",
    addPasskey: "Passkey hinzufügen",
    logosTitle: "Diese Dateien sind zu groß",
    logosText: "Ein Logo darf höchstens 200 KB haben. Es wurde nichts geändert.",
    noBoundary: "Sein Inhaltstyp nennt keine Grenze der Teile („boundary“).",
    manyParts: "Es hat mehr als {parts} Teile. Es wurde nichts geändert.",
    incomplete: "Es kam unvollständig an. Bitte senden Sie es noch einmal.",
    listTitle: "Diese Liste ist zu groß",
    listText:
      "Eine Liste darf hier höchstens 12 MB haben. Teilen Sie sie, oder bitten Sie den Betreiber, sie einzulesen. Es wurde nichts geändert.",
    noListTitle: "Es gibt keine Liste",
    noListText:
      "Wählen Sie eine Datei, oder geben Sie die Zeilen ein, und senden Sie das Formular noch einmal. Es wurde nichts geändert.",
    otherListsTitle: "Andere Listen werden gerade eingelesen",
    otherListsText: "Bitte senden Sie Ihre in einer Minute noch einmal. Es wurde nichts davon gespeichert.",
    file: "Datei",
    lines: "Oder die Zeilen selbst",
    linesHint: "Sie gelten, wenn keine Datei gewählt ist.",
    typedName: "Name des Verkaufs",
    typedNameHint: "Geben Sie ihn zur Bestätigung genau so ein: {name}",
    typedNameError: "Geben Sie den Namen des Verkaufs genau so ein, wie er gezeigt wird",
    timeForm: "Geben Sie Datum und Uhrzeit in UTC ein, zum Beispiel 2027-01-31 12:00",
    timeRange: "Wählen Sie eine Zeit nach 1970",
    member: "Mitglied",
    viewer: "Leser",
    viewerDetail: "Sieht alles und ändert nichts",
    editor: "Bearbeiter",
    editorDetail: "Ändert Einstellungen und Anwendungen, aber nicht, wohin Nutzer geleitet werden",
    owner: "Inhaber",
    ownerDetail: "Darf alles: Redirect-URIs, Mitglieder, Öffnen und Abrechnen",
  },
  members: {
    title: "Mitglieder",
    email: "E‑Mail-Adresse",
    emailHint: "Mit dieser Adresse meldet sich das Mitglied an; ein Konto braucht es noch nicht.",
    role: "Rolle",
    roleError: "Wählen Sie eine Rolle",
    set: "Das Mitglied ist gespeichert. Alle Inhaber werden per E‑Mail benachrichtigt.",
    removed: "Das Mitglied ist entfernt. Alle Inhaber werden per E‑Mail benachrichtigt.",
    passkeysRequired:
      "Inhaber und Bearbeiter brauchen ab jetzt einen Passkey. Alle Inhaber werden per E‑Mail benachrichtigt.",
    passkeysNotRequired: "Niemand braucht mehr einen Passkey. Alle Inhaber werden per E‑Mail benachrichtigt.",
    all: "Wer dazugehört",
    roles: "Rollen",
    change: "Mitglieder ändern",
    leaveTitle: "Verkauf verlassen",
    roleOf: "Rolle von {email}",
    saveRoleOf: "Rolle von {email} speichern",
    save: "Speichern",
    you: "Sie",
    passkey: "Passkey",
    leave: "Verlassen",
    leaveSale: "Verkauf verlassen",
    remove: "Entfernen",
    removeOf: "{email} entfernen",
    inviteTitle: "Jemanden einladen",
    invite: "Einladen",
    passkeys: "Passkeys",
    ruleOn: "Inhaber und Bearbeiter müssen sich mit einem Passkey anmelden. Leser brauchen keinen.",
    ruleOff:
      "Wer die E‑Mails eines Inhabers oder Bearbeiters liest, kann sich an dessen Stelle anmelden. Mit Passkeys geht das nicht.",
    endRuleEffect:
      "Ohne diese Regel genügt wieder ein Code aus einer E‑Mail. Alle Inhaber werden per E‑Mail benachrichtigt.",
    ruleEffect:
      "Danach können Inhaber und Bearbeiter, die sich mit einem Code angemeldet haben, den Verkauf weder sehen noch ändern, bis sie sich mit einem Passkey anmelden. Wer keinen hat, kann im eigenen Konto einen hinzufügen. Alle Inhaber werden per E‑Mail benachrichtigt.",
    endRule: "Passkeys nicht mehr verlangen",
    makeRule: "Passkeys verlangen",
    ruleNeedsPasskey:
      "Um das zu ändern, melden Sie sich zuerst mit einem Passkey an. Hinzufügen können Sie einen in {account}.",
    yourAccount: "Ihrem Konto",
    onlyOwner:
      "Kein anderer Inhaber hat einen Passkey. Wenn Sie Ihren verlieren, kann niemand den Verkauf ändern, bis Sie Ihr Konto wiederhergestellt haben, was 72 Stunden dauert. Lassen Sie zuerst einen zweiten Inhaber einen hinzufügen.",
  },
};
