import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SentLine } from "../../../common/internal-api/send-list.ts";
import { enumNames, enumNumber } from "../../../common/platform/encoding/enum-name.ts";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import { listRecords } from "../../../common/sale/csv/list-records.ts";
import { EntityType, EntityTypeSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { ImportedEntityIdSchema } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { readEntityId } from "../input/entity-id.ts";

/** The columns of a file of entity IDs; `label` and `entity_uuid` may be left out. */
export const ENTITY_ID_COLUMNS = ["email", "type", "label", "entity_uuid", "sale_specific_entity_id"] as const;

type Column = (typeof ENTITY_ID_COLUMNS)[number];
type Fields = (column: Column) => string;
export type EntityIdRow = MessageInitShape<typeof ImportedEntityIdSchema>;

const REQUIRED: readonly Column[] = ["email", "type", "sale_specific_entity_id"];

/**
 * Reads a file of entity IDs: its first line names the columns, in any order. It repeats nothing of a line in the text of its
 * problem, so that no e-mail address gets into a log.
 *
 * @throws ListFileError for a file that can't be read any further, or has other columns
 */
export async function* readEntityIds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SentLine<EntityIdRow>, void> {
  let columns: readonly Column[] | undefined;
  for await (const { line, fields } of listRecords(chunks)) {
    if (columns === undefined) columns = columnsOf(line, fields);
    else yield { line, ...lineOf(columns, fields) };
  }
  if (columns === undefined) throw new ListFileError(undefined, "the file is empty");
}

function columnsOf(line: number, names: readonly string[]): readonly Column[] {
  const columns = names.map((name) => name.toLowerCase());
  const columnNames = columns.filter(isColumn);
  if (columnNames.length !== columns.length || new Set(columnNames).size !== columnNames.length) {
    throw new ListFileError(line, `the first line must name the columns, of these: ${ENTITY_ID_COLUMNS.join(", ")}`);
  }
  const missing = REQUIRED.filter((name) => !columnNames.includes(name));
  if (missing.length > 0) throw new ListFileError(line, `the first line lacks ${missing.join(", ")}`);
  return columnNames;
}

function isColumn(name: string): name is Column {
  return (ENTITY_ID_COLUMNS as readonly string[]).includes(name);
}

type Problem = { readonly field: string; readonly problem: string };

function lineOf(columns: readonly Column[], fields: readonly string[]): { readonly row: EntityIdRow } | Problem {
  if (fields.length !== columns.length) {
    return { field: "", problem: `the line has ${fields.length} fields, and the first line ${columns.length}` };
  }
  const values = new Map(columns.map((column, index) => [column, fields[index] ?? ""]));
  const value: Fields = (column) => values.get(column) ?? "";
  const problem = lengthProblem(value);
  return problem ?? rowOf(value);
}

/** Bounds of the contract, in characters. A row outside of them would have its whole part refused, and not its line. */
const LENGTHS = { email: [3, 254], label: [0, 100] } as const;

function lengthProblem(value: Fields): Problem | undefined {
  for (const column of ["email", "label"] as const) {
    const [least, most] = LENGTHS[column];
    const { length } = value(column);
    if (length < least || length > most) return { field: column, problem: `must have ${least} to ${most} characters` };
  }
  return undefined;
}

function rowOf(value: Fields): { readonly row: EntityIdRow } | Problem {
  const type = enumNumber(EntityTypeSchema, value("type").toLowerCase()) ?? EntityType.UNSPECIFIED;
  if (type === EntityType.UNSPECIFIED) {
    return { field: "type", problem: `must be one of ${enumNames(EntityTypeSchema).join(", ")}` };
  }
  const entityUuid = value("entity_uuid") === "" ? "" : parseUuid(value("entity_uuid"));
  if (entityUuid === undefined) return { field: "entity_uuid", problem: "must be a valid UUID, or empty" };
  const saleSpecificEntityId = readEntityId(value("sale_specific_entity_id"));
  if (saleSpecificEntityId === undefined) {
    return { field: "sale_specific_entity_id", problem: "must be 0x and 32 hexadecimal digits" };
  }
  return { row: { email: value("email"), type, label: value("label"), entityUuid, saleSpecificEntityId } };
}
