import { Code, ConnectError, createClient, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE_UUID } from "../testing/test-server.ts";
import { connectRetryInterceptor } from "./connect-retry.ts";

function failure(code: string): ConnectError {
  return new ConnectError("away", Code.Unavailable, undefined, undefined, Object.assign(new Error(), { code }));
}

/** A client whose first calls fail, once they have used up their messages, and a clock that shows a second more at each look. */
function failing(times: number, code: string, forMs: number) {
  let attempts = 0;
  let seconds = 0;
  const failures: Interceptor = (next) => async (request) => {
    attempts += 1;
    if (attempts > times) return next(request);
    if (request.stream) await Array.fromAsync(request.message);
    throw failure(code);
  };
  const retry = connectRetryInterceptor(forMs, () => seconds++ * 1_000);
  const transport = createRouterTransport(
    ({ service }) =>
      service(CommitmentService, {
        applyCommitments: () => ({}),
        exportCommitments: async function* ({ saleUuid }) {
          if (saleUuid !== SALE_UUID) throw new ConnectError("no message", Code.InvalidArgument);
          yield {};
        },
      }),
    { transport: { interceptors: [retry, failures] } },
  );
  return { client: createClient(CommitmentService, transport), attempts: () => attempts };
}

describe("a call whose connection can't be opened", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"])(
    "is repeated, though it changes something: %s",
    async (code) => {
      const { client, attempts } = failing(2, code, 15_000);
      await client.applyCommitments({ saleUuid: SALE_UUID });
      expect(attempts()).toBe(3);
    },
  );

  it("is repeated with its message, where it answers with a stream", async () => {
    const { client, attempts } = failing(2, "ECONNREFUSED", 15_000);
    const answers = await Array.fromAsync(client.exportCommitments({ saleUuid: SALE_UUID }));
    expect([answers.length, attempts()]).toEqual([1, 3]);
  });

  it("fails with its last failure once the time is over", async () => {
    const { client, attempts } = failing(9, "ECONNREFUSED", 2_000);
    await expect(client.applyCommitments({ saleUuid: SALE_UUID })).rejects.toThrow("away");
    expect(attempts()).toBe(2);
  });
});

it.each(["ECONNRESET", "EPIPE"])("never repeats a call that a service may have got: %s", async (code) => {
  const { client, attempts } = failing(9, code, 15_000);
  await expect(client.applyCommitments({ saleUuid: SALE_UUID })).rejects.toThrow("away");
  expect(attempts()).toBe(1);
});
