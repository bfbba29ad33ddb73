import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ServiceError } from "../../errors/service-error.ts";
import { toConnectError } from "../errors.ts";
import { CALLER_METHOD_RULE, outOfTime, unauthenticated } from "../identity/bearer-token.ts";
import { passingRefusals } from "./upstream-refusal.ts";

/** The code that a caller gets if the called service has thrown `error`. */
async function passedOn(error: ServiceError): Promise<Code> {
  const answer = toConnectError(error, () => {});
  const failure = await passingRefusals(Promise.reject(answer)).catch((thrown: unknown) => thrown);
  return toConnectError(failure, () => {}).code;
}

it("a refusal of what the caller asked is passed on", async () => {
  expect(await passedOn(new ServiceError("permission_denied", "not of this sale"))).toBe(Code.PermissionDenied);
  expect(await passedOn(new ServiceError("not_found", "no such sale"))).toBe(Code.NotFound);
});

const violations = [{ field: "authorization", rule: CALLER_METHOD_RULE, message: "may not call it" }];

it.each([
  new ServiceError("permission_denied", "the method is not for this process", { violations }),
  outOfTime("the token of this process has expired"),
  unauthenticated("the token of this process is not valid"),
])("a refusal of this process itself is internal: %s", async (error) => {
  expect(await passedOn(error)).toBe(Code.Internal);
});
