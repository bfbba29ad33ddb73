import type { ServiceImpl } from "@connectrpc/connect";
import type { Selectable } from "kysely";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { readAccountEvents } from "../audit/audit-store.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuditTable } from "../base/schema.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { SendPace } from "../mailed-codes/send-pace.ts";
import { requireSession, sessionEnded } from "../sessions/require-session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { accountMessage } from "./account-message.ts";
import { findAccount, findAccounts } from "./accounts-store.ts";
import { deleteAccount } from "./delete-account.ts";
import { beginEmailChange, completeEmailChange } from "./email-change.ts";
import { getSignIn } from "./get-sign-in.ts";
import { notifyAccount } from "./notify-account.ts";
import { notifyReviewer } from "./notify-reviewer.ts";
import { beginSignIn, completeSignIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";

type Methods = ServiceImpl<typeof AccountService>;

/** The methods of `AccountService` for signing in and for the account itself. */
export function accountMethods(
  context: AuthContext,
  metrics: Pick<AuthMetrics, "signInAttempts" | "codesWithheld">,
): Pick<
  Methods,
  | "beginSignIn"
  | "getSignIn"
  | "completeSignIn"
  | "getSession"
  | "signOut"
  | "beginEmailChange"
  | "completeEmailChange"
  | "deleteAccount"
  | "getAccounts"
  | "notifyAccount"
  | "notifyReviewer"
  | "listAccountEvents"
> {
  return {
    beginSignIn: beginSignIn({ ...context, sendPace: countedPace(context.sendPace, metrics) }),
    getSignIn: getSignIn(context),
    completeSignIn: countResults(completeSignIn(context), metrics),
    signOut: signOut(context),
    beginEmailChange: beginEmailChange(context),
    completeEmailChange: completeEmailChange(context),
    deleteAccount: deleteAccount(context),
    notifyAccount: notifyAccount(context),
    notifyReviewer: notifyReviewer(context),
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
  [CodeResult.NOT_A_CODE, "not_a_code"],
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

function listAccountEvents(context: AuthContext): ServiceImpl<typeof AccountService>["listAccountEvents"] {
  return async ({ sessionToken }) => {
    const { accountUuid } = await requireSession(context, sessionToken);
    const rows = await context.database.read((query) => readAccountEvents(query, accountUuid));
    return { events: rows.map((row) => eventOfRow(row, accountUuid)) };
  };
}

function eventOfRow({ at_ms, event, client, sale, details }: Selectable<AuditTable>, accountUuid: string) {
  return {
    at: timestampOf(BigInt(at_ms)),
    event,
    clientUuid: client === null ? "" : uuidFromBytes(client),
    saleUuid: sale === null ? "" : uuidFromBytes(sale),
    address: addressOf(JSON.parse(details), event, accountUuid),
  };
}

/** An event about a member of a sale names the member's account, and the address of the founder who made the change. */
function addressOf(details: { readonly address?: unknown; readonly by?: unknown }, event: string, accountUuid: string) {
  const { address, by } = details;
  const isOwn = event !== "member.changed" || by === accountUuid;
  return isOwn && typeof address === "string" ? address : "";
}
