import { type RawBuilder, type SqlBool, sql } from "kysely";

/** The number of partitions of the outbox: one for each last hex digit of a sale's UUID, which is random in versions 4 and 7. */
export const PARTITIONS = 16;

/** All partitions. */
export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** Returns the partition that a sale's updates are published in, from 0 to `PARTITIONS` - 1. */
export function partitionOf(saleUuid: string): number {
  return Number.parseInt(saleUuid.slice(-1), PARTITIONS);
}

/** The condition that the column `sale` of a row is in one of the partitions, of which there is at least one. */
export function isInPartitions(partitions: readonly number[]): RawBuilder<SqlBool> {
  if (partitions.length === PARTITIONS) return sql<SqlBool>`1 = 1`;
  const digits = partitions.map((partition) => partition.toString(PARTITIONS).toUpperCase());
  return sql<SqlBool>`substr(hex(sale), 32, 1) in (${sql.join(digits)})`;
}

/**
 * Returns how many partitions a process holds: each as many as the others, but for those that are left over.
 *
 * @param members the IDs of all processes that share them, `member` included
 */
export function shareOf(member: string, members: readonly string[]): number {
  const rank = [...members].sort().indexOf(member);
  return Math.floor(PARTITIONS / members.length) + (rank < PARTITIONS % members.length ? 1 : 0);
}

/** Returns the payload of a signal about a partition; an empty one for all of them. */
export function signalPayload(partition: number | undefined): Uint8Array {
  return partition === undefined ? new Uint8Array() : Uint8Array.of(partition);
}

/** Returns the partition that a signal is about; undefined for all of them. */
export function signalledPartition(payload: Uint8Array): number | undefined {
  return payload[0];
}
