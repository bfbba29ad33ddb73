import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthDatabase } from "../base/schema.ts";
import type { WordedConsent } from "../consents/consent.ts";
import { CONSENT_COLUMNS, consentOfRow } from "../consents/consents-store.ts";
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
  const client = bytesOfHex(clientUuid);
  const row = await database.read((query) =>
    sessionsOfToken(query, sessionToken)
      .leftJoin("consent", (join) =>
        join.onRef("consent.account", "=", "session.account").on("consent.client", "=", client),
      )
      .select(CONSENT_COLUMNS)
      .executeTakeFirst(),
  );
  const session = row && { ...sessionOfRow(row), consent: consentOfRow(row) };
  return useSession(database, sessionToken, session, nowMs);
}
