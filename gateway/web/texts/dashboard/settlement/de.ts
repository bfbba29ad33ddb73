import type { Translation } from "../../../../../common/platform/language/message.ts";
import type { SETTLEMENT_EN } from "./en.ts";

/** The German texts of the page with a sale's settlement plan. */
export const SETTLEMENT_DE: Translation<typeof SETTLEMENT_EN> = {
  settlementPlan: {
    title: "Abrechnungsplan",
    lead: "Wenn niemand mehr bieten oder zurücktreten kann: was der Verkauf von wem annimmt, nach einer geschriebenen Regel berechnet, als Dateien für die, die unterschreiben. Es wird nichts gesendet, und niemand fragt nach einem Schlüssel.",
    stateTitle: "Ist er jetzt möglich?",
    ready:
      "Nichts, was Tidemark vom Verkauf weiß, steht dagegen. Wenn Sie ihn erstellen, wird der Knoten des Betreibers gefragt, ob der Block der letzten Änderung endgültig ist.",
    readyWithoutContract: "Ja: Der Verkauf ist abgerechnet, und es wird nichts geändert.",
    notYet: "Noch nicht:",
    large:
      "Der Verkauf ist zu groß für einen Plan auf dieser Seite. Lassen Sie ihn vom Betreiber mit dem Befehl unten erstellen.",
    ruleTitle: "Die Regel",
    auctionRule:
      "Alle zahlen den Clearing-Preis: den höchsten, bei dem die Gebote zu ihm oder darüber alle Token bezahlen. Auch abgelehnte Gebote zählen dafür, denn diesen Preis haben alle gesehen.",
    auctionSides:
      "Gebote darüber kommen zuerst. Die zum Clearing-Preis teilen sich den Rest im Verhältnis ihrer Beträge, abgerundet. Was beim Runden übrig bleibt, bekommt niemand.",
    fixedRule:
      "Alle zahlen den Festpreis. Wollen alle zusammen mehr, als angeboten ist, bekommt jeder einen Teil im Verhältnis seines Betrags, abgerundet. Was beim Runden übrig bleibt, bekommt niemand.",
    unboundedRule:
      "Alle zahlen den Festpreis, und alles wird angenommen, was nicht abgelehnt ist, denn der Verkauf nennt keine Anzahl angebotener Token.",
    wholeRule:
      "Die ganze Regel steht in docs/settlement.md von Tidemark, auf Englisch, damit jeder den Plan nachrechnen kann.",
    formTitle: "Plan erstellen",
    refusals: "Ablehnungen",
    refusalsHint:
      "Eine CSV-Datei, falls jemand abgelehnt wird. Ihre erste Zeile ist entity_id,wallet,reason; jede weitere nennt einen Teilnehmer oder eine Wallet, von denen nichts angenommen wird, und den Grund. Die Gründe stehen im Plan, den auch andere sehen.",
    limits: "Obergrenzen",
    limitsHint:
      "Eine CSV-Datei, falls es welche gibt. Ihre erste Zeile ist entity_id,largest; jede weitere hat den größten Betrag, der von einem Teilnehmer angenommen wird, in kleinsten Einheiten des Zahlungs-Tokens.",
    batch: "Zuteilungen in einem Aufruf",
    batchHint:
      "Höchstens, von 1 bis 9.999. Ein Aufruf mit 200 braucht Millionen Gas: Lassen Sie den größten von Ihrem Knoten schätzen, bevor jemand unterschreibt.",
    batchError: "Schreiben Sie eine ganze Zahl von 1 bis 9999",
    make: "Plan erstellen",
    uploadTitle: "Diese Listen sind zu groß",
    uploadText: "Hier darf jede höchstens 256 KB haben. Lassen Sie den Plan vom Betreiber mit dem Befehl erstellen.",
    noPlan: "Es wurde kein Plan erstellt",
    changes: "Der Verkauf hat sich geändert, während er gelesen wurde. Bitte versuchen Sie es noch einmal.",
    notFinal: "Der Block der letzten Änderung ist nicht endgültig, und was er sagt, kann noch zurückgenommen werden:",
    nobodySays:
      "Niemand kann jetzt sagen, ob der Block der letzten Änderung endgültig ist oder welche Version der Contract hat. Bitte versuchen Sie es in einer Minute noch einmal, oder lassen Sie den Plan vom Betreiber mit dem Befehl erstellen.",
    tooManyChecks: "Sie haben zu oft Contracts prüfen lassen. Bitte versuchen Sie es in einer Minute noch einmal.",
    otherFigures:
      "Nach der Regel wären Summe, Anzahl oder Preis andere als die, die Tidemark veröffentlicht. Das ist ein Fehler: Sagen Sie es dem Betreiber, und lassen Sie niemanden unterschreiben.",
    madeTitle: "Der Plan",
    hash: "SHA-256 von plan.json",
    compare:
      "Lassen Sie ihn auch von jemand anderem erstellen, mit dem Befehl und einem Knoten, dem er vertraut, und vergleichen Sie diesen Hash, bevor jemand unterschreibt. Die Aufrufe gehören nicht dazu: Vergleichen Sie auch die Summen ihrer Dateien.",
    otherPlan:
      "Der Verkauf oder sein Plan hat sich inzwischen geändert, daher wurde nichts heruntergeladen. Dies ist der Plan von jetzt.",
    block: "Block der letzten Änderung",
    blockOf: "{height} von {chain}",
    revision: "Revision",
    price: "Preis",
    priceOf: "{price} ({ticks} Preisschritte)",
    committed: "Zugesagt",
    capacity: "Platz",
    unbounded: "Keine Grenze",
    accepted: "Angenommen",
    allocations: "Zuteilungen",
    lists: "Listen",
    listed: "{refusals}, {limits}",
    refusalCount: { one: "eine Ablehnung", other: "{count} Ablehnungen" },
    limitCount: { one: "eine Obergrenze", other: "{count} Obergrenzen" },
    calls: "Aufrufe",
    no_contract: "Keine: Der Verkauf wird aus keinem Contract gelesen. allocations.csv ist, was Tidemark einliest.",
    only_accounts:
      "Keine: Auf Solana kennt Tidemark die Konten des Programms, nicht seine Anweisungen. allocations.csv enthält, was in den Konten stehen muss.",
    unknown_version:
      "Keine: Weder der Contract noch die Einstellungen sagen seine Version, und Aufrufe sind nur für Version {known} bekannt.",
    other_version: "Keine: Der Contract hat Version {version}, und Aufrufe sind nur für Version {known} bekannt.",
    warning: "Die Quelle meldet eine Warnung:",
    refusalsUnmatched: {
      one: "Eine Zeile der Ablehnungen nennt niemanden, der geboten hat, und steht nicht im Plan: {lines}.",
      other: "{count} Zeilen der Ablehnungen nennen niemanden, der geboten hat, und stehen nicht im Plan: {lines}.",
    },
    limitsUnmatched: {
      one: "Eine Zeile der Obergrenzen nennt niemanden, der geboten hat, und steht nicht im Plan: {lines}.",
      other: "{count} Zeilen der Obergrenzen nennen niemanden, der geboten hat, und stehen nicht im Plan: {lines}.",
    },
    andMore: "{lines}, …",
    filesTitle: "Dateien",
    filesText: "Jede ist die Datei, die der Befehl schreibt, Byte für Byte.",
    filesTable: "Tabelle der Dateien",
    file: "Datei",
    sum: "SHA-256",
    safes: {
      one: "Dazu eine Datei für einen Safe, im Ordner safe.",
      other: "Dazu {count} Dateien für einen Safe, im Ordner safe, in der Reihenfolge ihrer Namen auszuführen.",
    },
    downloadAll: "Alles herunterladen (ZIP)",
    download: "{file} herunterladen",
    again: "Anderen Plan erstellen",
    commandTitle: "Mit dem Befehl",
    commandText:
      "Er erstellt dieselben Dateien, von einem Verkauf jeder Größe, und fragt einen Knoten Ihrer Wahl. Den Befehl und seinen Schlüssel hat der Betreiber.",
    commandLine: "Befehlszeile",
  },
  settlementObstacle: {
    settles_itself:
      "Sein Contract ist eine Continuous Clearing Auction, die Preis, Zuteilung und Erstattung nach eigenen Regeln bestimmt: Dafür gibt es keinen Plan.",
    sells_over_time:
      "Die Auktion verkauft schon während des Bietens und bestimmt selbst, was jedes Gebot bekommt: Kein Plan teilt sie auf.",
    not_public: "Der Verkauf muss offen oder abgerechnet sein.",
    no_snapshot: "Sein Contract muss einmal als Ganzes gelesen worden sein.",
    change_set_open: "Eine große Änderung wird gespeichert: Sie muss erst enden.",
    stage_unknown: "Niemand sagt die Phase seines Contracts: Sie muss „wird abgerechnet“ oder „abgerechnet“ sein.",
    bidding_or_cancelling:
      "Bieten und Zurücktreten müssen vorbei sein: Die Phase des Contracts muss „wird abgerechnet“ oder „abgerechnet“ sein, und ist „{stage}“.",
    still_open: "Ein Verkauf, der aus keinem Contract gelesen wird, muss erst abgerechnet werden.",
    source_unread: "Niemand sagt, von welchem Block die Zahlen sind.",
    source_fault: "Sein Contract kann nicht gelesen werden.",
    feed_stands_still: "Seine Zahlen stehen still.",
    sweep_runs: "Sein Contract wird gerade als Ganzes gelesen: Das muss erst enden.",
    sweep_waits: "Es wurde verlangt, den ganzen Contract zu lesen: Das muss erst enden.",
  },
};
