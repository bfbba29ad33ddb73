import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { addColumn, createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64, SmallInt } from "./columns.ts";

/** The mails about a sale that a person has asked for. Deleted with the account, and once the sale is settled for good. */
export interface AlertSubscriptionTable {
  sale: Uint8Array;
  account: Uint8Array;
  /** The UUID from which the token of the mails is made. */
  alert: Uint8Array;
  /** The reasons, a bit each; 0 for a person who has ended the mails, so that links in old ones still work. */
  reasons: SmallInt;
  language: string;
  /** 1 until the bids were judged since the person asked: how they stand then is no news. */
  is_new: SmallInt;
  /** The bids that the person knows to be out or at the margin: JSON, by commitment ID. */
  known: string;
  /** When they asked for mails about the closing; null if they haven't. */
  asked_at_ms: Int64 | null;
  /** When the last mail for each reason was stored; null before. */
  position_at_ms: Int64 | null;
  closing_at_ms: Int64 | null;
  settled_at_ms: Int64 | null;
  /** Increases with each change, so that two processes never store the same mail. */
  version: Int64;
}

/** When a sale with such mails was judged. */
export interface AlertSaleTable {
  sale: Uint8Array;
  /** The next judging. Whoever moves it judges the sale, and moves it on while that lasts. */
  next_at_ms: Int64;
  /** The last judging by confirmed figures; null before, and after one without. */
  judged_at_ms: Int64 | null;
  /** The sale's generation then, in decimal. */
  generation: string | null;
  /** 1 if it was settled then. */
  settled: SmallInt;
}

export interface AlertTables {
  alert_subscription: AlertSubscriptionTable;
  alert_sale: AlertSaleTable;
}

export function alertMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, ascii, text } = dialect.columnTypes;
  return {
    "518_alert_subscription": createTable(dialect, "alert_subscription", {
      columns: {
        sale: binary(16),
        account: binary(16),
        alert: binary(16),
        reasons: "integer",
        language: ascii(8),
        is_new: "integer",
        known: text,
        version: "bigint",
      },
      nullable: { position_at_ms: "bigint", closing_at_ms: "bigint", settled_at_ms: "bigint" },
      key: ["sale", "account"],
    }),
    "519_alert_subscription_account": createIndex(dialect, "alert_subscription", "account", ["account"]),
    "520_alert_subscription_alert": createIndex(dialect, "alert_subscription", "alert", ["alert"], { unique: true }),
    "521_alert_sale": createTable(dialect, "alert_sale", {
      columns: { sale: binary(16), next_at_ms: "bigint", settled: "integer" },
      nullable: { judged_at_ms: "bigint", generation: ascii(20) },
      key: ["sale"],
    }),
    "522_alert_sale_next": createIndex(dialect, "alert_sale", "next", ["next_at_ms"]),
    "523_alert_subscription_asked": addColumn("alert_subscription", "asked_at_ms", "bigint"),
  };
}
