import type { DescMethodUnary } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { StatusService } from "../../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import type { Env } from "../../config/env.ts";
import { createRpcTransport } from "../../rpc/client/client.ts";
import { isNotConnected } from "../../rpc/client/not-connected.ts";
import { serviceTime } from "../../rpc/client/service-time.ts";
import type { CallerProof } from "../../rpc/identity/caller-keys.ts";
import { readRpcCa } from "../../rpc/identity/rpc-tls.ts";
import { clockFinding } from "../clock-finding.ts";
import { failureWords } from "../failure-words.ts";
import { ok, type ProbeFinding, warning } from "../finding.ts";
import type { Probe, ProbeContext } from "../run-probes.ts";
import { serverCertificateFindings } from "../server-certificate.ts";
import { judgeAnswer, judgeHealthFailure } from "./judge-service.ts";

/** Another service that a process calls. */
export interface ServiceUse {
  /** Such as `commitments`. */
  readonly name: string;
  /** The setting with its URLs. */
  readonly variable: string;
  /** Returns undefined if the setting may be absent and is. @throws ConfigError */
  readonly read: () => ServiceAddress | undefined;
  /**
   * A method that changes nothing for the empty message, and that this process may call: its answer shows whether the service takes
   * the process for the right caller. Without one only the token is tried, by a method that is the operator's.
   */
  readonly method?: DescMethodUnary;
}

export interface ServiceAddress {
  /** The service's processes: each is checked. */
  readonly urls: readonly string[];
  readonly caller: CallerProof;
  /** Certificates (PEM) of the authorities to trust. Those of the runtime by default. */
  readonly ca: string | undefined;
}

/** Returns the address that the settings of a connection have; undefined without them. */
export function addressOf(
  connection:
    | { readonly url: readonly string[]; readonly caller: CallerProof; readonly ca: string | undefined }
    | undefined,
): ServiceAddress | undefined {
  return connection && { urls: connection.url, caller: connection.caller, ca: connection.ca };
}

/** Returns the address of an upstream of a process that trusts what `RPC_CA` says; undefined without one. */
export function upstreamAddress(
  env: Env,
  upstream: { readonly baseUrl: readonly string[]; readonly caller: CallerProof } | undefined,
): ServiceAddress | undefined {
  return upstream && { urls: upstream.baseUrl, caller: upstream.caller, ca: readRpcCa(env) };
}

/** Bounds each call, so that several of them end within the time of a probe. In milliseconds. */
const TIMEOUT_MS = 4_000;

/**
 * A check of each process of another service: reach, the end of its certificate, protocol, readiness, clock, and whether it accepts this
 * process's token.
 */
export function serviceProbe({ name, variable, read, method }: ServiceUse): Probe {
  const subject = `${name} service`;
  return {
    subject,
    async run(context) {
      const address = read();
      if (address === undefined) return [ok(`isn't used, as ${variable} isn't set`)];
      const { urls, ...how } = address;
      const findings = await Promise.all(
        urls.map(async (baseUrl) => {
          const of = { subject: urls.length === 1 ? subject : `${subject} ${new URL(baseUrl).host}` };
          const found = await processFindings({ ...how, baseUrl, variable, name, method }, context);
          return found.map((finding) => ({ ...of, ...finding }));
        }),
      );
      return findings.flat();
    },
  };
}

interface Called extends Omit<ServiceAddress, "urls">, Pick<ServiceUse, "name" | "variable"> {
  readonly baseUrl: string;
  readonly method: DescMethodUnary | undefined;
}

async function processFindings(called: Called, { signal, nowMs }: ProbeContext): Promise<readonly ProbeFinding[]> {
  const { baseUrl, ca, name, variable } = called;
  const findings: ProbeFinding[] = [];
  const transport = createRpcTransport({ ...called, defaultTimeoutMs: TIMEOUT_MS });
  try {
    findings.push(...(await serverCertificateFindings(baseUrl, ca, signal, nowMs)));
    const { status } = await createClient(Health, transport).check({}, { signal });
    if (status !== ServingStatus.SERVING) {
      return [...findings, warning("answers, and isn't ready", "read why from its own readiness, then check again")];
    }
  } catch (error) {
    return [...findings, judgeHealthFailure(failureWords(error), { variable, name, isAbsent: isNotConnected(error) })];
  }
  const clock = await clockFinding(`${name} service`, serviceTime(transport), nowMs);
  return [...findings, clock, judgeAnswer(await answerOf(transport, called.method, signal), name, called.method)];
}

/** Returns the error of a call by this process's token; undefined for an answer. */
async function answerOf(
  transport: Transport,
  method: DescMethodUnary = StatusService.method.getStatus,
  signal: AbortSignal,
): Promise<unknown> {
  return transport.unary(method, signal, TIMEOUT_MS, undefined, {}).then(
    () => undefined,
    (error: unknown) => error,
  );
}
