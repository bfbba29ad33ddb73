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
    const kind = await database.read((query) => readSignIn(query, { handle, browserToken }));
    const nowMs = clock();
    const isOwn = kind !== undefined && kind.accountUuid === session?.accountUuid;
    if (!isOwn) return { ...stateFields(signInState([], nowMs)), email: "" };
    const begun = await database.read((query) => readBegun(query, kind));
    return { ...stateFields(signInState(begun, nowMs)), email: kind.email };
  };
}

function stateFields({ askedAtMs, nextSendAtMs, sendsLeft, triesLeft }: ReturnType<typeof signInState>) {
  return {
    ...(askedAtMs !== undefined && { askedAt: timestampOf(askedAtMs) }),
    nextSendAt: timestampOf(nextSendAtMs),
    sendsLeft,
    triesLeft,
  };
}
