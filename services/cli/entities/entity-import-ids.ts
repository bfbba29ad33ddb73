import type { Command } from "../base/command.ts";
import { importList, LIST_DETAILS, LIST_OPTIONS } from "../files/import-list.ts";
import { ENTITY_ID_COLUMNS, type EntityIdRow, readEntityIds } from "./read-entity-ids.ts";

export const entityImportIds: Command = {
  name: "entity import-ids",
  positionals: ["SALE-UUID", "FILE"],
  summary: "store the IDs that entities of a running sale already have",
  details: `FILE is CSV whose first line names the columns: ${ENTITY_ID_COLUMNS.join(", ")}.
\`type\` is person or organization, \`label\` the name that an organization's entity must have. \`label\` and \`entity_uuid\` may
be left out or empty; an empty \`entity_uuid\` gets a new one. People needn't have an account yet.
${LIST_DETAILS}`,
  options: LIST_OPTIONS,
  async run(input, context) {
    const [saleUuid = "", path = ""] = input.positionals;
    const { entities, signal } = context;
    const send = async (rows: readonly EntityIdRow[], dryRun: boolean) => {
      const { stored, problems } = await entities.importEntityIds({ saleUuid, rows: [...rows], dryRun }, { signal });
      const refused = problems.map(({ row, message }) => ({ row, field: "", message }));
      return { stored, unchanged: rows.length - stored - problems.length, problems: refused };
    };
    await importList({ path, read: readEntityIds, send }, input, context);
  },
};
