import type { ChainConnections } from "../../../common/contracts/reading/chain-connections.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";

/** @throws ServiceError `not_found` for a chain that isn't configured */
export function requireChain(connections: ChainConnections, chain: string): void {
  if (connections.has(chain)) return;
  const message = `chain ${chain} isn't configured; there are: ${connections.names().join(", ")}`;
  throw new ServiceError("not_found", message);
}
