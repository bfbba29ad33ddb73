import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { createErrorInterceptor } from "../error-interceptor.ts";
import { outOfTime } from "./bearer-token.ts";
import { callerInterceptor } from "./caller-token.ts";
import { namedKeyAuthenticator } from "./named-key-authenticator.ts";

const credentials = { name: "gateway", key: new Uint8Array(32).fill(1), audience: "tidemark.auth" };
const now = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

/** A client whose calls' `authorization` headers are collected in the list. */
function recordingClient() {
  const sent: string[] = [];
  const transport = createRouterTransport(
    (router) =>
      router.service(Health, {
        check: (_, { requestHeader }) => {
          sent.push(requestHeader.get("authorization") ?? "");
          return {};
        },
      }),
    { transport: { interceptors: [callerInterceptor(credentials)] } },
  );
  return { sent, client: createClient(Health, transport) };
}

describe("callerInterceptor", () => {
  it("sends a token that the service accepts", async () => {
    const { sent, client } = recordingClient();
    await client.check({});
    const keys = new Map([[credentials.name, [credentials.key]]]);
    const { authenticate } = namedKeyAuthenticator({ keys, audience: credentials.audience });
    expect(await authenticate(sent[0])).toEqual({ name: "gateway" });
  });

  it("uses a token again, and renews it a minute before it expires", async () => {
    const { sent, client } = recordingClient();
    await client.check({});
    vi.setSystemTime(now + 239_000);
    await client.check({});
    vi.setSystemTime(now + 240_000);
    await Promise.all([client.check({}), client.check({})]);
    expect(sent[1]).toBe(sent[0]);
    expect(sent[2]).not.toBe(sent[0]);
    expect(sent[3]).toBe(sent[2]);
  });

  it.each([
    ["a token of another time as unavailable", outOfTime("the caller token has expired"), Code.Unavailable],
    ["any other token as it was refused", new ServiceError("unauthenticated", "not valid"), Code.Unauthenticated],
  ])("fails where a service refuses %s", async (_, refusal, code) => {
    const check = () => Promise.reject(refusal);
    const transport = createRouterTransport((router) => router.service(Health, { check }), {
      router: { interceptors: [createErrorInterceptor(captureLog().logger)] },
      transport: { interceptors: [callerInterceptor(credentials)] },
    });
    await expect(createClient(Health, transport).check({})).rejects.toMatchObject({ code });
  });
});
