import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { findAuthorizationRequest } from "../authorization/authorization-requests-store.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import { findClient } from "../clients/clients-store.ts";
import { timestampOf } from "../sessions/account-message.ts";
import { type MailApplication, signInMail } from "./code-mail.ts";
import { parseEmailAddress } from "./email-address.ts";
import { sendCode } from "./send-code.ts";

export function beginSignIn(dependencies: Dependencies): ServiceImpl<typeof AccountService>["beginSignIn"] {
  const { rateLimits, config } = dependencies;
  const host = new URL(config.issuer).host;
  return async ({ email: text, browserToken, authorizationHandle, peer }) => {
    const email = parseEmailAddress(text);
    await rateLimits.take("sign_in_address", peer?.address ?? "");
    const application = await requestingApplication(dependencies, authorizationHandle, browserToken);
    const userAgent = peer?.userAgent ?? "";
    const { signInHandle, expiresAtMs } = await sendCode(
      dependencies,
      { purpose: "sign_in", email, browserToken },
      (code) => signInMail({ code, userAgent, host }, application),
    );
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}

/**
 * For the mail only: where the authorization is over, or another browser's, the sign-in is of use all the same and the
 * mail names no application.
 */
async function requestingApplication(
  { database }: Dependencies,
  authorizationHandle: string,
  browserToken: string,
): Promise<MailApplication | undefined> {
  if (authorizationHandle === "") return undefined;
  const pending = await database.read((query) => findAuthorizationRequest(query, authorizationHandle));
  if (pending === undefined || !opaqueTokenHash(browserToken).equals(pending.browserHash)) return undefined;
  const client = await findClient(database, pending.request.clientUuid);
  return client && { name: client.definition.name, saleName: client.saleName };
}
