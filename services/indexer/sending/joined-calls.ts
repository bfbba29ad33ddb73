import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { abortedByAll } from "../../../common/platform/concurrency/aborted-by-all.ts";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
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

/** Limits of the RPCs. */
const MAX_LEASES = 1_000;
const MAX_REPORTS = 500;

/**
 * Joins the calls that workers make for a sale each to one call for all sales of a moment: those for leases, which a process asks for as
 * long as another one holds them, and the reports of how reading goes. Each gets the answer that it would have had alone. Calls that come
 * while one is under way go together with the next.
 */
export function joinCalls({ sales, commitments }: CommitmentsClient): CommitmentsClient {
  return {
    sales,
    commitments: {
      ...commitments,
      acquireSaleLease: joined((calls) => acquireTogether(commitments, calls), MAX_LEASES),
      reportSourceStatus: joined((calls) => reportTogether(commitments, calls), MAX_REPORTS),
    },
  };
}

function joined<Request, Answer>(
  together: (calls: readonly Call<Request>[]) => Promise<readonly Outcome<Answer>[]>,
  maxBatch: number,
) {
  const batcher = new Batcher(together, { maxBatch });
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
): Promise<readonly Outcome<AcquireSaleLeaseResponse>[]> {
  const outcomes = new Map<LeaseCall, Outcome<AcquireSaleLeaseResponse>>();
  const groups = Map.groupBy(calls, ({ request: { holder, duration } }) => `${holder} ${durationText(duration)}`);
  const ask = async (group: readonly LeaseCall[]) => {
    const { holder = "", duration } = group[0]?.request ?? {};
    const saleUuids = group.map(({ request: { saleUuid = "" } }) => saleUuid);
    const answer = await answerOf(group, (signal) =>
      commitments.acquireSaleLeases({ holder, ...(duration && { duration }), saleUuids }, { signal }),
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
  await Promise.all([...groups.values()].map((group) => eachOrAlone(group, outcomes, () => ask(group), alone)));
  return calls.map((call) => outcomes.get(call) ?? missing("the lease couldn't be asked for now"));
}

async function reportTogether(
  commitments: Commitments,
  calls: readonly ReportCall[],
): Promise<readonly Outcome<ReportSourceStatusResponse>[]> {
  const outcomes = new Map<ReportCall, Outcome<ReportSourceStatusResponse>>();
  const ask = async () => {
    const reports = calls.map(({ request }) => request);
    const answer = await answerOf(calls, (signal) => commitments.reportSourceStatuses({ reports }, { signal }));
    const stored = new Map(answer.stored.map(({ saleUuid, sweepRequests }) => [saleUuid, sweepRequests]));
    for (const call of calls) {
      const sweepRequests = stored.get(call.request.saleUuid ?? "");
      if (sweepRequests !== undefined) outcomes.set(call, create(ReportSourceStatusResponseSchema, { sweepRequests }));
    }
  };
  const alone = (call: ReportCall) => commitments.reportSourceStatus(call.request, { signal: call.signal });
  await eachOrAlone(calls, outcomes, ask, alone);
  return calls.map((call) => outcomes.get(call) ?? missing("the report wasn't stored"));
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

function missing(message: string): ConnectError {
  return new ConnectError(message, Code.Unavailable);
}

function durationText(duration: LeaseCall["request"]["duration"]): string {
  return `${duration?.seconds ?? 0} ${duration?.nanos ?? 0}`;
}
