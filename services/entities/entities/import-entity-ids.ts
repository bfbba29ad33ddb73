import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { readEmailAddress } from "../../../common/platform/names/email-address.ts";
import { brokenNameRules } from "../../../common/platform/names/name-rules.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { EntityService, ImportedEntityId } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { EntityTypeName } from "../base/entity.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { typeOf } from "./entity-message.ts";
import {
  type EntityIds,
  findImportedByKey,
  type ImportedIdKey,
  importedIdKey,
  insertImportedIds,
  isImported,
} from "./imported-ids-store.ts";
import { isTaken } from "./sale-entities-store.ts";

/** The result of a row: stored (or it would be), there already, or refused with a reason. */
type RowResult = "stored" | "unchanged" | { readonly problem: string };

interface Import {
  readonly saleUuid: string;
  /** The keys and IDs of the rows before, each with its row: rows that contradict each other are found by them. */
  readonly rowsByKey: Map<string, string>;
  /** Stores the IDs of a row. Absent in a dry run. */
  readonly store?: (key: ImportedIdKey, ids: EntityIds) => Promise<void>;
}

/** Rows that are stored under one lock of the sale: its permits wait meanwhile. */
const TOGETHER = 50;

export function importEntityIds(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["importEntityIds"] {
  const { database, sales } = dependencies;
  return async ({ saleUuid, rows, dryRun }) => {
    await passingRefusals(sales.getSale({ saleUuid }));
    const check = (query: Kysely<EntitiesSchema>) =>
      importRows(dependencies, query, { saleUuid, rowsByKey: new Map() }, rows);
    const results = dryRun ? await database.read(check) : await storeRows(dependencies, saleUuid, rows);
    const problems = results.flatMap((result, row) =>
      typeof result === "string" ? [] : [{ row, message: result.problem }],
    );
    return { stored: results.filter((result) => result === "stored").length, problems };
  };
}

/** Stores rows, a few in each transaction. What was stored before a failure stays, and is found by a repetition. */
async function storeRows(
  dependencies: EntitiesContext,
  saleUuid: string,
  rows: readonly ImportedEntityId[],
): Promise<readonly RowResult[]> {
  const { database } = dependencies;
  const results: RowResult[] = [];
  let before: ReadonlyMap<string, string> = new Map();
  for (let start = 0; start < rows.length; start += TOGETHER) {
    const together = rows.slice(start, start + TOGETHER);
    // Two nodes of a database cluster may store the same key at once: the later one runs again and finds the row.
    const work = () =>
      database.writeLocked(async (transaction) => {
        await lockSaleForChange(transaction, database.dialect, saleUuid);
        const rowsByKey = new Map(before);
        const store: Import["store"] = (key, ids) => insertImportedIds(transaction, key, ids);
        return {
          rowsByKey,
          stored: await importRows(dependencies, transaction, { saleUuid, rowsByKey, store }, together),
        };
      });
    const { rowsByKey, stored } = await database.runExclusive(saleUuid, work);
    results.push(...stored);
    before = rowsByKey;
  }
  return results;
}

async function importRows(
  dependencies: EntitiesContext,
  query: Kysely<EntitiesSchema>,
  part: Import,
  rows: readonly ImportedEntityId[],
): Promise<readonly RowResult[]> {
  const results: RowResult[] = [];
  for (const row of rows) results.push(await importRow(dependencies, query, part, row));
  return results;
}

async function importRow(
  dependencies: EntitiesContext,
  query: Kysely<EntitiesSchema>,
  part: Import,
  message: ImportedEntityId,
): Promise<RowResult> {
  const row = parseImportedRow(message);
  if (typeof row === "string") return { problem: row };
  const key = importedIdKey(dependencies.derivedKeys, { saleUuid: part.saleUuid, ...row });
  const stored = await findImportedByKey(query, key);
  if (stored !== undefined) return isSame(stored, row) ? "unchanged" : { problem: "email: has other IDs in this sale" };
  const ids = { publicUuid: row.publicUuid ?? randomUUID(), saleSpecificId: row.saleSpecificId };
  const earlier = noteKeys(part.rowsByKey, row);
  if (earlier === "same") return "unchanged";
  const used = await isTaken(query, part.saleUuid, ids);
  if (earlier === "other" || used || (await isImported(query, part.saleUuid, ids))) {
    return { problem: "sale_specific_entity_id, entity_uuid or email: belongs to another row or entity of this sale" };
  }
  await part.store?.(key, ids);
  return "stored";
}

function isSame(
  stored: { readonly publicUuid: string; readonly saleSpecificId: Uint8Array },
  row: ImportedRow,
): boolean {
  const isSameUuid = row.publicUuid === undefined || row.publicUuid === stored.publicUuid;
  return isSameUuid && hexOfBytes(stored.saleSpecificId) === hexOfBytes(row.saleSpecificId);
}

/** Notes the keys of a row. @returns whether an earlier row has one of them, and whether it is the same row */
function noteKeys(rowsByKey: Map<string, string>, row: ImportedRow): "none" | "same" | "other" {
  const person = JSON.stringify([row.email, row.type, row.label]);
  const ids = [row.publicUuid ?? "", hexOfBytes(row.saleSpecificId)];
  const whole = JSON.stringify([person, ...ids]);
  const keys = [person, ...ids].filter((key) => key !== "");
  const earlier = keys.map((key) => rowsByKey.get(key)).filter((found) => found !== undefined);
  for (const key of keys) rowsByKey.set(key, whole);
  if (earlier.length === 0) return "none";
  return earlier.length === keys.length && earlier.every((found) => found === whole) ? "same" : "other";
}

/** A row of an import that keeps all rules by itself. */
interface ImportedRow {
  readonly email: string;
  readonly type: EntityTypeName;
  /** Empty for a person. */
  readonly label: string;
  /** Undefined if one is to be made. */
  readonly publicUuid: string | undefined;
  readonly saleSpecificId: Uint8Array;
}

const MAX_LABEL_CHARACTERS = 100;

/** Checks a row. @returns the field and the rule that it breaks as a text, or the row */
function parseImportedRow(message: ImportedEntityId): ImportedRow | string {
  const type = typeOf(message.type);
  const label = message.label.trim();
  const email = readEmailAddress(message.email);
  if (email === undefined) return "email: must be an e-mail address such as name@example.com";
  if (message.saleSpecificEntityId.every((byte) => byte === 0)) return "sale_specific_entity_id: must not be zero";
  if (type === "person" && label !== "") return "label: must be empty for a person, who has one such entity";
  const [broken] = type === "person" ? [] : brokenNameRules(label, { maxCharacters: MAX_LABEL_CHARACTERS });
  if (broken !== undefined) return `label: ${broken.message}`;
  const publicUuid = message.entityUuid === "" ? undefined : message.entityUuid.toLowerCase();
  return { email, type, label, publicUuid, saleSpecificId: message.saleSpecificEntityId };
}
