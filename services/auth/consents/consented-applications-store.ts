import type { Kysely } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { scopesOfText } from "../base/oauth/scope.ts";
import type { AuthSchema } from "../base/schema.ts";

/** A client about which a user has decided, with the decision. */
export interface ConsentedClient {
  readonly clientUuid: string;
  readonly clientName: string;
  readonly saleUuid: string;
  readonly granted: readonly string[];
  readonly declined: readonly string[];
  /** Milliseconds since 1970. */
  readonly updatedAtMs: bigint;
  /** The content hash, hex. */
  readonly squareLogo: string | undefined;
}

/** The maximum of `ListConsentsResponse`. */
const MAX_LISTED = 200;

/** Returns the clients about which a user has decided, the latest decision first. */
export async function listConsentedClients(
  query: Kysely<AuthSchema>,
  accountUuid: string,
): Promise<readonly ConsentedClient[]> {
  const rows = await query
    .selectFrom("consent")
    .innerJoin("client", "client.client", "consent.client")
    .select(["consent.client", "client.name", "client.sale", "client.square_logo"])
    .select(["consent.granted", "consent.declined", "consent.updated_at_ms"])
    .where("consent.account", "=", bytesOfHex(accountUuid))
    .orderBy("consent.updated_at_ms", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map((row) => ({
    clientUuid: uuidFromBytes(row.client),
    clientName: row.name,
    saleUuid: uuidFromBytes(row.sale),
    granted: scopesOfText(row.granted),
    declined: scopesOfText(row.declined),
    updatedAtMs: BigInt(row.updated_at_ms),
    squareLogo: row.square_logo === null ? undefined : hexOfBytes(row.square_logo),
  }));
}
