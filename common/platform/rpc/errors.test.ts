import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { type FieldPath, FieldPathSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { GetRevisionsRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { invalidArgument, ServiceError, type ServiceErrorCode } from "../errors/service-error.ts";
import { formatFieldPath, MAX_VIOLATIONS, parseFieldPath, toConnectError, toServiceError } from "./errors.ts";

const unexpected = () => {
  throw new Error("reported as internal");
};

function roundTrip(error: unknown): ServiceError {
  const result = toServiceError(toConnectError(error, unexpected));
  if (result === undefined) throw new Error("no service error");
  return result;
}

describe("service errors", () => {
  it.each<[ServiceErrorCode, Code]>([
    ["invalid_argument", Code.InvalidArgument],
    ["not_found", Code.NotFound],
    ["already_exists", Code.AlreadyExists],
    ["failed_precondition", Code.FailedPrecondition],
    ["aborted", Code.Aborted],
    ["permission_denied", Code.PermissionDenied],
    ["unauthenticated", Code.Unauthenticated],
    ["resource_exhausted", Code.ResourceExhausted],
    ["unavailable", Code.Unavailable],
    ["deadline_exceeded", Code.DeadlineExceeded],
  ])("%s keeps code and message, both ways", (code, connectCode) => {
    const error = new ServiceError(code, "what happened", { cause: new Error("inside") });
    expect(toConnectError(error, unexpected)).toMatchObject({ code: connectCode, rawMessage: "what happened" });
    expect(roundTrip(error)).toMatchObject({ code, message: "what happened", violations: [] });
  });

  it("keeps the time to wait, both ways, and accepts no other text as one", () => {
    expect(roundTrip(new ServiceError("resource_exhausted", "wait", { retryAfterSeconds: 61 }))).toMatchObject({
      code: "resource_exhausted",
      retryAfterSeconds: 61,
    });
    const dated = new ConnectError("wait", Code.ResourceExhausted, { "retry-after": "Fri, 20 Nov 2026 22:00:00 GMT" });
    expect(toServiceError(dated)?.retryAfterSeconds).toBeUndefined();
  });

  it("keeps violations, both ways", () => {
    const violations = [
      { field: "upserts[3].amounts[0].token", rule: "payment_token.unknown", message: "is no payment token" },
      { field: "", rule: "batch.size", message: "too many rows" },
    ];
    expect(roundTrip(invalidArgument(violations))).toMatchObject({
      message: "upserts[3].amounts[0].token: is no payment token; too many rows",
      violations,
    });
  });

  it("bounds violations and message, so that they fit into gRPC's trailers", () => {
    const violations = Array.from({ length: 500 }, (_, index) => ({ field: `f[${index}]`, rule: "r", message: "bad" }));
    const result = roundTrip(invalidArgument(violations));
    expect(result.violations).toEqual(violations.slice(0, MAX_VIOLATIONS));
    expect(result.message).toMatch(/^f\[0\]: bad; .*f\[9\]: bad; and 490 more$/);
    expect(roundTrip(new ServiceError("not_found", "x".repeat(100_000))).message.length).toBeLessThan(2_100);
  });
});

describe("protovalidate's errors", () => {
  const validationError = (saleUuids: string[]) => {
    const message = create(GetRevisionsRequestSchema, { saleUuids });
    const { error } = createValidator().validate(GetRevisionsRequestSchema, message);
    return new ConnectError("as the interceptor throws it", Code.InvalidArgument, undefined, [], error);
  };

  it("have the same form, and name every field", () => {
    const result = roundTrip(validationError(["x", "11111111-1111-4111-8111-111111111111", "y"]));
    expect(result).toMatchObject({
      code: "invalid_argument",
      message: "sale_uuids[0]: must be a valid UUID; sale_uuids[2]: must be a valid UUID",
      violations: [
        { field: "sale_uuids[0]", rule: "string.uuid", message: "must be a valid UUID" },
        { field: "sale_uuids[2]", rule: "string.uuid", message: "must be a valid UUID" },
      ],
    });
  });

  it("are bounded alike", () => {
    const result = roundTrip(validationError(Array.from({ length: 50 }, () => "x")));
    expect(result.violations).toHaveLength(MAX_VIOLATIONS);
    expect(result.message).toMatch(/; and 40 more$/);
  });
});

describe("other errors", () => {
  it.each([
    ["an error", new Error("secret detail")],
    ["a thrown text", "secret detail"],
    ["an answer of another service", new ConnectError("secret detail", Code.NotFound)],
    [
      "a broken rule in a proto",
      new ConnectError("secret detail", Code.InvalidArgument, undefined, [], new Error("cel")),
    ],
  ])("%s becomes internal with an ID that is reported, and shows nothing", (_, error) => {
    const report = vi.fn();
    const result = toConnectError(error, report);
    const [errorId] = report.mock.calls[0] ?? [];
    expect(report.mock.calls).toEqual([[expect.stringMatching(/^[0-9a-f-]{36}$/), error]]);
    expect(result).toMatchObject({
      code: Code.Internal,
      rawMessage: `internal error ${errorId}`,
      details: [],
      cause: undefined,
    });
  });

  it.each([Code.Canceled, Code.DeadlineExceeded, Code.Unavailable, Code.Unimplemented])(
    "code %d of a call that a handler makes passes on without its text",
    (code) => {
      const result = toConnectError(new ConnectError("connect ECONNREFUSED 10.0.0.1:3306", code), unexpected);
      expect(result.code).toBe(code);
      expect(result.rawMessage).not.toContain("10.0.0.1");
    },
  );

  it.each([new Error("no Connect error"), new ConnectError("x", Code.Internal), new ConnectError("x", Code.Unknown)])(
    "%s is no service error",
    (error) => {
      expect(toServiceError(error)).toBeUndefined();
    },
  );
});

const parse = (text: string): FieldPath => create(FieldPathSchema, parseFieldPath(text));

describe("field paths", () => {
  it("parses names and indexes", () => {
    expect(parse("upserts[3].amounts[0].token").elements).toMatchObject([
      { fieldName: "upserts", subscript: { case: "index", value: 3n } },
      { fieldName: "amounts", subscript: { case: "index", value: 0n } },
      { fieldName: "token", subscript: { case: undefined } },
    ]);
  });

  it("gives back every path", () => {
    const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,10}$/);
    const segment = fc
      .tuple(name, fc.option(fc.nat()))
      .map(([field, index]) => (index === null ? field : `${field}[${index}]`));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const text = segments.join(".");
        expect(parse(text).elements).toHaveLength(segments.length);
        expect(formatFieldPath(parse(text))).toBe(text);
      }),
    );
  });

  it("keeps a text that is no path", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(formatFieldPath(parse(text))).toBe(text);
      }),
    );
    expect(formatFieldPath(parse("a[007]"))).toBe("a[007]");
  });

  it("formats keys of maps, and an absent path as nothing", () => {
    const elements = [
      { fieldName: "a", subscript: { case: "stringKey", value: 'k"' } as const },
      { fieldName: "b", subscript: { case: "boolKey", value: true } as const },
    ];
    expect(formatFieldPath(create(FieldPathSchema, { elements }))).toBe('a["k\\""].b[true]');
    expect(formatFieldPath(undefined)).toBe("");
  });
});
