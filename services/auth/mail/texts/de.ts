import type { MailTexts } from "./en.ts";

/** The German texts of mails. */
export const DE = {
  signIn: {
    subject: "{code} ist Ihr Anmeldecode",
    asked: "Sie möchten sich anmelden. Dies ist der Code:",
    askedByApplication:
      "Sie möchten sich bei der Anwendung „{application}“ des Verkaufs „{sale}“ anmelden. Dies ist der Code:",
    ignore: "Waren Sie es nicht, dann ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand anmelden.",
  },
  emailChange: {
    subject: "{code} ist Ihr Code zum Ändern der E-Mail-Adresse",
    asked: "Sie möchten diese E-Mail-Adresse für Ihr Konto verwenden. Dies ist der Code, der sie bestätigt:",
    ignore: "Waren Sie es nicht, dann ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts.",
  },
  code: {
    place:
      "Geben Sie ihn innerhalb von {minutes} Minuten bei {host} ein. Er gilt einmal und nur in dem Browser, der ihn angefordert hat: {browser}.",
    time: "Angefordert wurde er am {time}.",
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
      "Waren Sie es nicht, dann wenden Sie sich sofort an den Anbieter des Verkaufs: Jemand anders kann sich jetzt anmelden. Nehmen Sie die Adresse auf der Seite des Verkaufs, wenn dort eine steht. Haben Sie einen weiteren Passkey, dann melden Sie sich damit an und entfernen diesen.",
  },
  passkeyRemoved: {
    subject: "Ein Passkey Ihres Kontos wurde entfernt",
    text: "Der Passkey „{name}“ wurde aus Ihrem Konto entfernt; benutzt wurde: {browser}. Mit ihm kann sich nun niemand mehr anmelden.",
    advice:
      "Waren Sie es nicht, dann wenden Sie sich sofort an den Anbieter des Verkaufs. Nehmen Sie die Adresse auf der Seite des Verkaufs, wenn dort eine steht.",
  },
  passkeyCopied: {
    subject: "Eine Anmeldung mit Ihrem Passkey wurde abgelehnt",
    text: "Eine Anmeldung mit Ihrem Passkey „{name}“ wurde abgelehnt; benutzt wurde: {browser}. Sein Zähler ist seit der letzten Anmeldung nicht gestiegen, vielleicht gibt es eine Kopie von ihm.",
    advice:
      "Waren Sie es, dann versuchen Sie es noch einmal. Wird er wieder abgelehnt oder waren Sie es nicht, dann melden Sie sich mit einem anderen Passkey an und entfernen diesen. Haben Sie keinen anderen, dann melden Sie sich mit einem Code an und wählen in Ihrem Konto „{link}“.",
  },
  passkeyRequired: {
    subject: "Ihr Konto verlangt nun einen Passkey",
    text: "Ab jetzt brauchen Sie zum Anmelden einen Passkey; eingestellt mit: {browser}. Sitzungen, die mit einem Code begonnen hatten, sind beendet, ebenso der Zugriff der Anwendungen, bei denen Sie sich mit einem Code angemeldet hatten.",
  },
  passkeyNotRequired: {
    subject: "Ihr Konto verlangt keinen Passkey mehr",
    text: "Ab jetzt genügt zum Anmelden ein Code aus einer E-Mail; eingestellt mit: {browser}.",
  },
  recoveryBegun: {
    subject: "Jemand will Ihr Konto ohne Passkeys wiederherstellen",
    text: "Jemand, der einen Code aus diesem Postfach eingegeben hat, gibt an, alle Passkeys Ihres Kontos verloren zu haben, und will sich ohne sie anmelden. Ab {ready} ist das mit einem Code aus diesem Postfach möglich: Die Passkeys werden dann entfernt.",
    stop: "Haben Sie noch einen Passkey, oder waren Sie es nicht, dann brechen Sie es ab: Melden Sie sich bei {host} an, am besten mit Ihrem Passkey, und wählen Sie in Ihrem Konto „{button}“. Auch eine Anmeldung mit einem Passkey bricht sie ab.",
  },
  recoveryBegunByOperator: {
    subject: "Der Betreiber hat die Wiederherstellung Ihres Kontos begonnen",
    text: "Der Betreiber dieses Dienstes hat die Wiederherstellung Ihres Kontos begonnen, weil jemand anders einen Passkey davon haben kann. Ab {ready} können Sie sie mit einem Code aus diesem Postfach bei {host} abschließen: Alle Passkeys werden dann entfernt. Nur der Betreiber kann sie abbrechen.",
  },
  recoveryReminder: {
    subject: "Ihr Konto kann morgen wiederhergestellt werden",
    text: "Ab {ready} kann jemand mit einem Code aus diesem Postfach die Passkeys Ihres Kontos entfernen und sich ohne sie anmelden.",
    stop: "Haben Sie noch einen Passkey, oder waren Sie es nicht, dann brechen Sie es jetzt ab: Melden Sie sich bei {host} an, am besten mit Ihrem Passkey, und wählen Sie in Ihrem Konto „{button}“.",
  },
  recoveryReady: {
    subject: "Ihr Konto kann nun wiederhergestellt werden",
    text: "Bis {end} können Sie Ihr Konto wiederherstellen: Melden Sie sich bei {host} mit einem Code aus diesem Postfach an. Die Passkeys werden dann entfernt.",
    stop: "Haben Sie noch einen Passkey, oder waren Sie es nicht, dann brechen Sie es jetzt ab: Melden Sie sich bei {host} an, am besten mit Ihrem Passkey, und wählen Sie in Ihrem Konto „{button}“.",
  },
  recoveryStopped: {
    subject: "Die Wiederherstellung Ihres Kontos wurde abgebrochen",
    text: "Die Wiederherstellung Ihres Kontos wurde abgebrochen; benutzt wurde: {browser}. Die Passkeys bleiben.",
    again:
      "Waren Sie es nicht, dann liest jemand anders dieses Postfach: Sichern Sie es zuerst, etwa mit einem neuen Passwort, und beginnen Sie dann noch einmal.",
  },
  recoveryExpired: {
    subject: "Die Wiederherstellung Ihres Kontos ist verfallen",
    text: "Die Wiederherstellung Ihres Kontos wurde nicht rechtzeitig abgeschlossen. Geändert hat sich nichts. Sie können noch einmal beginnen.",
  },
  recoveryCompleted: {
    subject: "Ihr Konto wurde wiederhergestellt, seine Passkeys wurden entfernt",
    text: "Ihr Konto wurde wiederhergestellt; benutzt wurde: {browser}. Seine Passkeys sind entfernt, alle Sitzungen beendet, ebenso der Zugriff aller Anwendungen. Zum Anmelden genügt nun ein Code aus diesem Postfach. Fügen Sie bald einen neuen Passkey hinzu.",
  },
  saleAlert: {
    out: {
      subject: "Ein Gebot von Ihnen ist nicht erfolgreich",
      text: "Ein Gebot von Ihnen im Verkauf „{sale}“ ist jetzt zu niedrig: Es bekäme nichts, wenn der Verkauf in diesem Augenblick endete.",
    },
    atMargin: {
      subject: "Ein Gebot von Ihnen liegt an der Grenze",
      text: "Ein Gebot von Ihnen im Verkauf „{sale}“ liegt genau beim Clearing-Preis, zu dem mehr geboten ist, als sich kaufen lässt. Es bekäme nur einen Teil oder nichts, wenn der Verkauf jetzt endete.",
    },
    closesInDay: {
      subject: "Ein Verkauf schließt in 24 Stunden",
      text: "Der Verkauf „{sale}“ schließt in etwa 24 Stunden: am {time}, sagt sein Anbieter.",
    },
    closesInHour: {
      subject: "Ein Verkauf schließt in einer Stunde",
      text: "Der Verkauf „{sale}“ schließt in etwa einer Stunde: am {time}, sagt sein Anbieter.",
    },
    settled: {
      subject: "Ein Verkauf ist abgerechnet",
      text: "Der Verkauf „{sale}“ ist abgerechnet.",
    },
    look: "Wie Ihre Gebote jetzt stehen, zeigt Ihr Konto:",
    asked: "Um E-Mails zu diesem Verkauf hatten Sie gebeten. Wenn Sie keine mehr möchten:",
  },
  notYou:
    "Waren Sie es nicht, dann wenden Sie sich sofort an den Anbieter des Verkaufs. Nehmen Sie die Adresse auf der Seite des Verkaufs, wenn dort eine steht.",
  browser: {
    onSystem: "{browser} unter {system}",
    unknown: "ein unbekannter Browser",
    unknownOnSystem: "ein Browser unter {system}",
  },
} as const satisfies MailTexts;
