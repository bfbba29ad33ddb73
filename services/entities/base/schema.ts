import type { Database } from "../../../common/platform/db/database.ts";
import type { AlertTables } from "./alert-tables.ts";
import type { AuditTables } from "./audit-tables.ts";
import type { DayTables } from "./day-tables.ts";
import type { EntityTables } from "./entity-tables.ts";
import type { PermitTables } from "./permit-tables.ts";
import type { RuleTables } from "./rule-tables.ts";
import type { SecretTables } from "./secret-tables.ts";
import type { SetupTables } from "./setup-tables.ts";
import type { WalletTables } from "./wallet-tables.ts";

export type EntitiesSchema = EntityTables &
  SetupTables &
  WalletTables &
  RuleTables &
  PermitTables &
  AuditTables &
  AlertTables &
  DayTables &
  SecretTables;
export type EntitiesDatabase = Database<EntitiesSchema>;
