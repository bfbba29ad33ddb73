import type { ClientScope } from "../base/oauth/scope.ts";
import type { Tenancy } from "../memberships/read-sale.ts";
import type { ClientSecurity } from "./definition/application-security.ts";

/** The settings of a client that a founder decides. */
export interface ClientDefinition {
  /** 1 to 100 characters, shown to users. */
  readonly name: string;
  /** Compared as exact strings (RFC 9700 section 2.1). */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly ClientScope[];
  readonly security: ClientSecurity;
}

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
