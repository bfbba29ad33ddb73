import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { AuthContext } from "../base/context.ts";
import type { SendPace } from "../mailed-codes/send-pace.ts";
import { requireSession, sessionEnded } from "../sessions/require-session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { listAccountEvents } from "./account-events.ts";
import { accountMessage } from "./account-message.ts";
import { findAccount, findAccounts } from "./accounts-store.ts";
import { beginEmailChange } from "./begin-email-change.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { completeEmailChange } from "./complete-email-change.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { deleteAccount } from "./delete-account.ts";
import { notifyAccount } from "./notify-account.ts";
import { signOut } from "./sign-out.ts";

type Methods = ServiceImpl<typeof AccountService>;

/** The methods of `AccountService` for signing in and for the account itself. */
export function accountMethods(
  context: AuthContext,
  metrics: Pick<AuthMetrics, "signInAttempts" | "codesWithheld">,
): Pick<
  Methods,
  | "beginSignIn"
  | "completeSignIn"
  | "getSession"
  | "signOut"
  | "beginEmailChange"
  | "completeEmailChange"
  | "deleteAccount"
  | "getAccounts"
  | "notifyAccount"
  | "listAccountEvents"
> {
  return {
    beginSignIn: beginSignIn({ ...context, sendPace: countedPace(context.sendPace, metrics) }),
    completeSignIn: countResults(completeSignIn(context), metrics),
    signOut: signOut(context),
    beginEmailChange: beginEmailChange(context),
    completeEmailChange: completeEmailChange(context),
    deleteAccount: deleteAccount(context),
    notifyAccount: notifyAccount(context),
    listAccountEvents: listAccountEvents(context),

    async getAccounts({ accountUuids }) {
      const accounts = await context.database.read((query) => findAccounts(query, accountUuids));
      return { accounts: accounts.map(accountMessage) };
    },

    async getSession({ sessionToken }) {
      const session = await requireSession(context, sessionToken);
      const account = await context.database.read((query) => findAccount(query, session.accountUuid));
      if (account === undefined) throw sessionEnded();
      return { session: sessionMessage(session, session), account: accountMessage(account) };
    },
  };
}

const RESULT_LABELS: ReadonlyMap<CodeResult | undefined, string> = new Map([
  [CodeResult.CORRECT, "correct"],
  [CodeResult.WRONG, "wrong"],
  [CodeResult.PASSKEY_REQUIRED, "passkey_required"],
]);

function countResults(
  handler: Methods["completeSignIn"],
  { signInAttempts }: Pick<AuthMetrics, "signInAttempts">,
): Methods["completeSignIn"] {
  return async (request, call) => {
    const response = await handler(request, call);
    signInAttempts.inc({ result: RESULT_LABELS.get(response.result) ?? "new_code_required" });
    return response;
  };
}

/** Counts the sends that are imitated: codes that nobody receives. */
function countedPace(
  pace: Pick<SendPace, "send" | "imitate">,
  { codesWithheld }: Pick<AuthMetrics, "codesWithheld">,
): Pick<SendPace, "send" | "imitate"> {
  return {
    send: (work) => pace.send(work),
    imitate: () => {
      codesWithheld.inc();
      return pace.imitate();
    },
  };
}
