import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import {
  AcquireSaleLeaseResponseSchema,
  AcquireSaleLeasesResponseSchema,
  ReportSourceStatusesResponseSchema,
  ReportSourceStatusResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clientWith } from "../testing/stub-client.ts";
import { joinCalls } from "./joined-calls.ts";

const refused = () => Promise.reject(new ConnectError("scripted", Code.Unavailable));

function outcomes(results: readonly PromiseSettledResult<unknown>[]) {
  return results.map((result) =>
    result.status === "fulfilled" ? result.value : ConnectError.from(result.reason).code,
  );
}

describe("leases that are asked for at one moment", () => {
  /** A service that gives leases by UUID, and the calls that it got. */
  function service(leases: Readonly<Record<string, bigint | "foreign">>) {
    const calls: string[][] = [];
    const { commitments } = joinCalls(
      clientWith({
        acquireSaleLeases: async ({ holder = "", duration, saleUuids = [] }) => {
          calls.push([holder, String(duration?.seconds), ...saleUuids]);
          const acquired = saleUuids.flatMap((saleUuid) => {
            const epoch = leases[saleUuid];
            return typeof epoch === "bigint" ? { saleUuid, epoch } : [];
          });
          const foreign = saleUuids.filter((saleUuid) => leases[saleUuid] === "foreign");
          return create(AcquireSaleLeasesResponseSchema, { acquired, foreign });
        },
      }),
    );
    const ask = (saleUuid: string, seconds = 6n, signal?: AbortSignal) =>
      commitments.acquireSaleLease(
        { saleUuid, holder: "reader-1", duration: { seconds } },
        { ...(signal && { signal }) },
      );
    return { calls, ask };
  }

  it("are one call, and each gets its own answer", async () => {
    const { calls, ask } = service({ a: 3n, b: "foreign" });
    const results = await Promise.allSettled([ask("a"), ask("b"), ask("c")]);
    expect(outcomes(results)).toMatchObject([{ acquired: true, epoch: 3n }, { acquired: false }, Code.Unavailable]);
    expect(calls).toEqual([["reader-1", "6", "a", "b", "c"]]);
  });

  it("go apart where they are to last for different times", async () => {
    const { calls, ask } = service({ a: 3n, b: 4n });
    await Promise.all([ask("a"), ask("b", 1n)]);
    expect(calls).toEqual([
      ["reader-1", "6", "a"],
      ["reader-1", "1", "b"],
    ]);
  });

  it("don't wait for the call once their caller has left, which ends no other's", async () => {
    const { ask } = service({ a: 3n, b: 4n });
    const leaving = new AbortController();
    const asked = Promise.allSettled([ask("a", 6n, leaving.signal), ask("b")]);
    leaving.abort();
    const [left, stayed] = await asked;
    expect([left?.status, stayed]).toMatchObject(["rejected", { value: { epoch: 4n } }]);
  });

  it("aren't asked for once their caller has left, while those of others are", async () => {
    const calls: string[][] = [];
    const answer = Promise.withResolvers<void>();
    const { commitments } = joinCalls(
      clientWith({
        acquireSaleLeases: async ({ saleUuids = [] }) => {
          calls.push([...saleUuids]);
          await answer.promise;
          return create(AcquireSaleLeasesResponseSchema, { foreign: saleUuids });
        },
      }),
    );
    const leaving = new AbortController();
    const ask = (saleUuid: string, signal?: AbortSignal) =>
      commitments.acquireSaleLease({ saleUuid, holder: "h" }, { ...(signal && { signal }) });
    const first = ask("a");
    await vi.waitFor(() => expect(calls).toEqual([["a"]]));
    const left = ask("b", leaving.signal);
    const stayed = ask("c");
    leaving.abort();
    await expect(left).rejects.toThrow();
    answer.resolve();
    expect(await Promise.all([first, stayed])).toMatchObject([{ acquired: false }, { acquired: false }]);
    expect(calls).toEqual([["a"], ["c"]]);
  });

  it("are several requests side by side, each with a limit, where they are many", async () => {
    const requests: unknown[] = [];
    const { commitments } = joinCalls(
      clientWith({
        acquireSaleLeases: async ({ saleUuids = [] }, options) => {
          requests.push([saleUuids.length, options?.timeoutMs]);
          return saleUuids.includes("0") ? refused() : create(AcquireSaleLeasesResponseSchema, { foreign: saleUuids });
        },
      }),
    );
    const asked = Array.from({ length: 450 }, (_, index) =>
      commitments.acquireSaleLease({ saleUuid: `${index}`, holder: "h", duration: { seconds: 6n } }),
    );
    const results = await Promise.allSettled(asked);
    expect(requests).toEqual([
      [200, 2_000],
      [200, 2_000],
      [50, 2_000],
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(200);
  });

  it("are asked for one by one at a service of the version before", async () => {
    const { commitments } = joinCalls(
      clientWith({
        acquireSaleLease: async ({ saleUuid }) =>
          saleUuid === "b" ? refused() : create(AcquireSaleLeaseResponseSchema, { acquired: true, epoch: 9n }),
      }),
    );
    const results = await Promise.allSettled(
      ["a", "b"].map((saleUuid) => commitments.acquireSaleLease({ saleUuid, holder: "h" })),
    );
    expect(outcomes(results)).toMatchObject([{ epoch: 9n }, Code.Unavailable]);
  });
});

describe("reports of one moment", () => {
  it("are one call; one that wasn't stored fails alone", async () => {
    const calls: string[][] = [];
    const { commitments } = joinCalls(
      clientWith({
        reportSourceStatuses: async ({ reports = [] }, options) => {
          calls.push([
            `${options?.timeoutMs}`,
            ...reports.map(({ saleUuid = "", fault = "" }) => `${saleUuid} ${fault}`),
          ]);
          return create(ReportSourceStatusesResponseSchema, { stored: [{ saleUuid: "b", sweepRequests: 2n }] });
        },
      }),
    );
    const reports = ["a", "b"].map((saleUuid) => ({ saleUuid, leaseEpoch: 1n, fault: `of ${saleUuid}` }));
    const results = await Promise.allSettled(reports.map((report) => commitments.reportSourceStatus(report)));
    expect(outcomes(results)).toMatchObject([Code.Unavailable, { sweepRequests: 2n }]);
    expect(calls).toEqual([["3000", "a of a", "b of b"]]);
  });

  it.each([Code.InvalidArgument, Code.Internal, Code.ResourceExhausted])(
    "are sent alone where all together are refused with code %i, so that only the one that is wrong fails",
    async (code) => {
      const isWrong = (saleUuid = "") => saleUuid === "b";
      const { commitments } = joinCalls(
        clientWith({
          reportSourceStatuses: async () => Promise.reject(new ConnectError("one is wrong", code)),
          reportSourceStatus: async ({ saleUuid }) => {
            if (isWrong(saleUuid)) throw new ConnectError("wrong", code);
            return create(ReportSourceStatusResponseSchema, { sweepRequests: 4n });
          },
        }),
      );
      const results = ["a", "b", "c"].map((saleUuid) => commitments.reportSourceStatus({ saleUuid }));
      expect(outcomes(await Promise.allSettled(results))).toMatchObject([
        { sweepRequests: 4n },
        code,
        { sweepRequests: 4n },
      ]);
    },
  );

  it("fail together with their call, and go one by one to a service of the version before", async () => {
    const failing = joinCalls(clientWith({ reportSourceStatuses: refused })).commitments;
    await expect(failing.reportSourceStatus({ saleUuid: "a" })).rejects.toMatchObject({ code: Code.Unavailable });
    const old = joinCalls(
      clientWith({ reportSourceStatus: async () => create(ReportSourceStatusResponseSchema, { sweepRequests: 7n }) }),
    ).commitments;
    expect(await old.reportSourceStatus({ saleUuid: "a" })).toMatchObject({ sweepRequests: 7n });
  });
});
