import { PasskeyResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type AccountClient, accountClient, newBrowserToken, PEER } from "./account-client.ts";
import type { GivenContext } from "./auth-context.ts";
import { type AnswerChanges, SoftwareAuthenticator } from "./software-authenticator.ts";
import { ISSUER } from "./test-auth-config.ts";

/** The RPCs about passkeys, and a browser with an authenticator. */
export interface PasskeyClient extends AccountClient {
  readonly authenticator: SoftwareAuthenticator;
  readonly browserToken: string;
  /** Adds a passkey to the account of a session. */
  add(sessionToken: string, changes?: AnswerChanges, name?: string): Promise<PasskeyResult>;
  /** Signs in with the passkey that was added last. */
  signInByPasskey(changes?: AnswerChanges): ReturnType<AccountClient["accounts"]["completePasskeySignIn"]>;
  /** Signs in by a code and adds a passkey. @returns the session's token */
  ownerOfPasskey(email: string): Promise<string>;
  /** Does the same, then signs in with the passkey. @returns the session's token */
  holderOfPasskey(email: string): Promise<string>;
}

/** @param given as for `authContext` */
export async function passkeyClient(
  given: GivenContext = {},
  authenticator = new SoftwareAuthenticator({ origin: ISSUER }),
): Promise<PasskeyClient> {
  const client = await accountClient(given);
  const { accounts } = client;
  const browserToken = newBrowserToken();
  const add: PasskeyClient["add"] = async (sessionToken, changes = {}, name = "My key") => {
    const { optionsJson } = await accounts.beginPasskeyAddition({ sessionToken, browserToken });
    const credentialJson = authenticator.create(optionsJson, changes);
    const request = { sessionToken, browserToken, credentialJson, name, peer: PEER };
    return (await accounts.completePasskeyAddition(request)).result;
  };
  const signInByPasskey = async (changes: AnswerChanges = {}) => {
    const { optionsJson } = await accounts.beginPasskeySignIn({ browserToken, peer: PEER });
    const credentialJson = authenticator.get(optionsJson, changes);
    return accounts.completePasskeySignIn({ browserToken, credentialJson, peer: PEER });
  };
  const ownerOfPasskey = async (email: string) => {
    const sessionToken = await client.signIn(email);
    const result = await add(sessionToken);
    if (result !== PasskeyResult.ACCEPTED) throw new Error(`the passkey was not added: result ${result}`);
    return sessionToken;
  };
  return {
    ...client,
    authenticator,
    browserToken,
    add,
    signInByPasskey,
    ownerOfPasskey,
    async holderOfPasskey(email) {
      await ownerOfPasskey(email);
      return (await signInByPasskey()).sessionToken;
    },
  };
}
