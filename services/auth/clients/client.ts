import type { ClientScope } from "../base/scope.ts";
import type { Tenancy } from "../memberships/read-sale.ts";

/** What a founder decides about a client. */
export interface ClientDefinition {
  /** 1 to 100 characters, for people. */
  readonly name: string;
  /** Compared as exact strings (RFC 9700 section 2.1). */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ClientScope[];
}

/** An application that may sign users in to a sale. */
export interface Client {
  /** The `client_id`. */
  readonly uuid: string;
  readonly saleUuid: string;
  /** As it was when the client was last changed. */
  readonly saleName: string;
  readonly tenancy: Tenancy;
  readonly status: "active" | "disabled";
  readonly definition: ClientDefinition;
  /** Content hashes, hex. */
  readonly squareLogo?: string;
  readonly wideLogo?: string;
  /** Rises by one with each change. */
  readonly version: bigint;
  readonly createdAtMs: bigint;
}
