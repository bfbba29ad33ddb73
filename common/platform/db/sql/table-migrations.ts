import { type ColumnDataType, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect } from "./dialect.ts";

type Type = ColumnDataType | RawBuilder<unknown>;

export interface TableDefinition {
  /** Columns that hold a value in every row. */
  readonly columns: Readonly<Record<string, Type>>;
  readonly nullable?: Readonly<Record<string, Type>>;
  /** The primary key. */
  readonly key: readonly string[];
}

/** A migration that creates a table. It succeeds if a run that died has left the table behind. */
export function createTable(
  dialect: SqlDialect,
  name: string,
  { columns, nullable = {}, key }: TableDefinition,
): Migration {
  return {
    async up(database: Kysely<unknown>) {
      let builder: CreateTableBuilder<string, string> = database.schema.createTable(name).ifNotExists();
      for (const [column, type] of Object.entries(columns)) {
        builder = builder.addColumn(column, type, (definition) => definition.notNull());
      }
      for (const [column, type] of Object.entries(nullable)) builder = builder.addColumn(column, type);
      await builder
        .addPrimaryKeyConstraint(`${name}_key`, [...key])
        .modifyEnd(dialect.tableOptions)
        .execute();
    },
  };
}

/** A migration that creates the index `<table>_<purpose>`. */
export function createIndex(
  dialect: SqlDialect,
  table: string,
  purpose: string,
  columns: readonly string[],
  { unique = false } = {},
): Migration {
  return {
    async up(database: Kysely<unknown>) {
      const index = database.schema
        .createIndex(`${table}_${purpose}`)
        .on(table)
        .columns([...columns]);
      const creation = unique ? index.unique() : index;
      // MySQL has no `if not exists` here: a run that died before it was recorded has left the index behind.
      await creation.execute().catch((error) => {
        if (!dialect.isDuplicateIndex(error)) throw error;
      });
    },
  };
}

/** A migration that adds a nullable column. It succeeds if a run that died has left the column behind. */
export function addColumn(table: string, column: string, type: Type): Migration {
  return addColumns(table, { [column]: type });
}

/** A migration that adds nullable columns. It succeeds if a run that died has left some of them behind. */
export function addColumns(table: string, columns: Readonly<Record<string, Type>>): Migration {
  return {
    async up(database: Kysely<unknown>) {
      for (const [column, type] of Object.entries(columns)) {
        if (await hasColumn(database, table, column)) continue;
        await database.schema.alterTable(table).addColumn(column, type).execute();
      }
    },
  };
}

/** Whether a column can be read. Listing the columns of all tables, as Kysely's introspection does, takes MySQL 25 ms each time. */
async function hasColumn(database: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  try {
    await sql`select ${sql.ref(`${table}.${column}`)} from ${sql.table(table)} limit 0`.execute(database);
    return true;
  } catch {
    // If the reason is another one, adding the column fails for it, too.
    return false;
  }
}

/** A migration that makes room for longer values in a column. SQLite's columns have no length. */
export function widenColumn(
  dialect: SqlDialect,
  table: string,
  column: string,
  type: Type,
  { nullable = false } = {},
): Migration {
  return {
    async up(database: Kysely<unknown>) {
      if (dialect.name === "sqlite") return;
      await database.schema
        .alterTable(table)
        .modifyColumn(column, type, (definition) => (nullable ? definition : definition.notNull()))
        .execute();
    },
  };
}
