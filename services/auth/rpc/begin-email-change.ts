import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { parseEmailAddress } from "../domain/email-address.ts";
import { emailChangeMail } from "../mail/code-mail.ts";
import { timestampOf } from "./account-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { recentSession } from "./required-session.ts";
import { sendCode } from "./send-code.ts";

export function beginEmailChange(dependencies: Dependencies): ServiceImpl<typeof AccountService>["beginEmailChange"] {
  const { rateLimits, config } = dependencies;
  const host = new URL(config.issuer).host;
  return async ({ sessionToken, email: text, browserToken, peer }) => {
    const { accountUuid } = await recentSession(dependencies, sessionToken);
    const email = parseEmailAddress(text);
    await rateLimits.take("change_account", accountUuid);
    const userAgent = peer?.userAgent ?? "";
    const { signInHandle, expiresAtMs } = await sendCode(
      dependencies,
      { purpose: "email_change", accountUuid, email, browserToken },
      (code) => emailChangeMail({ code, userAgent, host }),
    );
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}
