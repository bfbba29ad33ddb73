import { sql } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../../common/platform/encoding/hex.ts";
import type { EntitiesDatabase } from "../../../../services/entities/base/schema.ts";

/** A permit, or a change of what permits depend on. */
export interface Recorded {
  readonly kind: "permit" | "rules" | "freeze" | "stop" | "key";
  /** Hexadecimal digits: UUID of the permit or key, ID of the entity in the sale; empty otherwise. */
  readonly subject: string;
  /** The version of rules; 0 otherwise. */
  readonly version: bigint;
  /** The number of times that the sale's lock had been taken, in the transaction that stored it. */
  readonly lock: bigint;
}

const TABLE = `create table recording_order
  (kind varchar(8), sale binary(16), subject varbinary(16), version bigint, lock_number bigint)`;
const LOCK = "(select locks from sale_permits where sale = new.sale)";
const ONCE = "from (select 1 as one) as once";

/** The statements of triggers, by the event at which each runs. */
const TRIGGERS: Readonly<Record<string, string>> = {
  "insert on permit": `select 'permit', new.sale, new.permit, 0, ${LOCK}`,
  "insert on sale_rules": `select 'rules', new.sale, null, new.version, ${LOCK}`,
  "update on sale_rules": `select 'rules', new.sale, null, new.version, ${LOCK}`,
  "insert on freeze": `select 'freeze', new.sale, new.sale_specific_id, 0, ${LOCK}`,
  "update on permit_key": `select 'key', new.sale, new.permit_key, 0, ${LOCK} ${ONCE}
    where new.status = 'active' and old.status <> 'active'`,
  "update on sale_permits": `select 'stop', new.sale, null, 0, new.locks ${ONCE}
    where new.stopped_at_ms is not null and old.stopped_at_ms is null`,
};

/**
 * Has the database note in which order permits and changes are stored. Whoever stores one takes the sale's lock, and so adds one
 * to a number: two transactions with different numbers ran one after another, and two with the same one without the lock.
 */
export async function noteRecordingOrder({ query }: EntitiesDatabase): Promise<void> {
  await sql.raw(TABLE).execute(query);
  for (const [event, select] of Object.entries(TRIGGERS)) {
    const name = event.replaceAll(" ", "_");
    const text = `create trigger ${name} after ${event} for each row begin insert into recording_order ${select}; end`;
    await sql.raw(text).execute(query);
  }
}

/** Reads what was stored about a sale, in its order. */
export async function readRecordingOrder({ query }: EntitiesDatabase, saleUuid: string): Promise<readonly Recorded[]> {
  const { rows } = await sql<{
    kind: Recorded["kind"];
    subject: Uint8Array | null;
    version: bigint | string | number;
    lock_number: bigint | string | number;
  }>`select kind, subject, version, lock_number from recording_order where sale = ${bytesOfHex(saleUuid)}
    order by lock_number`.execute(query);
  return rows.map(({ kind, subject, version, lock_number }) => ({
    kind,
    subject: subject === null ? "" : hexOfBytes(subject),
    version: BigInt(version),
    lock: BigInt(lock_number),
  }));
}
