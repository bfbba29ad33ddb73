import type { ServerResponse } from "node:http";

const refusals = new WeakMap<ServerResponse, number>();

/**
 * Has metrics and traces count an answer by the status of what it refuses: a redirect to the page that shows why would hide it from
 * alerts.
 */
export function countAs(response: ServerResponse, status: number): void {
  refusals.set(response, status);
}

/** Returns the status by which an answer counts. */
export function countedStatus(response: ServerResponse): number {
  return refusals.get(response) ?? response.statusCode;
}
