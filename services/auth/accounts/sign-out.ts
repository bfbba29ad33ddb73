import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import { isLive } from "../sessions/session.ts";
import { endSessionByToken, readSession } from "../sessions/sessions-store.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { endApplicationTokens } from "./end-application-tokens.ts";

/** Ends a session and, where the person wants it, the tokens of all applications in the same transaction. */
export function signOut(
  dependencies: Pick<AccountDependencies, "database" | "clock">,
): ServiceImpl<typeof AccountService>["signOut"] {
  const { database, clock } = dependencies;
  return ({ sessionToken, endTokens }) =>
    database.write(async (transaction) => {
      const nowMs = clock();
      const session = await readSession(transaction, sessionToken);
      // A session that has ended proves nothing, so it takes no tokens with it.
      const tokensEnded = endTokens && session !== undefined && isLive(session, nowMs);
      if (tokensEnded) {
        const ended = { accountUuid: session.accountUuid, reason: "sign_out" } as const;
        await endApplicationTokens(transaction, database, ended, nowMs);
      }
      const ended = await endSessionByToken(transaction, sessionToken);
      if (ended === undefined) return { tokensEnded };
      const { accountUuid, uuid } = ended;
      await recordEvent(transaction, { event: "session.signed_out", accountUuid, details: { session: uuid } }, nowMs);
      return { tokensEnded };
    });
}
