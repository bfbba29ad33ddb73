import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { signInState } from "../mailed-codes/begun-sign-in.ts";
import { readBegun, readSignIn } from "../mailed-codes/sign-ins-store.ts";
import { requireSession } from "../sessions/require-session.ts";

export function getSignIn(context: AuthContext): ServiceImpl<typeof AccountService>["getSignIn"] {
  const { database, clock } = context;
  return async ({ signInHandle: handle, browserToken, sessionToken }) => {
    const session = sessionToken === "" ? undefined : await requireSession(context, sessionToken);
    const signIn = await database.read((query) => readSignIn(query, { handle, browserToken }));
    const own = signIn !== undefined && signIn.accountUuid === session?.accountUuid ? signIn : undefined;
    const begun = own === undefined ? [] : await database.read((query) => readBegun(query, own));
    const nowMs = clock();
    const { askedAtMs, nextSendAtMs, sendsLeft, triesLeft } = signInState(begun, nowMs);
    const isOver = own === undefined || own.expiresAtMs <= nowMs;
    return {
      email: own?.email ?? "",
      ...(askedAtMs !== undefined && { askedAt: timestampOf(askedAtMs) }),
      nextSendAt: timestampOf(nextSendAtMs),
      sendsLeft,
      triesLeft: isOver ? 0 : triesLeft,
      now: timestampOf(nowMs),
    };
  };
}
