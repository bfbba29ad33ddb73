import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LANGUAGES, type Language } from "../../common/platform/language/language.ts";
import { BID_SENTENCES, NOTE_SENTENCES } from "../testing/sentences/bids.ts";
import { FRESHNESS_SENTENCES, SAID_AT, SOURCE_SENTENCES } from "../testing/sentences/freshness.ts";
import { EMPTY_SENTENCES, OFFER_SENTENCES } from "../testing/sentences/offers.ts";
import { STAGE_SENTENCES } from "../testing/sentences/stages.ts";
import { tableOf } from "../testing/sentences/table.ts";
import { TEXTS } from "../web/texts/texts.ts";

const FILE = join(import.meta.dirname, "../testing/sentences/state-sentences.md");
const HEAD = `# What a sale’s page says of each state

Made by \`gateway/sale-page/state-sentences.test.ts\`: run it with \`-u\` when a sentence is to change, and read the difference.
States of which the same is said are one row. The parts of a cell are said in different places of the page.
`;
const SECTIONS = [
  STAGE_SENTENCES,
  FRESHNESS_SENTENCES,
  SOURCE_SENTENCES,
  OFFER_SENTENCES,
  EMPTY_SENTENCES,
  BID_SENTENCES,
  NOTE_SENTENCES,
];

/** Texts of these groups that are said whatever the state of a sale: names, hints and answers to what a reader does. */
const STATELESS: Readonly<Record<string, readonly string[]>> = {
  status: [],
  stage: [],
  liveness: ["unknown"],
  fault: [],
  summary: [],
  bid: [],
  live: ["pause", "resume", "reload"],
  label: ["commitments", "perToken", "perUnit"],
  chart: [
    "history",
    "demand",
    "clearing",
    "count",
    "numbers",
    "time",
    "bidOrMore",
    "bid",
    "tried",
    "supply",
    "described",
    "atTime",
    "atOrMore",
    "tabs",
    "historyTab",
    "demandTab",
    "clearingTab",
    "countTab",
    "historyShows",
    "demandShows",
    "clearingShows",
    "countShows",
  ],
  tile: [
    ...["final", "offered", "diluted", "tokens", "units", "less", "more", "exact", "shareOfAll", "inAll", "atPrice"],
    ...["copy", "copied", "notCopied", "rounding", "exactly"],
  ],
  list: ["title", "caption", "time", "wallet", "amount", "moreWallets"],
};

beforeEach(() => void vi.useFakeTimers({ now: SAID_AT }));
afterEach(() => void vi.useRealTimers());

const table = () => [HEAD, ...SECTIONS.map(tableOf)].join("\n");

/** Returns the texts of a group by their keys; those of a count by the forms of it. */
function textsOf(language: Language, group: string): readonly (readonly [key: string, text: string])[] {
  const named = (TEXTS[language].sale as Readonly<Record<string, object>>)[group] ?? {};
  return Object.entries(named).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : Object.values<string>(text).map((form) => [key, form] as const),
  );
}

/** Returns a text as a pattern that matches nothing else. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Whether a text stands in a table, with anything in its places and no other word beside it in its part of a cell. */
function standsIn(sentences: string, text: string): boolean {
  const parts = text.split(/\{\w+\}/).map((part) => escaped(part.replaceAll(/[\u00a0\u202f]/g, " ")));
  return new RegExp(`[|·–:] ${parts.join("[^|·]+?")}(?=[.:,]? )`).test(sentences);
}

it("is in one table, which a person reads before it changes", async () => {
  await expect(table()).toMatchFileSnapshot(FILE);
});

it.each(LANGUAGES)("has no sentence that stands in no row (%s)", (language) => {
  const sentences = table();
  const missing = Object.entries(STATELESS).flatMap(([group, stateless]) =>
    textsOf(language, group)
      .filter(([key, text]) => !stateless.includes(key) && !standsIn(sentences, text))
      .map(([key, text]) => `${group}.${key}: ${text}`),
  );
  expect(missing).toEqual([]);
});

it("finds a sentence that stands in no row", () => {
  expect(standsIn(table(), "Nobody has bid.")).toBe(true);
  expect(standsIn(table(), "has bid.")).toBe(false);
  expect(standsIn(table(), "Nobody has bid for {count} days.")).toBe(false);
});
