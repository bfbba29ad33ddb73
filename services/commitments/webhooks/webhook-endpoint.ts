import { ServiceError } from "../../../common/platform/errors/service-error.ts";

/** The most endpoints of a sale. */
export const MAX_ENDPOINTS = 5;
/** The most deliveries to an endpoint that may wait when somebody has more sent. */
export const MAX_WAITING = 100;
/** The most test events of a sale in an hour: nobody should make us ask a host all the time. */
const MAX_TESTS_AN_HOUR = 60;

/** The reason why an endpoint is disabled: by a member or an operator, after failures, or because it has answered 410 Gone. */
export type Disabling = "member" | "failures" | "gone";

/** A URL that gets the events of a sale. */
export interface WebhookEndpoint {
  readonly uuid: string;
  readonly saleUuid: string;
  readonly url: string;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAtMillis: bigint;
  /** Absent for an enabled endpoint. */
  readonly disabled?: { readonly atMillis: bigint; readonly why: Disabling };
  /** The first failed attempt since the last success. */
  readonly failingSinceMillis?: bigint;
  /** The end of the time in which the replaced secret signs, too. */
  readonly previousSecretUntilMillis?: bigint;
}

/**
 * Checks that a sale may get another endpoint.
 *
 * @throws ServiceError `already_exists`, `resource_exhausted`
 */
export function requireRoom(endpoints: readonly WebhookEndpoint[], url: string): void {
  if (endpoints.some((endpoint) => endpoint.url === url)) {
    throw new ServiceError("already_exists", "the sale has a webhook with this URL already");
  }
  if (endpoints.length >= MAX_ENDPOINTS) {
    throw new ServiceError("resource_exhausted", `a sale may have ${MAX_ENDPOINTS} webhooks at most`);
  }
}

/** @throws ServiceError `failed_precondition` for a disabled endpoint */
export function requireEnabled({ disabled }: WebhookEndpoint): void {
  if (disabled !== undefined) throw new ServiceError("failed_precondition", "the webhook is disabled: enable it first");
}

/** @throws ServiceError `resource_exhausted` if too many deliveries wait */
export function requireFewWaiting(waiting: number): void {
  if (waiting < MAX_WAITING) return;
  throw new ServiceError("resource_exhausted", `${waiting} deliveries to this webhook wait already; try again later`, {
    retryAfterSeconds: 60,
  });
}

/** @param tests those of the sale in the last hour @throws ServiceError `resource_exhausted` if there are too many */
export function requireFewTests(tests: number): void {
  if (tests < MAX_TESTS_AN_HOUR) return;
  const message = `a sale may send ${MAX_TESTS_AN_HOUR} test events an hour; try again later`;
  throw new ServiceError("resource_exhausted", message, { retryAfterSeconds: 600 });
}

/** Returns the part of an endpoint's URL that people who see the sale's log may know: the rest may hold a secret. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "";
}
