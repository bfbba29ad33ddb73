import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { sessionEnded } from "../sessions/require-session.ts";
import { newChallenge } from "./challenges-store.ts";
import { MAX_PASSKEYS } from "./passkey.ts";
import { ensureUserHandle, listPasskeys } from "./passkeys-store.ts";
import { additionQuestion } from "./question.ts";
import { relyingPartyOf } from "./relying-party.ts";

export function beginPasskeyAddition(context: AuthContext): ServiceImpl<typeof AccountService>["beginPasskeyAddition"] {
  const { database, clock, rateLimits, issuer } = context;
  return async ({ sessionToken, browserToken }) => {
    const { accountUuid, email } = await requireRecentPasskeySession(context, sessionToken);
    await rateLimits.take("passkey_account", accountUuid);
    const passkeys = await database.read((query) => listPasskeys(query, accountUuid));
    if (passkeys.length >= MAX_PASSKEYS) throw tooManyPasskeys();
    const userHandle = await database.write((transaction) => ensureUserHandle(transaction, accountUuid));
    if (userHandle === undefined) throw sessionEnded();
    const challenge = await newChallenge(database, { browserToken, purpose: "add", accountUuid }, clock());
    return { optionsJson: additionQuestion(challenge, relyingPartyOf(issuer), { email, userHandle, passkeys }) };
  };
}

function tooManyPasskeys(): ServiceError {
  return new ServiceError("failed_precondition", `an account has at most ${MAX_PASSKEYS} passkeys; remove one first`);
}
