import { Code, createClient, createRouterTransport, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { createErrorInterceptor } from "../error-interceptor.ts";
import { outOfTime, unauthenticated } from "./bearer-token.ts";
import { callerInterceptor, signedTokenSource } from "./caller-token.ts";
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

  it("uses a token again, and renews it a minute before it expires, whatever the wall clock says", async () => {
    const clock = { ms: 0 };
    const source = signedTokenSource(credentials, () => clock.ms);
    const first = await source.current();
    vi.setSystemTime(now + 3_600_000);
    clock.ms = 239_999;
    expect(await source.current()).toBe(first);
    vi.setSystemTime(now - 300_000);
    clock.ms = 240_000;
    const [second, same] = await Promise.all([source.current(), source.current()]);
    expect(decodeJwt(second).iat).toBe((now - 300_000) / 1_000);
    expect(same).toBe(second);
  });

  it("makes a new token where the last one was refused, one for all calls", async () => {
    const source = signedTokenSource(credentials, () => 0);
    const first = await source.current();
    vi.setSystemTime(now - 300_000);
    const others = await Promise.all([source.instead(first), source.instead(first)]);
    expect(others[0]).not.toBe(first);
    expect(others[1]).toBe(others[0]);
    expect(await source.current()).toBe(others[0]);
  });

  it("recovers at once after a clock was ahead for a time", async () => {
    const keys = new Map([[credentials.name, [credentials.key]]]);
    const seen: (string | null)[] = [];
    // Each call meets a process that hasn't verified the token before.
    const check = async (_: unknown, { requestHeader }: HandlerContext) => {
      seen.push(requestHeader.get("authorization"));
      await namedKeyAuthenticator({ keys, audience: credentials.audience }).authenticate(seen.at(-1) ?? "");
      return {};
    };
    const client = createClient(Health, transportTo(check));
    vi.setSystemTime(now + 300_000);
    await client.check({});
    vi.setSystemTime(now);
    await client.check({});
    await client.check({});
    expect(seen.map((each) => seen.indexOf(each))).toEqual([0, 0, 2, 2]);
  });

  it.each([
    ["its times", outOfTime("the caller token has expired")],
    ["another reason", unauthenticated("the caller token is not valid")],
  ])("fails as it was refused where a new token is refused as well, for %s", async (_, refusal) => {
    const check = vi.fn(() => Promise.reject(refusal));
    const client = createClient(Health, transportTo(check));
    await expect(client.check({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    // Within the same second there is no other token.
    expect(check).toHaveBeenCalledTimes(1);
    vi.setSystemTime(now + 1_000);
    await expect(client.check({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(check).toHaveBeenCalledTimes(3);
  });

  it("passes refusals of a person's token on, and doesn't repeat the call", async () => {
    const violations = [{ field: "access.access_token", rule: "access_token.valid", message: "it has expired" }];
    const check = vi.fn(() => Promise.reject(new ServiceError("unauthenticated", "expired", { violations })));
    vi.setSystemTime(now + 1_000);
    await expect(createClient(Health, transportTo(check)).check({})).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
    expect(check).toHaveBeenCalledTimes(1);
  });
});

function transportTo(check: NonNullable<Partial<ServiceImpl<typeof Health>>["check"]>) {
  return createRouterTransport((router) => router.service(Health, { check }), {
    router: { interceptors: [createErrorInterceptor(captureLog().logger)] },
    transport: { interceptors: [callerInterceptor(credentials)] },
  });
}
