import type { CompiledQuery, Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { webOrigins } from "../applications/definition/redirect-uri.ts";
import { scopesOfText, scopeText } from "../base/oauth/scope.ts";
import type { AuthSchema, ConsentTable } from "../base/schema.ts";
import { CONSENT_WORDS_VERSION, type Consent, NO_CONSENT, type WordedConsent } from "./consent.ts";

/** The account and the client of a consent. */
export interface ConsentKey {
  readonly accountUuid: string;
  readonly clientUuid: string;
}

const CONSENT_TARGET = tableTarget<ConsentTable>("consent", {
  account: "key",
  client: "key",
  granted: "value",
  declined: "value",
  updated_at_ms: "value",
  words_version: "value",
});

/** The columns that `consentOfRow` reads. */
export const CONSENT_COLUMNS = ["consent.granted", "consent.declined", "consent.words_version"] as const;

/** A row that a consent was joined to; all null before the first decision. */
export type JoinedConsent = {
  readonly [Column in "granted" | "declined" | "words_version"]: ConsentTable[Column] | null;
};

/** Returns the consent of a row, which is empty before the first decision. */
export function consentOfRow({ granted, declined, words_version: wordsVersion }: JoinedConsent): WordedConsent {
  if (granted === null || declined === null) return { ...NO_CONSENT, wordsVersion: 0 };
  return { granted: scopesOfText(granted), declined: scopesOfText(declined), wordsVersion: wordsVersion ?? 0 };
}

/** Builds the statement that stores a consent, given to the present words, in place of the previous one. */
export function consentStatement(
  dialect: SqlDialect,
  { accountUuid, clientUuid }: ConsentKey,
  { granted, declined }: Consent,
  nowMs: bigint,
): CompiledQuery {
  const row: ConsentTable = {
    account: bytesOfHex(accountUuid),
    client: bytesOfHex(clientUuid),
    granted: scopeText(granted),
    declined: scopeText(declined),
    updated_at_ms: nowMs,
    words_version: CONSENT_WORDS_VERSION,
  };
  return upsertStatement(dialect, CONSENT_TARGET, [row]);
}

/** Deletes the consents of an account, for one client or all. @returns whether there was one. */
export async function deleteConsents(
  transaction: Transaction<AuthSchema>,
  { accountUuid, clientUuid }: { readonly accountUuid: string; readonly clientUuid?: string | undefined },
): Promise<boolean> {
  const ofAccount = transaction.deleteFrom("consent").where("account", "=", bytesOfHex(accountUuid));
  const query = clientUuid === undefined ? ofAccount : ofAccount.where("client", "=", bytesOfHex(clientUuid));
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

/** A client about which a user has decided, with the decision. */
interface ConsentedClient {
  readonly clientUuid: string;
  readonly clientName: string;
  readonly saleUuid: string;
  readonly saleName: string;
  /** Where its users go back to; empty while it is disabled. */
  readonly origins: readonly string[];
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
    .select(["consent.client", "client.name", "client.sale", "client.sale_name", "client.square_logo"])
    .select(["client.status", "client.redirect_uris"])
    .select(["consent.granted", "consent.declined", "consent.updated_at_ms"])
    .where("consent.account", "=", bytesOfHex(accountUuid))
    .orderBy("consent.updated_at_ms", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map((row) => ({
    clientUuid: uuidFromBytes(row.client),
    clientName: row.name,
    saleUuid: uuidFromBytes(row.sale),
    saleName: row.sale_name,
    origins: row.status === "active" ? webOrigins(JSON.parse(row.redirect_uris)) : [],
    granted: scopesOfText(row.granted),
    declined: scopesOfText(row.declined),
    updatedAtMs: BigInt(row.updated_at_ms),
    squareLogo: row.square_logo === null ? undefined : hexOfBytes(row.square_logo),
  }));
}
