import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { parseEventId } from "../public-read/cache/event-id.ts";
import { publicBody } from "../public-read/cache/public-body.ts";
import { Representation } from "../public-read/cache/representation.ts";
import { SaleStream } from "./sale-stream.ts";

const GENERATION = "000000000000000a";

/** A sale of which the latest `revision` commitments, 20 at most, are listed. */
function at(revision: number, generation = 10n, totalAmount = String(revision)): Representation {
  const ids = Array.from({ length: Math.min(revision, 20) }, (_, index) => revision - index);
  const data = create(CommitmentDataSchema, {
    commitments: ids.map((id) => ({
      commitmentId: new Uint8Array(32).fill(id),
      entityId: new Uint8Array(16),
      price: { numerator: "1", denominator: "2" },
      createdAtSeconds: BigInt(id),
    })),
    totalAmount,
  });
  return new Representation(generation, BigInt(revision), publicBody(data));
}

function streamAt(...revisions: number[]): SaleStream {
  const stream = new SaleStream(at(revisions[0] ?? 1));
  for (const revision of revisions.slice(1)) stream.advance(at(revision));
  return stream;
}

/** Kind and ID of each event. */
function eventsOf(chunks: readonly Buffer[]): string[] {
  const text = Buffer.concat([...chunks]).toString();
  return Array.from(text.matchAll(/^event: (\w+)\nid: (.+)$/gm), ([, kind, id]) => `${kind} ${id}`);
}

describe("SaleStream", () => {
  it("begins with the body", () => {
    const [body] = streamAt(3).catchUp(undefined);
    expect(body?.toString()).toBe(`event: body\nid: ${GENERATION}-3\ndata: ${at(3).identity.bytes}\n\n`);
  });

  it("makes each event once for all readers", () => {
    const stream = streamAt(30, 31);
    expect(stream.catchUp(undefined)[0]).toBe(stream.catchUp({ generation: 99n, revision: 1n, correction: 0 })[0]);
    expect(stream.catchUp(parseEventId(`${GENERATION}-30`))[0]).toBe(
      stream.catchUp(parseEventId(`${GENERATION}-30`))[0],
    );
  });

  it("sends a difference, and the body where that isn't larger or counts in another generation", () => {
    const stream = streamAt(30);
    expect(eventsOf([stream.advance(at(33))])).toEqual([`difference ${GENERATION}-33`]);
    expect(eventsOf([stream.advance(at(90))])).toEqual([`body ${GENERATION}-90`]);
    expect(eventsOf([stream.advance(at(91, 11n))])).toEqual(["body 000000000000000b-91"]);
    expect(stream.isBehind(at(91, 11n))).toBe(false);
    expect(stream.isBehind(at(90, 11n))).toBe(false);
    expect(stream.isBehind(at(90))).toBe(true);
  });

  it("sends the body of a revision again where that was corrected", () => {
    const stream = streamAt(30);
    const [same, other] = [at(30).after(at(30)), at(30, 10n, "31").after(at(30))];
    expect([same, other].map((next) => stream.isBehind(next))).toEqual([false, true]);
    const sent = stream.advance(other);
    expect(eventsOf([sent])).toEqual([`body ${GENERATION}-30-1`]);
    expect(sent.includes('"TotalCommitmentAmount":"31"')).toBe(true);
    expect(stream.isBehind(other)).toBe(false);
    expect([at(30).etag, same.etag, other.etag, at(30, 10n, "31").after(other).etag]).toEqual([
      `W/"${GENERATION}-30"`,
      `W/"${GENERATION}-30"`,
      `W/"${GENERATION}-30-1"`,
      `W/"${GENERATION}-30-1"`,
    ]);
    expect(at(31).after(other).etag).toBe(`W/"${GENERATION}-31"`);
    // A reader who never got the correction gets the body, not the difference to it.
    const difference = stream.advance(at(31));
    expect(difference.toString()).toContain(`{"AppliesTo":"${GENERATION}-30-1",`);
    expect(eventsOf(stream.catchUp(parseEventId(`${GENERATION}-30-1`)))).toEqual([`difference ${GENERATION}-31`]);
    expect(eventsOf(stream.catchUp(parseEventId(`${GENERATION}-30`)))).toEqual([`body ${GENERATION}-31`]);
  });

  it.each([
    ["all differences since", 30, ["difference 000000000000000a-31", "difference 000000000000000a-33"]],
    ["the last difference", 31, ["difference 000000000000000a-33"]],
    ["nothing where there is none", 33, []],
    ["the body for a revision that it never was at", 32, ["body 000000000000000a-33"]],
    ["the body for an earlier revision", 29, ["body 000000000000000a-33"]],
    ["the body for a revision to come", 34, ["body 000000000000000a-33"]],
  ])("resumes with %s", (_, revision, events) => {
    expect(eventsOf(streamAt(30, 31, 33).catchUp(parseEventId(`${GENERATION}-${revision}`)))).toEqual(events);
  });

  it.each(["", "000000000000000b-31", "nonsense"])("resumes with the body after %j", (id) => {
    expect(eventsOf(streamAt(30, 31, 33).catchUp(parseEventId(id)))).toEqual(["body 000000000000000a-33"]);
  });

  it("never sends more to resume than the body would be", () => {
    const steps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(steps, (growths) => {
        const stream = streamAt(30);
        let revision = 30;
        for (const growth of growths) {
          revision += growth;
          stream.advance(at(revision));
        }
        const bytes = Buffer.concat([...stream.catchUp(parseEventId(`${GENERATION}-30`))]).length;
        expect(bytes).toBeLessThanOrEqual(at(revision).identity.bytes.length + 100);
      }),
    );
  });
});
