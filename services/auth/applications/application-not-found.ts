import { ServiceError } from "../../../common/platform/errors/service-error.ts";

/** The error for a client that doesn't exist, and for one of a sale of which the person is no member: both read the same. */
export function clientNotFound(clientUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no client ${clientUuid}`);
}
