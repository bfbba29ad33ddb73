import type { Selectable } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Entity, ProviderName, SetupState } from "../base/entity.ts";
import type { EntityTable } from "../base/entity-tables.ts";

/** The columns that a change of an entity writes. */
type ChangedColumns = Omit<EntityTable, "entity" | "account" | "type" | "created_at_ms" | "approval_warned" | "locks">;

export function entityOfRow(row: Selectable<EntityTable>): Entity {
  return {
    uuid: uuidFromBytes(row.entity),
    accountUuid: uuidFromBytes(row.account),
    type: row.type,
    label: row.label,
    country: row.country,
    setupState: row.setup_state as SetupState,
    setupReason: row.setup_reason,
    setupAtMs: BigInt(row.setup_at_ms),
    provider: (row.provider as ProviderName | null) ?? undefined,
    submittedAtMs: optionalTime(row.submitted_at_ms),
    approvalExpiresAtMs: optionalTime(row.approval_expires_at_ms),
    version: BigInt(row.version),
    createdAtMs: BigInt(row.created_at_ms),
  };
}

export function rowOfEntity(entity: Entity): EntityTable {
  return {
    entity: bytesOfHex(entity.uuid),
    account: bytesOfHex(entity.accountUuid),
    type: entity.type,
    created_at_ms: entity.createdAtMs,
    approval_warned: 0,
    locks: null,
    ...changedColumns(entity),
  };
}

/** The columns of what can change about an entity, but for the mark of the mail about its approval's end. */
export function changedColumns(entity: Entity): ChangedColumns {
  return {
    label: entity.label,
    country: entity.country,
    setup_state: entity.setupState,
    setup_reason: entity.setupReason,
    setup_at_ms: entity.setupAtMs,
    provider: entity.provider ?? null,
    submitted_at_ms: entity.submittedAtMs ?? null,
    approval_expires_at_ms: entity.approvalExpiresAtMs ?? null,
    version: entity.version,
  };
}

function optionalTime(value: bigint | string | null): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}
