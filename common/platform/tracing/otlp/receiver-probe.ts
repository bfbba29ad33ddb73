import { failureWords, fetchFailureWords } from "../../checks/failure-words.ts";
import { ok, type ProbeFinding, warning } from "../../checks/finding.ts";
import type { Probe } from "../../checks/run-probes.ts";
import { serverCertificateFindings } from "../../checks/server-certificate.ts";
import type { TracingConfig } from "./tracing-config.ts";

/** The request without a span: a message of protobuf without fields. */
const NO_SPANS = new Uint8Array();
const TIMEOUT_MS = 10_000;

/**
 * A check of the receiver of traces, which gets a request without spans. Whatever it finds is a warning at most: a process works without
 * its traces.
 *
 * @param read returns undefined if nothing is traced, and throws ConfigError
 */
export function traceReceiverProbe(read: () => TracingConfig | undefined): Probe {
  return {
    subject: "receiver of traces",
    async run({ signal, nowMs }) {
      const config = read();
      if (config === undefined) return [ok("isn't used, as no OTEL_EXPORTER_OTLP_ENDPOINT is set")];
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        const certificate = await serverCertificateFindings(config.url, undefined, limit, nowMs);
        return [...certificate.map(atMostWarning), answerFinding(await sendNothing(config, limit))];
      } catch (error) {
        const text = limit.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : failureWords(error);
        return [warning(`${text}, so no trace arrives`, "look at OTEL_EXPORTER_OTLP_ENDPOINT, or start the receiver")];
      }
    },
  };
}

async function sendNothing({ url, headers }: TracingConfig, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-protobuf" },
    body: NO_SPANS,
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    throw new Error(fetchFailureWords(error));
  });
  await response.body?.cancel();
  return response.status;
}

function answerFinding(status: number): ProbeFinding {
  if (status >= 200 && status < 300) return ok("takes traces");
  if (status === 401 || status === 403) {
    return warning(`refuses this process (HTTP ${status})`, "correct OTEL_EXPORTER_OTLP_HEADERS");
  }
  const remedy = "look whether OTLP by HTTP is served there; /v1/traces is added to OTEL_EXPORTER_OTLP_ENDPOINT";
  return warning(`answers with HTTP ${status}, so no trace arrives`, remedy);
}

function atMostWarning(finding: ProbeFinding): ProbeFinding {
  return finding.level === "failed" ? { ...finding, level: "warning" } : finding;
}
