import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";

/** A settled sale is polled less often: it changes only if its chain is re-organised. */
const SETTLED_POLL_FACTOR = 10;

/** The time between two reads of a sale, if no head is announced meanwhile, in milliseconds. */
export function readDelayMs({ pollIntervalMs }: Pick<ChainConnection, "pollIntervalMs">, settled: boolean): number {
  return settled ? pollIntervalMs * SETTLED_POLL_FACTOR : pollIntervalMs;
}
