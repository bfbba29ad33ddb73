import { type ListLine, readLimits, readRefusals } from "../../../common/sale/settlement/list-csv.ts";
import type { EntityLimit, Refusal, SettlementBook } from "../../../common/sale/settlement/settlement-book.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";
import { fileChunks } from "../files/file-chunks.ts";
import { fileFailure } from "../files/file-failure.ts";
import { counted } from "../output/counted.ts";

/** The options that name the lists. */
export const LIST_FILES: CommandOptions = {
  refusals: { type: "string", value: "FILE", help: "CSV: entity_id, wallet, reason; nothing is accepted of these" },
  limits: { type: "string", value: "FILE", help: "CSV: entity_id, largest; the most that is accepted of an entity" },
};

/** Lines whose numbers are shown. */
const SHOWN_LINES = 10;

/** A book with the lines of the founder's lists that match something in it. */
export interface ListedBook {
  readonly book: SettlementBook;
  /** Texts for people about lines that match nothing. */
  readonly remarks: readonly string[];
}

/** Reads the lists that a command line names into a book. @throws CommandFailure for a file that breaks a rule or can't be read */
export async function withLists(book: SettlementBook, input: CommandInput): Promise<ListedBook> {
  const refusals = await fileOf(input.text("refusals"), readRefusals);
  const limits = await fileOf(input.text("limits"), readLimits);
  const entities = new Set(book.commitments.map(({ entityId }) => entityId));
  const wallets = new Set(book.commitments.flatMap(({ amounts }) => amounts.map(({ wallet }) => wallet)));
  const isThere = (refusal: Refusal) =>
    refusal.kind === "entity" ? entities.has(refusal.entityId) : wallets.has(refusal.wallet);
  const isLimited = ({ entityId }: EntityLimit) => entities.has(entityId);
  const listed = { refusals: matching(refusals, isThere), limits: matching(limits, isLimited) };
  return {
    book: { ...book, ...listed },
    remarks: [
      ...remarksOf(input.text("refusals"), refusals, isThere),
      ...remarksOf(input.text("limits"), limits, isLimited),
    ],
  };
}

type Read<Item> = (chunks: AsyncIterable<Uint8Array>) => Promise<readonly ListLine<Item>[]>;

async function fileOf<Item>(path: string | undefined, read: Read<Item>): Promise<readonly ListLine<Item>[]> {
  if (path === undefined) return [];
  try {
    return await read(fileChunks(path, () => {}));
  } catch (error) {
    throw fileFailure(path, error);
  }
}

function matching<Item>(lines: readonly ListLine<Item>[], isThere: (item: Item) => boolean): readonly Item[] {
  return lines.flatMap(({ item }) => (isThere(item) ? [item] : []));
}

function remarksOf<Item>(
  path: string | undefined,
  lines: readonly ListLine<Item>[],
  isThere: (item: Item) => boolean,
): readonly string[] {
  const others = lines.flatMap(({ line, item }) => (isThere(item) ? [] : [line]));
  if (path === undefined || others.length === 0) return [];
  const shown = others.slice(0, SHOWN_LINES).join(", ");
  const more = others.length > SHOWN_LINES ? ", …" : "";
  return [
    `${path}: ${counted(BigInt(others.length), "line")} of nobody who has bid, and not in the plan: ${shown}${more}`,
  ];
}
