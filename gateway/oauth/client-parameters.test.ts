import { describe, expect, it } from "vitest";
import type { AuthContext } from "../web/http/hono-context.ts";
import { refuseBasic, withNamedClient } from "./client-parameters.ts";

const CLIENT = "22222222-2222-4222-8222-222222222222";
const NAMED = { name: "client_id", value: CLIENT };
const GRANT = { name: "grant_type", value: "refresh_token" };

const contextWith = (authorization: string | undefined) =>
  ({ req: { header: () => authorization } }) as unknown as AuthContext;
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;

describe("withNamedClient", () => {
  it.each([
    ["an ID with an empty secret", basic(`${CLIENT}:`)],
    ["the scheme in other letters", basic(`${CLIENT}:`).replace("Basic", "bASIC  ")],
    ["an ID that is encoded as in forms (RFC 6749 section 2.3.1)", basic(`${CLIENT.replaceAll("-", "%2D")}:`)],
  ])("takes %s for the name of a client", (_, authorization) => {
    expect(withNamedClient(contextWith(authorization), [GRANT])).toEqual([GRANT, NAMED]);
    expect(withNamedClient(contextWith(authorization), [GRANT, NAMED])).toEqual([GRANT, NAMED]);
    expect(withNamedClient(contextWith(authorization), [{ ...NAMED, value: "" }, GRANT])).toEqual([GRANT, NAMED]);
    expect(withNamedClient(contextWith(authorization), [NAMED, NAMED])).toEqual([NAMED, NAMED]);
  });

  it.each([
    ["a secret", basic(`${CLIENT}:s`)],
    ["what libraries make of a secret that isn't set", basic(`${CLIENT}:undefined`)],
    ["a secret of a colon", basic(`${CLIENT}::`)],
    ["no colon", basic(CLIENT)],
    ["no ID", basic(":")],
    ["nothing", "Basic"],
    ["no base64", "Basic §"],
  ])("refuses %s by HTTP Basic, with a challenge", (_, authorization) => {
    const headers = { "WWW-Authenticate": expect.stringMatching(/^Basic /) };
    const refusal = expect.objectContaining({ error: "invalid_client", status: 401, headers });
    expect(() => withNamedClient(contextWith(authorization), [GRANT])).toThrow(refusal);
    expect(() => refuseBasic(contextWith(authorization))).toThrow(refusal);
  });

  it("refuses an assertion beside it, and another client_id", () => {
    const context = contextWith(basic(`${CLIENT}:`));
    const asserted = [GRANT, { name: "client_assertion", value: "e30.e30." }];
    expect(() => withNamedClient(context, asserted)).toThrow(expect.objectContaining({ error: "invalid_client" }));
    const other = [{ ...NAMED, value: CLIENT.replace("2", "3") }];
    expect(() => withNamedClient(context, other)).toThrow(expect.objectContaining({ error: "invalid_request" }));
    expect(() => refuseBasic(context)).toThrow(expect.objectContaining({ error: "invalid_client" }));
  });

  it.each([undefined, "", "Bearer x", "Basically x:"])("leaves parameters as they are beside %j", (authorization) => {
    expect(withNamedClient(contextWith(authorization), [GRANT])).toEqual([GRANT]);
  });
});
