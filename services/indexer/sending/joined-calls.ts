import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { abortedByAll } from "../../../common/platform/concurrency/aborted-by-all.ts";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
import { inBatches } from "../../../common/platform/db/batches.ts";
import {
  type AcquireSaleLeaseResponse,
  AcquireSaleLeaseResponseSchema,
  type ReportSourceStatusResponse,
  ReportSourceStatusResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsClient } from "./commitments-client.ts";

type Commitments = CommitmentsClient["commitments"];
type LeaseCall = Call<Parameters<Commitments["acquireSaleLease"]>[0]>;
type ReportCall = Call<Parameters<Commitments["reportSourceStatus"]>[0]>;
type CallOptions = NonNullable<Parameters<Commitments["acquireSaleLease"]>[1]>;

interface Call<Request> {
  readonly request: Request;
  readonly signal: AbortSignal;
}

/** An answer, or why there is none for this call. */
type Outcome<Answer> = Answer | ConnectError;

/** Most calls that are joined at once, in several requests side by side: one that is held up holds up a part of them only. */
const MAX_BATCH = 1_000;
const LEASES_PER_REQUEST = 200;
const REPORTS_PER_REQUEST = 100;

/** Limit for reports: the next ones wait until these are answered. */
const REPORT_LIMIT_MS = 3_000;
/**
 * Part of a lease's duration that a request for it may take: the service answers after half of that, and callers wait for half of the
 * duration. The connection to a machine that is gone is known by a request that takes too long.
 */
const LEASE_LIMIT_DIVISOR = 3;
const LEAST_LEASE_LIMIT_MS = 800;

/**
 * Joins the calls that workers make for a sale each to one call for all sales of a moment: those for leases, which a process asks for as
 * long as another one holds them, and the reports of how reading goes. Each gets the answer that it would have had alone. Calls that come
 * while one is under way go together with the next; those whose callers have left by then aren't sent.
 */
export function joinCalls({ sales, commitments }: CommitmentsClient): CommitmentsClient {
  return {
    sales,
    commitments: {
      ...commitments,
      acquireSaleLease: joined((calls) => acquireTogether(commitments, calls)),
      reportSourceStatus: joined((calls) => reportTogether(commitments, calls)),
    },
  };
}

function joined<Request, Answer>(
  together: (calls: readonly Call<Request>[]) => Promise<ReadonlyMap<Call<Request>, Outcome<Answer>>>,
) {
  const work = async (calls: readonly Call<Request>[]) => {
    const outcomes = await together(calls.filter(({ signal }) => !signal.aborted));
    return calls.map((call) => outcomes.get(call) ?? missing());
  };
  const batcher = new Batcher(work, { maxBatch: MAX_BATCH });
  return async (request: Request, { signal, timeoutMs }: CallOptions = {}): Promise<Answer> => {
    const ends = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const until = AbortSignal.any(ends.filter((each) => each !== undefined));
    until.throwIfAborted();
    const outcome = await untilAborted(batcher.run({ request, signal: until }), until);
    if (outcome instanceof ConnectError) throw outcome;
    return outcome;
  };
}

