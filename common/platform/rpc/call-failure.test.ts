import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { fromCallFailure, toCallFailure } from "./call-failure.ts";
import { toConnectError, toServiceError } from "./errors.ts";

it("keeps code, message and time to wait", () => {
  const thrown = new ServiceError("resource_exhausted", "too many", { retryAfterSeconds: 7 });
  const failure = toCallFailure(toConnectError(thrown, expect.fail));
  expect(failure).toEqual({ code: Code.ResourceExhausted, message: "too many", retryAfterSeconds: 7 });
  expect(toServiceError(fromCallFailure(failure))).toMatchObject({
    code: "resource_exhausted",
    message: "too many",
    retryAfterSeconds: 7,
  });
});

it("leaves out an unknown time to wait", () => {
  const failure = toCallFailure(new ConnectError("internal error 1", Code.Internal));
  expect(failure).toStrictEqual({ code: Code.Internal, message: "internal error 1" });
  expect(fromCallFailure(failure)).toMatchObject({ code: Code.Internal, rawMessage: "internal error 1" });
});

it("treats an unknown code as an unknown failure", () => {
  expect(fromCallFailure({ code: 99, message: "?" }).code).toBe(Code.Unknown);
});
