import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SourceStatusSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pendingRequest, sweepLine, sweepState } from "./sweep-state.ts";

const statusOf = (sweepRequests: bigint, answered: bigint, running: boolean, fault = "") =>
  create(SourceStatusSchema, {
    sweepRequests,
    fault,
    sweep: { running, sweepRequests: answered, rowsDone: 4n, rowsTotal: 9n },
  });

describe("pendingRequest", () => {
  it.each([
    ["no reader has reported yet", undefined, undefined],
    ["none was ever requested", statusOf(0n, 0n, false), undefined],
    ["the reader's own first sweep is running", statusOf(0n, 0n, true), undefined],
    ["the requested one hasn't begun", statusOf(2n, 1n, false), 2n],
    ["an older sweep is still running", statusOf(2n, 1n, true), 2n],
    ["its sweep is running", statusOf(2n, 2n, true), 2n],
    ["its sweep is done", statusOf(2n, 2n, false), undefined],
  ])("if %s", (_, status, request) => {
    expect(pendingRequest(status)).toBe(request);
  });
});

describe("sweepState", () => {
  it.each([
    ["no reader has reported yet", undefined, { kind: "waiting" }],
    ["only an older one is done", statusOf(2n, 1n, false), { kind: "waiting" }],
    ["a sweep is running", statusOf(2n, 1n, true), { kind: "running" }],
    ["the requested one is done", statusOf(2n, 2n, false), { kind: "done", rows: 4n }],
    ["a later one is done", statusOf(3n, 3n, false), { kind: "done", rows: 4n }],
    ["it was interrupted by a fault", statusOf(2n, 2n, false, "timed out"), { kind: "fault", fault: "timed out" }],
  ])("if %s", (_, status, state) => {
    expect(sweepState(status, 2n)).toEqual(state);
  });
});

describe("sweepLine", () => {
  const progress = { rowsDone: 4n, rowsTotal: 8n, rowsPerSecond: undefined };

  it("shows the progress, the wait and the fault", () => {
    expect(sweepLine({ kind: "running" }, progress)).toContain(" 50%  4 of 8 rows");
    expect(sweepLine({ kind: "done", rows: 8n }, progress)).toContain("100%  8 of 8 rows");
    expect(sweepLine({ kind: "waiting" }, progress)).toContain("waiting");
  });

  it("lets no fault write to the terminal", () => {
    expect(sweepLine({ kind: "fault", fault: "a\u001b[2Jb" }, progress)).toMatch(/: a\ufffd\[2Jb$/);
  });
});
