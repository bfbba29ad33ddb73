import type { NodeResponse } from "./universal-request.ts";

/** The time after its deadline in which a call may still send its answer, before it is cut off. */
const ANSWER_GRACE_MS = 10_000;

/** Cuts off clients that send or read too slowly: the deadline of a call, in milliseconds, stops only its handler. */
export function boundLifetime(response: NodeResponse, timeoutMs: number): void {
  const timer = setTimeout(() => response.destroy(), timeoutMs + ANSWER_GRACE_MS);
  response.once("close", () => clearTimeout(timer));
}
