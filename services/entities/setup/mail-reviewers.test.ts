import { describe, expect, it } from "vitest";
import { REVIEW_MAIL_GAP_MS, REVIEW_MAIL_MS } from "../base/lifetimes.ts";
import { sendNotices } from "../notices/send-notices.ts";
import { type PeopleFixture, peopleFixture, required } from "../testing/people-fixture.ts";
import { isMailDue, mailReviewers } from "./mail-reviewers.ts";

const NOW = 10_000_000_000n;
const running = new AbortController().signal;
const queue = (given: Partial<Parameters<typeof isMailDue>[0]>) => ({
  waiting: 1,
  oldestMs: NOW,
  decidedAtMs: undefined,
  mailedAtMs: undefined,
  ...given,
});
const dayAgo = NOW - REVIEW_MAIL_MS;

describe("a mail to the reviewers", () => {
  it.each([
    ["for the very first", {}, true],
    ["for nobody", { oldestMs: undefined, mailedAtMs: dayAgo }, false],
    ["a day after the last", { oldestMs: 5n, mailedAtMs: dayAgo }, true],
    ["not before, while the same ones wait", { oldestMs: 5n, mailedAtMs: dayAgo + 1n }, false],
    ["at once, for the first in a queue that was empty", { mailedAtMs: dayAgo + 1n, decidedAtMs: NOW - 1n }, true],
    ["not for one who came while another waited", { mailedAtMs: dayAgo + 1n, decidedAtMs: NOW + 1n }, false],
    ["not again within a quarter of an hour", { mailedAtMs: NOW - REVIEW_MAIL_GAP_MS + 1n }, false],
  ])("is due %s", (_, given, due) => {
    expect(isMailDue(queue(given), NOW)).toBe(due);
  });
});

describe("the mails to the reviewers", () => {
  /** Lets somebody submit an entity. */
  async function submit(fixture: PeopleFixture, name: string) {
    const person = fixture.person(name);
    const { uuid: entityUuid } = await person.createEntity(name);
    const { entity } = await person.entities.beginSetup({ entityUuid, country: "DE" });
    fixture.time.advance(1);
    return { entityUuid, expectedVersion: required(entity).version };
  }

  const started = () => peopleFixture({ REVIEWERS: "one@example.com, two@example.com" });
  const work = async ({ dependencies, queueMails }: PeopleFixture) => {
    await mailReviewers(dependencies);
    await sendNotices(dependencies, running);
    return queueMails.splice(0);
  };

  it("come once to each, with the queue's length, whichever processes store them and however often they start", async () => {
    const fixture = await started();
    expect(await work(fixture)).toEqual([]);
    await submit(fixture, "a");
    await submit(fixture, "b");
    await Promise.all([mailReviewers(fixture.dependencies), mailReviewers(fixture.dependencies)]);
    const mails = await work(fixture);
    expect(mails.toSorted((a, b) => a.email.localeCompare(b.email))).toEqual([
      { email: "one@example.com", waiting: 2 },
      { email: "two@example.com", waiting: 2 },
    ]);
    fixture.time.advance(Number(REVIEW_MAIL_MS) - 10);
    expect(await work(fixture)).toEqual([]);
    fixture.time.advance(10);
    await Promise.all([mailReviewers(fixture.dependencies), mailReviewers(fixture.dependencies)]);
    expect(await work(fixture)).toHaveLength(2);
  });

  it("come at once after the queue was empty", async () => {
    const fixture = await started();
    const first = await submit(fixture, "a");
    await work(fixture);
    const decision = { case: "refusal", value: { reason: "Unclear" } } as const;
    await fixture.as("operator").decideReview({ ...first, decision });
    fixture.time.advance(Number(REVIEW_MAIL_GAP_MS));
    expect(await work(fixture)).toEqual([]);
    await submit(fixture, "b");
    expect(await work(fixture)).toHaveLength(2);
  });

  it("don't pile up while auth takes none", async () => {
    const fixture = await started();
    await submit(fixture, "a");
    for (let day = 0; day < 3; day += 1) {
      await mailReviewers(fixture.dependencies);
      fixture.time.advance(Number(REVIEW_MAIL_MS));
    }
    await submit(fixture, "b");
    expect((await work(fixture)).map(({ waiting }) => waiting)).toEqual([2, 2]);
  });

  it("aren't sent where nobody is named", async () => {
    const fixture = await peopleFixture();
    await submit(fixture, "a");
    expect(await work(fixture)).toEqual([]);
  });
});
