import { setTimeout as wait } from "node:timers/promises";
import { failureWords } from "./failure-words.ts";
import { type Finding, failed, type ProbeFinding } from "./finding.ts";

/** A question to one thing that a process needs. It changes nothing. */
export interface Probe {
  /** The subject of its findings. */
  readonly subject: string;
  /** @throws any error, whose words are then the finding */
  run(context: ProbeContext): Promise<readonly ProbeFinding[]>;
}

export interface ProbeContext {
  /** Aborted when the probe is over. */
  readonly signal: AbortSignal;
  /** This process's clock: milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** The time for a probe, in milliseconds: all run side by side, so that it is the time for all of them, too. */
export const PROBE_TIMEOUT_MS = 15_000;

/**
 * Runs probes side by side, each with a deadline, so that one that hangs holds up no other. A probe that fails has its failure as its
 * finding.
 *
 * @returns the findings in the probes' order
 */
export async function runProbes(
  probes: readonly Probe[],
  {
    timeoutMs = PROBE_TIMEOUT_MS,
    nowMs = Date.now,
  }: { readonly timeoutMs?: number; readonly nowMs?: () => number } = {},
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    probes.map(async (probe) =>
      (await runProbe(probe, timeoutMs, nowMs)).map((each) => ({ subject: probe.subject, ...each })),
    ),
  );
  return findings.flat();
}

async function runProbe(probe: Probe, timeoutMs: number, nowMs: () => number): Promise<readonly ProbeFinding[]> {
  const over = new AbortController();
  const answered = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: answered.signal }).then(
    () => [
      failed(
        `no answer within ${timeoutMs / 1_000} s`,
        "look whether a firewall or network policy drops the connection",
      ),
    ],
    () => [],
  );
  try {
    return await Promise.race([probe.run({ signal: over.signal, nowMs }), late]);
  } catch (error) {
    return [failed(failureWords(error))];
  } finally {
    over.abort();
    answered.abort();
  }
}
