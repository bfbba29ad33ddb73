import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { AuthContext } from "../base/context.ts";
import { requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { requireSession } from "../sessions/require-session.ts";
import { newChallenge } from "./challenges-store.ts";
import { completePasskeySignIn } from "./complete-passkey-sign-in.ts";
import { MAX_PASSKEYS, parsePasskeyName } from "./passkey.ts";
import { beginPasskeyAddition, completePasskeyAddition } from "./passkey-addition.ts";
import { passkeyMessage } from "./passkey-message.ts";
import { listPasskeys, renamePasskey } from "./passkeys-store.ts";
import { signInQuestion } from "./question.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { noSuchPasskey, removePasskey } from "./remove-passkey.ts";

type Methods = ServiceImpl<typeof AccountService>;

/** The methods of `AccountService` for passkeys. */
export function passkeyMethods(
  context: AuthContext,
  metrics: Pick<AuthMetrics, "passkeySignIns">,
): Pick<
  Methods,
  | "beginPasskeySignIn"
  | "completePasskeySignIn"
  | "beginPasskeyAddition"
  | "completePasskeyAddition"
  | "listPasskeys"
  | "renamePasskey"
  | "removePasskey"
> {
  const { database, clock, rateLimits, issuer } = context;
  return {
    completePasskeySignIn: countResults(completePasskeySignIn(context), metrics),
    beginPasskeyAddition: beginPasskeyAddition(context),
    completePasskeyAddition: completePasskeyAddition(context),
    removePasskey: removePasskey(context),

    async beginPasskeySignIn({ browserToken, peer }) {
      await rateLimits.take("passkey_address", peer?.address ?? "");
      const challenge = await newChallenge(database, { browserToken, purpose: "sign_in" }, clock());
      return { optionsJson: signInQuestion(challenge, relyingPartyOf(issuer)) };
    },

    async listPasskeys({ sessionToken }) {
      const { accountUuid } = await requireSession(context, sessionToken);
      const passkeys = await database.read((query) => listPasskeys(query, accountUuid));
      return { passkeys: passkeys.map(passkeyMessage), maxPasskeys: MAX_PASSKEYS };
    },

    async renamePasskey({ sessionToken, passkeyUuid, name: entered }) {
      const { accountUuid } = await requireRecentPasskeySession(context, sessionToken);
      const [uuid, name] = [passkeyUuid.toLowerCase(), parsePasskeyName(entered)];
      await database.write(async (transaction) => {
        if (!(await renamePasskey(transaction, { uuid, accountUuid, name }))) throw noSuchPasskey();
        await recordEvent(transaction, { event: "passkey.renamed", accountUuid, details: { passkey: uuid } }, clock());
      });
      return {};
    },
  };
}

const RESULT_LABELS: ReadonlyMap<PasskeyResult | undefined, string> = new Map([
  [PasskeyResult.ACCEPTED, "accepted"],
  [PasskeyResult.QUESTION_OVER, "question_over"],
  [PasskeyResult.UNKNOWN, "unknown"],
  [PasskeyResult.COPY_SUSPECTED, "copy_suspected"],
]);

function countResults(
  handler: Methods["completePasskeySignIn"],
  { passkeySignIns }: Pick<AuthMetrics, "passkeySignIns">,
): Methods["completePasskeySignIn"] {
  return async (request, call) => {
    const response = await handler(request, call);
    passkeySignIns.inc({ result: RESULT_LABELS.get(response.result) ?? "refused" });
    return response;
  };
}
