import { ServiceError } from "../../platform/errors/service-error.ts";

const SOURCE_CHECK_RULE = "source.check";

/**
 * Returns an error of the check of a sale's source with its rule. It tells callers that the sale's name, typed by an owner, leads past
 * the check, as it does past no other refusal.
 */
export function sourceCheckError({ code, message, retryAfterSeconds, cause }: ServiceError): ServiceError {
  const violations = [{ field: "", rule: SOURCE_CHECK_RULE, message }];
  return new ServiceError(code, message, { violations, retryAfterSeconds, cause });
}

/** Whether an error is one of `sourceCheckError`. */
export function isSourceCheckError({ violations }: Pick<ServiceError, "violations">): boolean {
  return violations.some(({ rule }) => rule === SOURCE_CHECK_RULE);
}
