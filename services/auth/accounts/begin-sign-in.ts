import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { signInMail } from "./code-mail.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { parseEmailAddress } from "./email-address.ts";
import { sendCode } from "./send-code.ts";

export function beginSignIn(dependencies: AccountDependencies): ServiceImpl<typeof AccountService>["beginSignIn"] {
  const { rateLimits, issuer, requestingApplication } = dependencies;
  const { host } = new URL(issuer);
  return async ({ email: text, browserToken, authorizationHandle, peer }) => {
    const email = parseEmailAddress(text);
    await rateLimits.take("sign_in_address", peer?.address ?? "");
    const application = await requestingApplication(authorizationHandle, browserToken);
    const userAgent = peer?.userAgent ?? "";
    const { signInHandle, expiresAtMs } = await sendCode(
      dependencies,
      { purpose: "sign_in", email, browserToken },
      (code) => signInMail({ code, userAgent, host }, application),
    );
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}
