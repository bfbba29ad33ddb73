import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Tenancy } from "../memberships/read-sale.ts";
import type { ClientDefinition } from "./definition/application-definition.ts";

/** An application that may sign users in to a sale. */
export interface Client {
  /** The `client_id`. */
  readonly uuid: string;
  readonly saleUuid: string;
  /** The sale's name at the last change of the client. */
  readonly saleName: string;
  readonly tenancy: Tenancy;
  readonly status: "active" | "disabled";
  readonly definition: ClientDefinition;
  /** The content hash, hex. */
  readonly squareLogo?: string;
  /** The content hash, hex. */
  readonly wideLogo?: string;
  /** Rises by one with each change. */
  readonly version: bigint;
  readonly createdAtMs: bigint;
}

/** The error for a client that doesn't exist, and for one of a sale of which the person is no member: both read the same. */
export function clientNotFound(clientUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no client ${clientUuid}`);
}
