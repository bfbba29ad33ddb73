import type { ServiceImpl } from "@connectrpc/connect";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { browserOf } from "../mail/browser-name.ts";
import { emailChangeMail } from "../mailed-codes/code-mail.ts";
import { sendCode } from "../mailed-codes/send-code.ts";
import { requireRecentPasskeySession } from "../sessions/passkey-session.ts";

export function beginEmailChange(context: AuthContext): ServiceImpl<typeof AccountService>["beginEmailChange"] {
  const { database, clock, rateLimits, issuer } = context;
  const { host } = new URL(issuer);
  return async ({ sessionToken, email: text, browserToken, peer }) => {
    const { accountUuid } = await requireRecentPasskeySession(context, sessionToken);
    await database.read((query) => refuseDuringOperatorRecovery(query, accountUuid, clock()));
    const email = parseEmailAddress(text);
    await rateLimits.take("change_account", accountUuid);
    const browser = browserOf(peer);
    const { signInHandle, expiresAtMs } = await sendCode(context, {
      signIn: { purpose: "email_change", accountUuid, email, browserToken },
      mailOf: (code) => emailChangeMail({ ...browser, code, host }),
    });
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}
