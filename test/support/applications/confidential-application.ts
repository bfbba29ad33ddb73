import { randomUUID } from "node:crypto";
import {
  type AssertionChanges,
  type ClientKeyPair,
  clientKeyPair,
  signedAssertion,
} from "../../../services/auth/testing/assertions.ts";
import { sampleDefinition, sampleSecurity } from "../../../services/auth/testing/sample-application.ts";
import type { AuthWeb } from "../pages/auth-web.ts";
import { type EndpointAnswer, queryOf, type WebApplication } from "./web-application.ts";

export const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Parameters with which a client authenticates. */
export type Asserted = Readonly<Record<"client_assertion" | "client_assertion_type", string>>;

/** An application that authenticates by `private_key_jwt`, with the key that its server has. */
export interface ConfidentialApplication {
  readonly application: WebApplication;
  readonly pair: ClientKeyPair;
  /** Makes a valid assertion, with some of its members changed. @param by another key that signs it */
  asserted(changes?: AssertionChanges, by?: ClientKeyPair): Promise<Asserted>;
  /** Introspects a token with a new assertion, or with other parameters. */
  introspect(token: string, sent?: Readonly<Record<string, string>>): Promise<EndpointAnswer>;
}

/** Creates an application with one key, in its own sale. */
export async function confidentialApplication(web: AuthWeb): Promise<ConfidentialApplication> {
  const pair = await clientKeyPair();
  const application = await web.application({ definition: confidentialDefinition(pair) });
  const asserted = async (changes: AssertionChanges = {}, by = pair): Promise<Asserted> => ({
    client_assertion: await signedAssertion(by, application.client.uuid, web.service.time.now(), changes),
    client_assertion_type: JWT_BEARER,
  });
  const introspect = async (token: string, sent?: Readonly<Record<string, string>>) =>
    application.post("/oauth/introspect", queryOf({ token, ...(sent ?? (await asserted())) }));
  return { application, pair, asserted, introspect };
}

/** The definition of a client with these keys. */
export function confidentialDefinition(...pairs: readonly ClientKeyPair[]) {
  const jwks = pairs.map(({ publicJwk }) => publicJwk);
  const security = sampleSecurity({ tokenEndpointAuthMethod: "private_key_jwt", jwks });
  return sampleDefinition({ name: `Portal ${randomUUID()}`, security });
}
