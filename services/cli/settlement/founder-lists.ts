import { type ListLine, readLimits, readRefusals } from "../../../common/sale/settlement/list-csv.ts";
import type { FounderLists, ListedBook } from "../../../common/sale/settlement/listed-book.ts";
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

/** Reads the lists that a command line names. @throws CommandFailure for a file that breaks a rule or can't be read */
export async function founderLists(input: CommandInput): Promise<FounderLists> {
  return {
    refusals: await fileOf(input.text("refusals"), readRefusals),
    limits: await fileOf(input.text("limits"), readLimits),
  };
}

/** Returns texts for people about lines of the lists that match nothing. */
export function remarksOf({ unmatched }: ListedBook, input: CommandInput): readonly string[] {
  return [...remarkOf(input.text("refusals"), unmatched.refusals), ...remarkOf(input.text("limits"), unmatched.limits)];
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

function remarkOf(path: string | undefined, lines: readonly number[]): readonly string[] {
  if (path === undefined || lines.length === 0) return [];
  const shown = lines.slice(0, SHOWN_LINES).join(", ");
  const more = lines.length > SHOWN_LINES ? ", …" : "";
  return [
    `${path}: ${counted(BigInt(lines.length), "line")} of nobody who has bid, and not in the plan: ${shown}${more}`,
  ];
}
