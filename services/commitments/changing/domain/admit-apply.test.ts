import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../common/platform/errors/service-error.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import { auctionDefinition, evmSource, openState, saleOf } from "../../testing/samples.ts";
import { type ApplyEnvelope, admitApply } from "./admit-apply.ts";

const fed = saleOf(auctionDefinition);
const chainFed = saleOf({ ...auctionDefinition, source: evmSource });

const leased: SaleState = { ...openState, lease: { holder: "reader-1", epoch: 3n, untilMillis: 0n } };
const setOne = "11111111-1111-4111-8111-111111111111";
const setTwo = "22222222-2222-4222-8222-222222222222";
/** Part 0 of the first set was applied with stage `done`. */
const halfWay: SaleState = { ...openState, changeSet: { uuid: setOne, nextPart: 1, stage: "done" } };
const partOf = (uuid: string, part: number, last = false) => ({ changeSet: { uuid, part, last } });

describe("an apply is admitted", () => {
  it.each<[string, SaleState, ApplyEnvelope]>([
    ["without anything, where no source feeds the sale", openState, {}],
    ["to a settled sale", { ...openState, status: "settled" }, {}],
    ["with the revision that the sale is at", openState, { expectedRevision: 7n }],
    ["with the epoch of the lease, also where no source demands it", leased, { leaseEpoch: 3n }],
    ["with part 0 of a set", openState, partOf(setOne, 0)],
    ["with a set of one part", openState, partOf(setOne, 0, true)],
    ["with the next part of the open set", halfWay, { ...partOf(setOne, 1), stage: "done" }],
    ["with the last part of the open set", halfWay, { ...partOf(setOne, 1, true), stage: "done" }],
    ["with part 0 of another set, whatever its stage", halfWay, { ...partOf(setTwo, 0), stage: "commitment" }],
  ])("%s", (_, state, envelope) => {
    expect(() => admitApply(fed, state, envelope)).not.toThrow();
  });

  it("with the lease's epoch to a sale with a source, even after the lease ran out", () => {
    expect(() => admitApply(chainFed, leased, { leaseEpoch: 3n })).not.toThrow();
  });
});

describe("an apply is refused", () => {
  it.each<[string, SaleState, ApplyEnvelope, string, string]>([
    ["to a draft", { ...openState, status: "draft" }, {}, "failed_precondition", "is a draft"],
    ["with an earlier revision", openState, { expectedRevision: 6n }, "aborted", "at revision 7, not 6"],
    ["with a revision to come", openState, { expectedRevision: 8n }, "aborted", "at revision 7, not 8"],
    ["with an epoch that is over", leased, { leaseEpoch: 2n }, "aborted", "lease epoch 2"],
    ["with an epoch that never was", leased, { leaseEpoch: 4n }, "aborted", "lease epoch 4"],
    ["with epoch 0, which nobody was given", openState, { leaseEpoch: 0n }, "aborted", "lease epoch 0"],
    ["without a set while one is open", halfWay, { stage: "done" }, "failed_precondition", setOne],
    ["with a set that begins in its midst", openState, partOf(setOne, 1), "aborted", "begin with part 0"],
    ["with a later part of another set", halfWay, partOf(setTwo, 1), "aborted", `${setTwo} isn't open`],
    ["with a part again", halfWay, { ...partOf(setOne, 0), stage: "done" }, "aborted", "part 1, not 0"],
    ["with a part left out", halfWay, { ...partOf(setOne, 2), stage: "done" }, "aborted", "part 1, not 2"],
    ["with another stage", halfWay, { ...partOf(setOne, 1), stage: "settlement" }, "invalid_argument", "stage"],
    ["with no stage where part 0 had one", halfWay, partOf(setOne, 1), "invalid_argument", "stage"],
  ])("%s", (_, state, envelope, code, message) => {
    expect(refusal(() => admitApply(fed, state, envelope))).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it("to a sale with a source without the lease's epoch, naming the field", () => {
    expect(refusal(() => admitApply(chainFed, leased, {}))).toMatchObject({
      code: "invalid_argument",
      violations: [{ field: "lease_epoch", rule: "lease_epoch.required" }],
    });
  });
});

function refusal(admit: () => void): ServiceError {
  try {
    admit();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
