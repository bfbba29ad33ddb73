import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { AuthorizationService } from "../../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { retryInterceptor } from "./retry.ts";

/** A service that fails for the first calls, and counts the calls. */
function failing(times: number, code = Code.Unavailable) {
  let calls = 0;
  const fail = () => {
    calls += 1;
    if (calls <= times) throw new ConnectError("away", code);
    return {};
  };
  const transport = createRouterTransport(
    ({ service }) => service(AuthorizationService, { getJwks: fail, introspectToken: fail, issueTokens: fail }),
    { transport: { interceptors: [retryInterceptor] } },
  );
  return { client: createClient(AuthorizationService, transport), calls: () => calls };
}

it.each(["getJwks", "introspectToken"] as const)("repeats %s, which changes nothing, twice", async (method) => {
  const { client, calls } = failing(2);
  await client[method]({});
  expect(calls()).toBe(3);
});

it("gives up then", async () => {
  const { client, calls } = failing(3);
  await expect(client.getJwks({})).rejects.toThrow("away");
  expect(calls()).toBe(3);
});

it("repeats neither what changes something, nor what fails for good", async () => {
  const changing = failing(1);
  await expect(changing.client.issueTokens({})).rejects.toThrow("away");
  const internal = failing(1, Code.Internal);
  await expect(internal.client.getJwks({})).rejects.toThrow("away");
  expect([changing.calls(), internal.calls()]).toEqual([1, 1]);
});
