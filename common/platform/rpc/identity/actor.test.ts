import { createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { MembershipService } from "../../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { createRpcTransport } from "../client/client.ts";
import { createRequestGate } from "../server/request-gate.ts";
import { startTestServer } from "../testing/test-server.ts";
import { ACTOR_HEADER, type Actor, type ActorVerifier, actorOf } from "./actor.ts";
import { namedKeyAuthenticator } from "./named-key-authenticator.ts";
import { type Principal, principalOf } from "./principal.ts";

const AUDIENCE = "tidemark.auth";
const actor: Actor = { accountUuid: "11111111-1111-4111-8111-111111111111", authenticatedAtMs: 5n };
const verifier: ActorVerifier = {
  verify: async (token) => {
    if (token === "good") return actor;
    throw new ServiceError("unauthenticated", "the actor token is not valid");
  },
};

/** A service that notes the person for whom it is called. */
async function given(actors: ActorVerifier | undefined) {
  const names = ["gateway", "operator", "indexer"];
  const keys = new Map(names.map((name, index) => [name, [new Uint8Array(32).fill(index + 1)] as const]));
  const seen: (Actor | undefined)[] = [];
  const principals: Principal[] = [];
  const { url } = await startTestServer(
    {},
    {
      gate: createRequestGate({
        authenticator: namedKeyAuthenticator({ keys, audience: AUDIENCE }),
        allowed: { [MembershipService.typeName]: { GetRole: names } },
        ...(actors && { actors }),
      }),
      routes: (router) =>
        router.service(MembershipService, {
          getRole: (_, context) => {
            seen.push(actorOf(context));
            principals.push(principalOf(context));
            return {};
          },
        }),
    },
  );
  const call = (name: string, token?: string) => {
    const caller = { name, key: keys.get(name)?.[0] ?? new Uint8Array(32), audience: AUDIENCE };
    const transport = createRpcTransport({ baseUrl: url, caller, defaultTimeoutMs: 5_000 });
    const headers = token === undefined ? {} : { [ACTOR_HEADER]: token };
    const uuid = actor.accountUuid;
    return createClient(MembershipService, transport).getRole({ saleUuid: uuid, accountUuid: uuid }, { headers });
  };
  return { call, seen, principals };
}

describe("the actor of a call", () => {
  it("is the person of a gateway's actor token", async () => {
    const { call, seen, principals } = await given(verifier);
    await call("gateway", "good");
    expect(seen).toEqual([actor]);
    expect(principals).toEqual([{ kind: "person", ...actor }]);
  });

  it("is nobody without a token; then only an operator decides", async () => {
    const { call, seen, principals } = await given(verifier);
    await call("operator");
    await expect(call("gateway")).rejects.toThrow("[unauthenticated] caller gateway may do this only for a person");
    expect(seen).toEqual([undefined, undefined]);
    expect(principals).toEqual([{ kind: "operator" }]);
  });

  it("is refused if the token isn't valid", async () => {
    const { call, seen } = await given(verifier);
    for (const token of ["forged", ""]) await expect(call("gateway", token)).rejects.toThrow("[unauthenticated]");
    expect(seen).toEqual([]);
  });

  it.each(["operator", "indexer"])("may not be brought by %s", async (name) => {
    const { call, seen } = await given(verifier);
    await expect(call(name, "good")).rejects.toThrow(`[permission_denied] caller ${name} may not act for people`);
    expect(seen).toEqual([]);
  });

  it("is refused by a service without a verifier", async () => {
    const { call } = await given(undefined);
    await expect(call("gateway", "good")).rejects.toThrow("[unauthenticated] actor tokens aren't accepted here");
  });
});
