import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { beforeEach, expect, it } from "vitest";
import { deleteExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ReviewEntryKind } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { sendNotices } from "../notices/send-notices.ts";
import { expiredRows } from "../periodic-work.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { endApprovals } from "./end-approvals.ts";

const DAY_MS = 86_400_000;
const running = new AbortController().signal;

let fixture: PeopleFixture;
let ann: Person;
let reviewer: Person;

beforeEach(async () => {
  fixture = await peopleFixture({ REVIEWERS: "reviewer@example.com, other@example.com" });
  ann = fixture.person("ann");
  reviewer = fixture.person("reviewer");
});

/** Lets a person submit an entity. @returns what a decision names */
async function submit(person: Person, label = "Me", type: EntityType = EntityType.PERSON) {
  const { uuid: entityUuid } = await person.createEntity(label, type);
  const { entity } = await person.entities.beginSetup({ entityUuid, country: "DE" });
  fixture.time.advance(1);
  return { entityUuid, expectedVersion: required(entity).version };
}

const approval = (given: object = {}) =>
  ({ case: "approval", value: { reference: randomUUID(), country: "FR", ...given } }) as const;
const refusal = { case: "refusal", value: { reason: "Unclear" } } as const;

it("lists who waits, the longest waiting first, a page at a time", async () => {
  const submitted = [];
  for (const name of ["ann", "bob", "cleo"]) submitted.push(await submit(fixture.person(name)));
  const [first] = submitted;
  const uuids: (string | undefined)[] = [];
  let pageToken = "";
  do {
    const page = await reviewer.entities.listReviews({ pageSize: 2, pageToken });
    uuids.push(...page.reviews.map(({ entity }) => entity?.uuid));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(uuids).toEqual(submitted.map(({ entityUuid }) => entityUuid));
  expect(await reviewer.entities.listReviews({ pageSize: 3 })).toMatchObject({ nextPageToken: "" });
  const { reviews } = await reviewer.entities.listReviews({ entityUuid: required(first).entityUuid });
  expect(reviews).toEqual([expect.objectContaining({ email: "ann@example.com" })]);
  await reviewer.entities.decideReview({ ...required(first), decision: approval() });
  expect((await reviewer.entities.listReviews({})).reviews).toHaveLength(2);
});

it("is for reviewers and operators, with a recent sign-in by passkey", async () => {
  const { entityUuid, expectedVersion } = await submit(ann);
  const request = { entityUuid, expectedVersion, decision: approval() };
  const stranger = fixture.person("stranger");
  expect(await codeOf(stranger.entities.listReviews({}))).toBe("permission_denied");
  expect(await codeOf(stranger.entities.decideReview(request))).toBe("permission_denied");
  expect(await codeOf(fixture.person("reviewer", 600_001).entities.decideReview(request))).toBe("failed_precondition");
  const byCode = fixture.person("reviewer", 0, "code");
  expect(await codeOf(byCode.entities.decideReview(request))).toBe("failed_precondition");
  expect(await codeOf(byCode.entities.listReviews({}))).toBe("failed_precondition");
  expect((await byCode.entities.getSetupPolicy({})).isReviewer).toBe(true);
  expect(await codeOf(fixture.as("operator").decideReview(request))).toBeUndefined();
  expect((await reviewer.entities.getSetupPolicy({})).isReviewer).toBe(true);
  expect((await fixture.as("operator").getSetupPolicy({})).isReviewer).toBe(true);
});

it("is never about the reviewer's own entity", async () => {
  const own = await submit(reviewer);
  expect(await codeOf(reviewer.entities.decideReview({ ...own, decision: approval() }))).toBe("permission_denied");
  expect(await codeOf(reviewer.entities.decideReview({ ...own, decision: refusal }))).toBe("permission_denied");
  const other = fixture.person("other");
  expect(await codeOf(other.entities.decideReview({ ...own, decision: approval() }))).toBeUndefined();
});

it("is about what the reviewer has seen, and about entities that wait", async () => {
  const submitted = await submit(ann);
  const renamed = await ann.entities.updateEntity({ ...submitted, label: "Anna" });
  expect(await codeOf(reviewer.entities.decideReview({ ...submitted, decision: approval() }))).toBe("aborted");
  const seen = { ...submitted, expectedVersion: required(renamed.entity).version };
  const { entity } = await reviewer.entities.decideReview({ ...seen, decision: refusal });
  const decided = { ...submitted, expectedVersion: required(entity).version };
  expect(await codeOf(reviewer.entities.decideReview({ ...decided, decision: approval() }))).toBe(
    "failed_precondition",
  );
  const unknown = { entityUuid: randomUUID(), expectedVersion: 1n, decision: refusal };
  expect(await codeOf(reviewer.entities.decideReview(unknown))).toBe("not_found");
});

it("is recorded with who has decided what, without anything personal, and for as long as AUDIT_RETENTION says", async () => {
  const [approved, refused, operators] = [
    await submit(ann),
    await submit(fixture.person("bob")),
    await submit(reviewer),
  ];
  const expiresAtMs = Number(fixture.time.now()) + DAY_MS;
  const until = approval({ expiresAt: timestampFromMs(expiresAtMs) });
  await reviewer.entities.decideReview({ ...approved, decision: until });
  await reviewer.entities.decideReview({
    ...refused,
    decision: { ...refusal, value: { reason: "Unclear", final: true } },
  });
  await fixture.as("operator").decideReview({ ...operators, decision: refusal });
  // A decision that is refused leaves no row.
  expect(await codeOf(reviewer.entities.decideReview({ ...approved, decision: refusal }))).toBe("aborted");
  const { database } = fixture.dependencies;
  const stored = () => database.query.selectFrom("entity_audit").selectAll().execute();
  const rows = (await stored()).map(({ event, entity, account, details }) => ({
    event,
    entity: uuidFromBytes(entity),
    account: account && uuidFromBytes(account),
    details: JSON.parse(details),
  }));
  expect(rows).toHaveLength(3);
  const [{ entityUuid }, by] = [approved, reviewer.accountUuid];
  const expires = new Date(expiresAtMs).toISOString();
  expect(rows).toContainEqual({
    event: "review.approved",
    entity: entityUuid,
    account: by,
    details: { expires, waitedMs: 5 },
  });
  const refusedRow = {
    event: "review.refused",
    entity: refused.entityUuid,
    account: by,
    details: { final: true, waitedMs: 3 },
  };
  expect(rows).toContainEqual(refusedRow);
  expect(rows).toContainEqual({
    ...refusedRow,
    entity: operators.entityUuid,
    account: null,
    details: { final: false, waitedMs: 1 },
  });
  const expire = () => deleteExpiredRows(database, expiredRows(fixture.time.now(), BigInt(DAY_MS)), running);
  fixture.time.advance(DAY_MS);
  await expire();
  expect(await stored()).toHaveLength(3);
  fixture.time.advance(1);
  await expire();
  expect(await stored()).toEqual([]);
});

it("takes a reference in another case for the same one, also where it was stored as it was typed", async () => {
  const bob = fixture.person("bob");
  const decide = async (person: Person, reference: string) => {
    const submitted = await submit(person, `For ${reference.slice(-3)}`, EntityType.ORGANIZATION);
    return codeOf(reviewer.entities.decideReview({ ...submitted, decision: approval({ reference }) }));
  };
  expect(await decide(ann, "Pass \u00e4b-12")).toBeUndefined();
  expect(await decide(bob, "\u200bPASS A\u0308B-12 ")).toBe("already_exists");
  const { database, derivedKeys } = fixture.dependencies;
  const [row] = await database.query.selectFrom("provider_reference").select("entity").execute();
  const reference = macOf(derivedKeys.providerReference, "review", "X-9");
  await database.query
    .insertInto("provider_reference")
    .values({ reference, entity: row?.entity ?? new Uint8Array(16) })
    .execute();
  expect(await decide(bob, "x-9")).toBe("already_exists");
  expect(await decide(bob, "y-9")).toBeUndefined();
});

it("gives a reference to one entity", async () => {
  const decision = approval({ reference: " ref-1 " });
  await reviewer.entities.decideReview({ ...(await submit(ann)), decision });
  const second = await submit(fixture.person("bob"));
  expect(await codeOf(reviewer.entities.decideReview({ ...second, decision: approval({ reference: "ref-1" }) }))).toBe(
    "already_exists",
  );
  const { reviews } = await reviewer.entities.listReviews({});
  expect(reviews[0]?.entity?.setupState).toBe(SetupState.READY_FOR_REVIEW);
});

it.each([
  ["an end in the past", approval({ expiresAt: timestampFromMs(0) }), "approval.expires_at"],
  ["a blank reference", approval({ reference: " \u200b" }), "approval.reference"],
  ["a code that is no country's", approval({ country: "XX" }), "approval.country"],
  ["a code that nobody has assigned", approval({ country: "QQ" }), "approval.country"],
  ["a blank reason", { case: "refusal", value: { reason: "\u200b " } } as const, "refusal.reason"],
])("refuses %s", async (_, decision, field) => {
  const submitted = await submit(ann);
  await expect(reviewer.entities.decideReview({ ...submitted, decision })).rejects.toThrow(field);
});

it.each(["", "XX", "ZZ", "EU"])("wants a country of who submits, not %j", async (country) => {
  const { uuid: entityUuid } = await ann.createEntity();
  expect(await codeOf(ann.entities.beginSetup({ entityUuid, country }))).toBe("invalid_argument");
});

it("mails 14 days before an approval ends and when it has ended, once each, and lets the user begin again", async () => {
  const submitted = await submit(ann);
  const expiresAtMs = Number(fixture.time.now()) + 30 * DAY_MS;
  const decision = approval({ expiresAt: timestampFromMs(expiresAtMs) });
  await reviewer.entities.decideReview({ ...submitted, decision });
  const mailsOf = async (days: number) => {
    fixture.time.advance(days * DAY_MS);
    await endApprovals(fixture.dependencies, running);
    await sendNotices(fixture.dependencies, running);
    return fixture.notices.splice(0).map(({ notice }) => notice?.case === "approvalExpiry" && notice.value.expired);
  };
  expect(await mailsOf(0)).toHaveLength(1);
  expect(await mailsOf(15)).toEqual([]);
  expect(await mailsOf(1)).toEqual([false]);
  expect(await mailsOf(1)).toEqual([]);
  const { entityUuid } = submitted;
  expect((await ann.entities.getEntity({ entityUuid })).entity?.setupState).toBe(SetupState.COMPLETE);
  expect(await mailsOf(13)).toEqual([true]);
  expect(await mailsOf(1)).toEqual([]);
  const { entity } = await ann.entities.getEntity({ entityUuid });
  expect(entity).toMatchObject({ setupState: SetupState.NOT_STARTED, country: "FR" });
  expect(await codeOf(ann.entities.beginSetup({ entityUuid, country: "DE" }))).toBeUndefined();
});

it("sends mails once auth takes them, less and less often until then", async () => {
  await reviewer.entities.decideReview({ ...(await submit(ann)), decision: refusal });
  fixture.refuseNotices = true;
  const send = () => sendNotices(fixture.dependencies, running);
  await expect(send()).rejects.toThrow("away");
  await send();
  fixture.time.advance(5_000);
  await expect(send()).rejects.toThrow("away");
  fixture.refuseNotices = false;
  fixture.time.advance(5_000);
  await send();
  expect(fixture.notices).toEqual([]);
  fixture.time.advance(5_000);
  await send();
  await send();
  expect(fixture.notices).toHaveLength(1);
});

it("forgets a mail that auth hasn't taken for 30 days", async () => {
  await reviewer.entities.decideReview({ ...(await submit(ann)), decision: refusal });
  const { database } = fixture.dependencies;
  const forget = () => deleteExpiredRows(database, expiredRows(fixture.time.now(), 0n), running);
  const stored = async () => (await database.query.selectFrom("notice").selectAll().execute()).length;
  fixture.time.advance(30 * DAY_MS);
  await forget();
  expect(await stored()).toBe(1);
  fixture.time.advance(1);
  await forget();
  expect(await stored()).toBe(0);
});

const ask = { case: "question", value: { text: "Which <register> are you in?" } } as const;

/** Returns the review of an entity as a reviewer reads it. */
async function reviewOf(entityUuid: string, by = reviewer) {
  return required((await by.entities.listReviews({ entityUuid })).reviews[0]);
}

it("asks back: the user is mailed, answers, and waits again", async () => {
  const submitted = await submit(ann);
  const { entityUuid } = submitted;
  const { entity } = await reviewer.entities.decideReview({ ...submitted, decision: ask });
  expect(entity).toMatchObject({ setupState: SetupState.IN_PROGRESS, openQuestion: ask.value.text, setupReason: "" });
  expect((await reviewer.entities.listReviews({})).reviews).toEqual([]);
  await sendNotices(fixture.dependencies, running);
  expect(fixture.notices).toMatchObject([
    { entityUuid, notice: { case: "reviewQuestion", value: { entityLabel: "Me", question: ask.value.text } } },
  ]);
  const answer = async (text: string) => codeOf(ann.entities.beginSetup({ entityUuid, country: "AT", answer: text }));
  expect(await answer(" \u200b")).toBe("invalid_argument");
  fixture.time.advance(1);
  expect(await answer("Vienna.")).toBeUndefined();
  const review = await reviewOf(entityUuid);
  expect(review.entity).toMatchObject({ setupState: SetupState.READY_FOR_REVIEW, openQuestion: "", country: "AT" });
  expect(review.entries).toMatchObject([
    { kind: ReviewEntryKind.ANSWER, text: "Vienna.", by: "ann@example.com" },
    { kind: ReviewEntryKind.QUESTION, text: ask.value.text, by: "reviewer@example.com" },
  ]);
  expect(review.decisions).toMatchObject([{ asked: true, approved: false, by: "reviewer@example.com" }]);
  const { entities, decisions } = await ann.entities.exportAccount({});
  expect(entities[0]?.questions.map(({ text, by }) => [text, by])).toEqual([
    ["Vienna.", ""],
    [ask.value.text, ""],
  ]);
  expect(decisions).toMatchObject([{ asked: true, by: "" }]);
});

it("asks nothing any more once an answer was stored by a version without questions of their own", async () => {
  const submitted = await submit(ann);
  const { entityUuid } = submitted;
  await reviewer.entities.decideReview({ ...submitted, decision: ask });
  await fixture.dependencies.database.write((transaction) =>
    transaction
      .updateTable("entity")
      .set({ setup_state: "ready_for_review", submitted_at_ms: 1n })
      .where("entity", "=", bytesOfHex(entityUuid))
      .execute(),
  );
  const { entity } = await ann.entities.getEntity({ entityUuid });
  expect(entity).toMatchObject({ setupState: SetupState.READY_FOR_REVIEW, openQuestion: "" });
});

it("stores no answer where nothing was asked", async () => {
  const { uuid: entityUuid } = await ann.createEntity();
  await ann.entities.beginSetup({ entityUuid, country: "DE", answer: "Nobody asked." });
  expect((await reviewOf(entityUuid)).entries).toEqual([]);
});

it("keeps notes for the reviewers, who don't write or read about entities of their own", async () => {
  const [{ entityUuid }, own] = [await submit(ann), await submit(reviewer)];
  const note = { entityUuid, text: "Called the register." };
  await reviewer.entities.addReviewNote(note);
  // The same form once more.
  await reviewer.entities.addReviewNote(note);
  const other = fixture.person("other");
  const read = await reviewOf(entityUuid, other);
  expect(read.entries).toMatchObject([{ kind: ReviewEntryKind.NOTE, text: note.text, by: "reviewer@example.com" }]);
  expect((await ann.entities.exportAccount({})).entities[0]?.questions).toEqual([]);
  expect((await other.entities.listReviews({})).reviews.flatMap(({ entries }) => entries)).toEqual([]);
  const about = { entityUuid: own.entityUuid, text: "Fine." };
  expect(await codeOf(reviewer.entities.addReviewNote(about))).toBe("permission_denied");
  await other.entities.addReviewNote(about);
  expect((await reviewOf(own.entityUuid)).entries).toEqual([]);
  const refused = async (by: Person, given = note) => codeOf(by.entities.addReviewNote(given));
  expect(await refused(fixture.person("stranger"))).toBe("permission_denied");
  expect(await refused(fixture.person("reviewer", 600_001))).toBe("failed_precondition");
  expect(await refused(fixture.person("reviewer", 0, "code"))).toBe("failed_precondition");
  expect(await refused(reviewer, { ...note, text: "\u200b" })).toBe("invalid_argument");
  expect(await refused(reviewer, { ...note, entityUuid: randomUUID() })).toBe("not_found");
});

it("deletes what was written with the entity", async () => {
  const { entityUuid } = await submit(ann);
  await reviewer.entities.addReviewNote({ entityUuid, text: "Called." });
  await ann.entities.deleteEntity({ entityUuid });
  const { database } = fixture.dependencies;
  expect(await database.query.selectFrom("review_entry").selectAll().execute()).toEqual([]);
});

it("says how long it usually takes by the last decisions, and nothing by fewer than three", async () => {
  const usual = async () => (await ann.entities.getSetupPolicy({})).usualWait?.seconds;
  const decide = async (name: string, seconds: number, decision: typeof refusal | typeof ask = refusal) => {
    const submitted = await submit(fixture.person(name));
    fixture.time.advance(seconds * 1_000 - 1);
    await fixture.as("operator").decideReview({ ...submitted, decision });
  };
  await decide("a", 100);
  await decide("b", 300);
  await decide("c", 9_000, ask);
  expect(await usual()).toBeUndefined();
  await decide("d", 7_000);
  expect(await usual()).toBe(300n);
  await decide("e", 500);
  expect(await usual()).toBe(400n);
});
