import { canonicalAddress } from "../../chains/addresses.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { FieldReader, MAX_UINT256 } from "../csv/field-reader.ts";
import { ImportError } from "../csv/import-error.ts";
import { listRecords } from "../csv/list-records.ts";
import { type EntityLimit, type Refusal, refusedId } from "./settlement-book.ts";

const ENTITY_BYTES = 16;
const MAX_REASON = 500;

/** Something that a line of a file says, with the line. */
export interface ListLine<Item> {
  readonly line: number;
  readonly item: Item;
}

type Row<Column extends string> = Readonly<Record<Column, string>>;

/**
 * Reads a file of refusals: entity or wallet, and reason.
 *
 * @throws ImportError for the first line that breaks a rule, or names what an earlier one does; ListFileError
 */
export function readRefusals(chunks: AsyncIterable<Uint8Array>): Promise<readonly ListLine<Refusal>[]> {
  return readList(chunks, ["entity_id", "wallet", "reason"], refusalOf, refusedId);
}

/** Reads a file of limits: entity, and largest amount in smallest payment units. Errors are those of `readRefusals`. */
export function readLimits(chunks: AsyncIterable<Uint8Array>): Promise<readonly ListLine<EntityLimit>[]> {
  return readList(chunks, ["entity_id", "largest"], limitOf, ({ entityId }) => entityId);
}

function refusalOf(line: number, { entity_id, wallet, reason }: Row<"entity_id" | "wallet" | "reason">): Refusal {
  if ((entity_id === "") === (wallet === "")) throw new ImportError(line, "must name an entity or a wallet, not both");
  if (reason === "" || reason.length > MAX_REASON) {
    throw new ImportError(line, `must have 1 to ${MAX_REASON} characters`, "reason");
  }
  if (entity_id !== "") return { kind: "entity", entityId: entityOf(line, entity_id), reason };
  const address = canonicalAddress(wallet);
  if (address === undefined) throw new ImportError(line, "must be an address", "wallet");
  return { kind: "wallet", wallet: address, reason };
}

function limitOf(line: number, { entity_id, largest }: Row<"entity_id" | "largest">): EntityLimit {
  const amount = new FieldReader(line).integer("largest", largest, MAX_UINT256);
  return { entityId: entityOf(line, entity_id), largest: amount };
}

function entityOf(line: number, text: string): string {
  return hexOfBytes(new FieldReader(line).bytes("entity_id", text, ENTITY_BYTES));
}

async function readList<Column extends string, Item>(
  chunks: AsyncIterable<Uint8Array>,
  columns: readonly Column[],
  itemOf: (line: number, row: Row<Column>) => Item,
  keyOf: (item: Item) => string,
): Promise<readonly ListLine<Item>[]> {
  const lines: ListLine<Item>[] = [];
  const lineOfKey = new Map<string, number>();
  let names: readonly string[] | undefined;
  for await (const { line, fields } of listRecords(chunks)) {
    if (names === undefined) {
      names = checkedNames(line, fields, columns);
      continue;
    }
    if (fields.length !== names.length) throw new ImportError(line, `must have ${names.length} fields`);
    const row = Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ""])) as Row<Column>;
    const item = itemOf(line, row);
    const earlier = lineOfKey.get(keyOf(item));
    if (earlier !== undefined) throw new ImportError(line, `names what line ${earlier} names`);
    lineOfKey.set(keyOf(item), line);
    lines.push({ line, item });
  }
  if (names === undefined) throw new ImportError(1, `the first line must name the columns ${columns.join(", ")}`);
  return lines;
}

/** @throws ImportError for other columns */
function checkedNames(line: number, fields: readonly string[], columns: readonly string[]): readonly string[] {
  const isSame = fields.length === columns.length && columns.every((column) => fields.includes(column));
  if (!isSame) throw new ImportError(line, `the first line must name the columns ${columns.join(", ")}`);
  return fields;
}
