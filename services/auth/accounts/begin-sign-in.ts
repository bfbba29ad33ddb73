import type { ServiceImpl } from "@connectrpc/connect";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { browserOf } from "../mail/browser-name.ts";
import { signInMail } from "../mailed-codes/code-mail.ts";
import { isKnownBrowser } from "../mailed-codes/known-browser.ts";
import { isKnownNetwork, networkMac } from "../mailed-codes/known-networks-store.ts";
import { type AskerTraits, sendSignInCode } from "../mailed-codes/send-code.ts";

export function beginSignIn(context: AuthContext): ServiceImpl<typeof AccountService>["beginSignIn"] {
  const { rateLimits, issuer, requestingApplication } = context;
  const { host } = new URL(issuer);
  return async ({ email: text, browserToken, authorizationHandle, knownBrowser, peer }) => {
    const email = parseEmailAddress(text);
    await rateLimits.take("sign_in_address", peer?.address ?? "");
    const application = await requestingApplication(authorizationHandle, browserToken);
    const browser = browserOf(peer);
    const { signInHandle, expiresAtMs } = await sendSignInCode(
      context,
      {
        signIn: { purpose: "sign_in", email, browserToken },
        mailOf: (code) => signInMail({ ...browser, code, host }, application),
      },
      await traitsOf(context, { email, knownBrowser, address: peer?.address ?? "" }),
    );
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}

async function traitsOf(
  { database, clock, derivedKeys }: AuthContext,
  { email, knownBrowser, address }: { readonly email: string; readonly knownBrowser: string; readonly address: string },
): Promise<AskerTraits> {
  const nowMs = clock();
  const networks = bothKeys(derivedKeys, "counters").map((key) => networkMac(key, email, address));
  return {
    isKnownBrowser: bothKeys(derivedKeys, "knownBrowser").some((key) =>
      isKnownBrowser(key, knownBrowser, email, nowMs),
    ),
    isKnownNetwork: await database.read((query) => isKnownNetwork(query, networks, nowMs)),
  };
}
