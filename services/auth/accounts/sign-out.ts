import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { isLive } from "../sessions/session.ts";
import { endSessionByToken, readSession } from "../sessions/sessions-store.ts";
import { endApplicationTokens } from "./end-application-tokens.ts";

/** The applications whose tokens end with a session: of none, of all, or of one. */
export type EndedAccess = "none" | "all" | { readonly clientUuid: string };

export function signOut(context: AuthContext): ServiceImpl<typeof AccountService>["signOut"] {
  return async ({ sessionToken, endTokens }) => ({
    tokensEnded: await endSignIn(context, sessionToken, endTokens ? "all" : "none"),
  });
}

/**
 * Ends a session and, where the person wants it, tokens of applications in the same transaction.
 *
 * @returns whether tokens have ended
 * @throws ServiceError `unavailable`
 */
export function endSignIn(
  { database, clock }: AuthContext,
  sessionToken: string,
  access: EndedAccess,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const nowMs = clock();
    const session = await readSession(transaction, sessionToken);
    // A session that has ended proves nothing, so it takes no tokens with it.
    const tokensEnded = access !== "none" && session !== undefined && isLive(session, nowMs);
    if (tokensEnded) {
      const { accountUuid } = session;
      const ended = { accountUuid, ...(access !== "all" && access), reason: "sign_out" } as const;
      await endApplicationTokens(transaction, database, ended, nowMs);
    }
    const ended = await endSessionByToken(transaction, sessionToken);
    if (ended === undefined) return tokensEnded;
    const { accountUuid, uuid } = ended;
    await recordEvent(transaction, { event: "session.signed_out", accountUuid, details: { session: uuid } }, nowMs);
    return tokensEnded;
  });
}