async function acquireTogether(
  commitments: Commitments,
  calls: readonly LeaseCall[],
): Promise<ReadonlyMap<LeaseCall, Outcome<AcquireSaleLeaseResponse>>> {
  const outcomes = new Map<LeaseCall, Outcome<AcquireSaleLeaseResponse>>();
  const byTerms = Map.groupBy(calls, ({ request: { holder, duration } }) => `${holder} ${millisOf(duration)}`);
  const ask = async (group: readonly LeaseCall[]) => {
    const { holder = "", duration } = group[0]?.request ?? {};
    const saleUuids = group.map(({ request: { saleUuid = "" } }) => saleUuid);
    const timeoutMs = Math.ceil(Math.max(LEAST_LEASE_LIMIT_MS, millisOf(duration) / LEASE_LIMIT_DIVISOR));
    const answer = await answerOf(group, (signal) =>
      commitments.acquireSaleLeases({ holder, ...(duration && { duration }), saleUuids }, { signal, timeoutMs }),
    );
    const acquired = new Map(answer.acquired.map(({ saleUuid, epoch }) => [saleUuid, epoch]));
    const foreign = new Set(answer.foreign);
    for (const call of group) {
      const { saleUuid = "" } = call.request;
      const epoch = acquired.get(saleUuid);
      if (epoch !== undefined)
        outcomes.set(call, create(AcquireSaleLeaseResponseSchema, { acquired: true, epoch, holder }));
      else if (foreign.has(saleUuid)) outcomes.set(call, create(AcquireSaleLeaseResponseSchema));
    }
  };
  const alone = (call: LeaseCall) => commitments.acquireSaleLease(call.request, { signal: call.signal });
  const groups = [...byTerms.values()].flatMap((group) => [...inBatches(group, LEASES_PER_REQUEST)]);
  await Promise.all(groups.map((group) => eachOrAlone(group, outcomes, () => ask(group), alone)));
  return outcomes;
}

async function reportTogether(
  commitments: Commitments,
  calls: readonly ReportCall[],
): Promise<ReadonlyMap<ReportCall, Outcome<ReportSourceStatusResponse>>> {
  const outcomes = new Map<ReportCall, Outcome<ReportSourceStatusResponse>>();
  const timeoutMs = REPORT_LIMIT_MS;
  const ask = async (group: readonly ReportCall[]) => {
    const reports = group.map(({ request }) => request);
    const answer = await answerOf(group, (signal) =>
      commitments.reportSourceStatuses({ reports }, { signal, timeoutMs }),
    );
    const stored = new Map(answer.stored.map(({ saleUuid, sweepRequests }) => [saleUuid, sweepRequests]));
    for (const call of group) {
      const sweepRequests = stored.get(call.request.saleUuid ?? "");
      if (sweepRequests !== undefined) outcomes.set(call, create(ReportSourceStatusResponseSchema, { sweepRequests }));
    }
  };
  const alone = ({ request, signal }: ReportCall) => commitments.reportSourceStatus(request, { signal, timeoutMs });
  const groups = [...inBatches(calls, REPORTS_PER_REQUEST)];
  await Promise.all(groups.map((group) => eachOrAlone(group, outcomes, () => ask(group), alone)));
  return outcomes;
}

/** Failures of the service or of the way to it, which each call would have alone, too. */
const CODES_OF_SERVICE: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.DeadlineExceeded,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unavailable,
]);

/**
 * Fills in the outcomes of calls: by one call for all. Where that is refused, each asks alone, so that what is wrong with one hurts no
 * other; so it does at a service of the version before, which has no such RPC.
 */
async function eachOrAlone<Request, Answer>(
  calls: readonly Call<Request>[],
  outcomes: Map<Call<Request>, Outcome<Answer>>,
  together: () => Promise<void>,
  alone: (call: Call<Request>) => Promise<Answer>,
): Promise<void> {
  try {
    await together();
  } catch (error) {
    const isOfService = CODES_OF_SERVICE.has(ConnectError.from(error).code);
    const outcomeOf = (call: Call<Request>) => (isOfService ? Promise.reject(error) : alone(call));
    const outcome = async (call: Call<Request>) => {
      outcomes.set(call, await outcomeOf(call).catch((failure: unknown) => ConnectError.from(failure)));
    };
    await Promise.all(calls.map(outcome));
  }
}

/** Calls until all callers have left. */
async function answerOf<Result>(
  calls: readonly Call<unknown>[],
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  using all = abortedByAll(calls.map(({ signal }) => signal));
  return await call(all.signal);
}

function missing(): ConnectError {
  return new ConnectError("the service couldn't do it for this sale now", Code.Unavailable);
}

function millisOf(duration: LeaseCall["request"]["duration"]): number {
  return Number(duration?.seconds ?? 0) * 1000 + (duration?.nanos ?? 0) / 1_000_000;
}
