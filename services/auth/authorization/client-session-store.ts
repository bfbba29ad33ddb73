import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { ClientKey } from "../applications/applications-store.ts";
import type { AuthDatabase, AuthSchema, SessionTable } from "../base/schema.ts";
import type { WordedConsent } from "../consents/consent.ts";
import { CONSENT_COLUMNS, consentOfRow, type JoinedConsent } from "../consents/consents-store.ts";
import type { Session } from "../sessions/session.ts";
import { sessionOfRow, sessionsOfToken, useSession } from "../sessions/sessions-store.ts";

/** The session of a browser, with the consent of its account to the client of a request. */
export interface ClientSession extends Session {
  readonly consent: WordedConsent;
}

/** Finds the live session of a cookie's token, with the consent to a client, and stores that it was used. */
export async function findClientSession(
  database: AuthDatabase,
  { sessionToken, clientUuid }: { readonly sessionToken: string; readonly clientUuid: string },
  nowMs: bigint,
): Promise<ClientSession | undefined> {
  if (sessionToken === "") return undefined;
  const row = await database.read((query) =>
    clientSessions(query, sessionToken, bytesOfHex(clientUuid)).executeTakeFirst(),
  );
  return useSession(database, sessionToken, row && clientSessionOfRow(row), nowMs);
}

/** Selects the session of a cookie's token, live or not, with the consent to a client; `clientSessionOfRow` reads its row. */
export function clientSessions(query: Kysely<AuthSchema>, token: string, client: ClientKey) {
  return sessionsOfToken(query, token)
    .leftJoin("consent", (join) =>
      join.onRef("consent.account", "=", "session.account").on("consent.client", "=", client),
    )
    .select(CONSENT_COLUMNS);
}

/** Reads a row of `clientSessions`. */
export function clientSessionOfRow(row: SessionTable & { readonly email: string } & JoinedConsent): ClientSession {
  return { ...sessionOfRow(row), consent: consentOfRow(row) };
}
