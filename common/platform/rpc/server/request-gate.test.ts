import { createContextValues, createHandlerContext } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { callerOf } from "../identity/caller.ts";
import { createRequestGate } from "./request-gate.ts";

const gate = createRequestGate({
  authenticator: {
    authenticate: async (authorization) => {
      if (authorization === undefined) throw new ServiceError("unauthenticated", "no token");
      return { name: authorization };
    },
  },
  allowed: { [CommitmentService.typeName]: { GetRevisions: ["gateway", "indexer"], ListDigests: ["indexer"] } },
});

function contextOf(
  method:
    | (typeof CommitmentService.method)["getRevisions" | "listDigests" | "getPriceLevels"]
    | typeof Health.method.check,
  caller?: string,
) {
  return createHandlerContext({
    service: method.parent,
    method,
    protocolName: "connect",
    requestMethod: "POST",
    url: "http://localhost/",
    ...(caller === undefined ? {} : { requestHeader: { authorization: caller } }),
  });
}

describe("createRequestGate", () => {
  it.each(["gateway", "indexer"])("lets in %s, which the table allows, and names it to the handler", async (name) => {
    const context = contextOf(CommitmentService.method.getRevisions, name);
    await gate(context);
    expect(callerOf(context)).toEqual({ name });
  });

  it.each([
    ["a caller that the table doesn't have for the method", CommitmentService.method.listDigests, "gateway"],
    ["every caller where the method isn't in the table", CommitmentService.method.getPriceLevels, "indexer"],
  ])("refuses %s", async (_, method, caller) => {
    const context = contextOf(method, caller);
    await expect(gate(context)).rejects.toMatchObject({
      code: "permission_denied",
      message: `caller ${caller} may not call tidemark.commitments.v1.CommitmentService/${method.name}`,
    });
    expect(() => callerOf(context)).toThrow();
  });

  it("refuses a call without a token", async () => {
    await expect(gate(contextOf(CommitmentService.method.getRevisions))).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });

  it("refuses every call but health checks, whoever calls, while there is a reason", async () => {
    const refusing = createRequestGate({
      authenticator: { authenticate: async () => ({ name: "gateway" }) },
      allowed: { [CommitmentService.typeName]: { GetRevisions: ["gateway"] } },
      refusal: () => "the clock is wrong",
    });
    await expect(refusing(contextOf(CommitmentService.method.getRevisions, "gateway"))).rejects.toMatchObject({
      code: "unavailable",
      message: "no calls are taken now: the clock is wrong",
    });
    await expect(refusing(contextOf(Health.method.check))).resolves.toBeUndefined();
  });

  it("leaves health checks open", async () => {
    await expect(gate(contextOf(Health.method.check))).resolves.toBeUndefined();
  });
});

describe("callerOf", () => {
  it("fails for a call that has passed no gate", () => {
    expect(() => callerOf({ values: createContextValues() })).toThrow("no gate");
  });
});
