import { describe, expect, it } from "vitest";
import type { IncomingCommitment } from "../../base/domain/stored-commitment.ts";
import { idOf, recordOf } from "../../testing/samples.ts";
import type { ApplyEnvelope } from "./admit-apply.ts";
import { payloadHash } from "./prepare-apply.ts";

const incomingOf = (digest: string, sourceIndex?: bigint): IncomingCommitment => ({
  record: recordOf(1, sourceIndex === undefined ? {} : { sourceIndex }),
  amount: 5n,
  hasAmount: true,
  digest,
});
const digest = "0123456789abcdef0123456789abcdef";
const incoming = [incomingOf(digest, 4n)];
const removals = [idOf(8)];
const changeSet = { uuid: "11111111-1111-4111-8111-111111111111", part: 0, last: false };
const envelope: ApplyEnvelope = { stage: "done", changeSet };
const hash = payloadHash(incoming, removals, envelope);

describe("the hash of a payload", () => {
  it("is the SHA-256, in hex, that it has always been: requests may be sent again across an upgrade", () => {
    const sourcePosition = { height: 5n, hash: "ab" };
    const twoRecords = [incomingOf(digest, 4n), incomingOf(digest)];
    expect(payloadHash(twoRecords, ["08".repeat(32)], { ...envelope, sourcePosition })).toBe(
      "a88a50653264d0912e0a324f1991599d13c8439e5c10a53cec072c898177e411",
    );
  });

  it.each<[string, ApplyEnvelope]>([
    ["the lease", { ...envelope, leaseEpoch: 4n }],
    ["the expected revision", { ...envelope, expectedRevision: 9n }],
  ])("doesn't depend on %s, which may differ when a request is sent again", (_, again) => {
    expect(payloadHash(incoming, removals, again)).toBe(hash);
  });

  it.each<[string, readonly IncomingCommitment[], readonly string[], ApplyEnvelope]>([
    ["a record", [incomingOf("f".repeat(32), 4n)], removals, envelope],
    ["a source index", [incomingOf(digest, 5n)], removals, envelope],
    ["a source index that isn't there", [incomingOf(digest)], removals, envelope],
    ["one more record", [...incoming, incomingOf("f".repeat(32))], removals, envelope],
    ["no record", [], removals, envelope],
    ["another removal", incoming, [idOf(9)], envelope],
    ["no removal", incoming, [], envelope],
    ["another stage", incoming, removals, { ...envelope, stage: "settlement" }],
    ["no stage", incoming, removals, { changeSet }],
    ["a position", incoming, removals, { ...envelope, sourcePosition: { height: 5n, hash: "ab" } }],
    ["no change set", incoming, removals, { stage: "done" }],
    ["another part", incoming, removals, { ...envelope, changeSet: { ...changeSet, part: 1 } }],
    ["the last part", incoming, removals, { ...envelope, changeSet: { ...changeSet, last: true } }],
  ])("depends on %s", (_, otherIncoming, otherRemovals, otherEnvelope) => {
    expect(payloadHash(otherIncoming, otherRemovals, otherEnvelope)).not.toBe(hash);
  });
});
