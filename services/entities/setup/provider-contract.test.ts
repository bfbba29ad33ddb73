import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { sendNotices } from "../notices/send-notices.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { livenessUrl } from "./liveness.ts";
import { hasLiveness } from "./liveness-store.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const running = new AbortController().signal;

/** The actions of a provider's own people or servers. */
interface Driver {
  readonly provider: IdentityProvider;
  readonly settings: Readonly<Record<string, string>>;
  approve(fixture: PeopleFixture, subject: Subject, reference: string): Promise<unknown>;
  refuse(fixture: PeopleFixture, subject: Subject, final: boolean): Promise<unknown>;
  /** The reason that the user then reads. */
  readonly reason: string;
  /** Whether a reference belongs to one entity only. */
  readonly hasReferences: boolean;
  provePresence(
    fixture: PeopleFixture,
    subject: Subject & { url: string; saleUuid: string; publicUuid: string },
  ): Promise<unknown>;
}

interface Subject {
  readonly person: Person;
  readonly entityUuid: string;
  readonly startUrl: string;
}

async function callBack(fixture: PeopleFixture, content: object): Promise<void> {
  const occurredAt = new Date(Number(fixture.time.now())).toISOString();
  const body = JSON.stringify({ occurredAt, ...content });
  const [webhookId, sentAt] = [randomUUID(), new Date()];
  await fixture.as("gateway").reportSetup({
    webhookId,
    webhookTimestamp: String(Math.floor(sentAt.getTime() / 1_000)),
    webhookSignature: new Webhook(SECRET).sign(webhookId, sentAt, body),
    body: Buffer.from(body),
  });
}

const handleOf = (url: string) => new URL(url).searchParams.get("handle") ?? "";

async function decide(fixture: PeopleFixture, { entityUuid }: Subject, decision: object): Promise<void> {
  const reviewer = fixture.person("reviewer").entities;
  const { reviews } = await reviewer.listReviews({ entityUuid });
  const expectedVersion = reviews[0]?.entity?.version ?? 0n;
  await reviewer.decideReview({ entityUuid, expectedVersion, decision: decision as never });
}

async function confirmPresence(
  _fixture: PeopleFixture,
  { person, saleUuid, publicUuid, url }: Parameters<Driver["provePresence"]>[1],
) {
  const named = new URL(url).searchParams;
  expect([named.get("sale"), named.get("entity")]).toEqual([saleUuid, publicUuid]);
  await person.entities.confirmLiveness({ saleUuid, entityUuid: publicUuid });
}

const DRIVERS: Readonly<Record<string, Driver>> = {
  review: {
    provider: IdentityProvider.REVIEW,
    settings: { REVIEWERS: "Reviewer@example.com" },
    approve: (fixture, subject, reference) =>
      decide(fixture, subject, { case: "approval", value: { reference, country: "FR" } }),
    refuse: (fixture, subject, final) =>
      decide(fixture, subject, { case: "refusal", value: { reason: "Not\nlegible", final } }),
    reason: "Not legible",
    hasReferences: true,
    provePresence: confirmPresence,
  },
  webhook: {
    provider: IdentityProvider.WEBHOOK,
    settings: {
      IDENTITY_PROVIDER: "webhook",
      IDENTITY_START_URL: "https://vendor.example/start?lang=en",
      IDENTITY_WEBHOOK_SECRET: SECRET,
    },
    approve: (fixture, { startUrl }, reference) =>
      callBack(fixture, {
        type: "setup.updated",
        handle: handleOf(startUrl),
        state: "complete",
        country: "FR",
        reference,
      }),
    refuse: (fixture, { startUrl }, final) => {
      const state = final ? "failure_final" : "failure";
      return callBack(fixture, { type: "setup.updated", handle: handleOf(startUrl), state, reason: "Not\nlegible" });
    },
    reason: "Not legible",
    hasReferences: true,
    provePresence: (fixture, { url }) => callBack(fixture, { type: "liveness.passed", handle: handleOf(url) }),
  },
  demo: {
    provider: IdentityProvider.DEMO,
    settings: { IDENTITY_PROVIDER: "demo" },
    approve: (_, { person, entityUuid }) =>
      person.entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "FR" }),
    refuse: (_, { person, entityUuid }, final) => {
      const state = final ? SetupState.FAILURE_FINAL : SetupState.FAILURE;
      return person.entities.chooseDemoSetup({ entityUuid, state });
    },
    reason: "Refused, as chosen in this demo.",
    hasReferences: false,
    provePresence: confirmPresence,
  },
};

describe.each(Object.entries(DRIVERS))("the identity provider %s", (_, driver) => {
  let fixture: PeopleFixture;
  let ann: Person;

  beforeEach(async () => {
    fixture = await peopleFixture({ APPROVAL_LIFETIME: "365d", ...driver.settings });
    ann = fixture.person("ann");
  });

  async function begin(person: Person): Promise<Subject> {
    const { uuid: entityUuid } = (await person.entities.listEntities({})).entities[0] ?? (await person.createEntity());
    const { entity, startUrl } = await person.entities.beginSetup({ entityUuid, country: "DE" });
    expect([SetupState.IN_PROGRESS, SetupState.READY_FOR_REVIEW]).toContain(entity?.setupState);
    // Decisions come later than the beginning.
    fixture.time.advance(1_000);
    return { person, entityUuid, startUrl };
  }

  async function read({ person, entityUuid }: Subject) {
    return required((await person.entities.getEntity({ entityUuid })).entity);
  }

  async function mails() {
    await sendNotices(fixture.dependencies, running);
    return fixture.notices.splice(0).map(({ notice, accountUuid }) => ({ accountUuid, ...notice }));
  }

  it("approves an entity with its name, the country that it found, and an end", async () => {
    const subject = await begin(ann);
    await driver.approve(fixture, subject, "ref-1");
    const entity = await read(subject);
    expect(entity).toMatchObject({ setupState: SetupState.COMPLETE, approvedBy: driver.provider, country: "FR" });
    expect(entity.approvalExpiresAt).toBeDefined();
    expect(await codeOf(ann.entities.beginSetup({ entityUuid: subject.entityUuid, country: "DE" }))).toBe(
      "failed_precondition",
    );
    const value = expect.objectContaining({ entityLabel: "Me", approved: true, reason: "" });
    expect(await mails()).toEqual([{ accountUuid: ann.accountUuid, case: "setupDecided", value }]);
  });

  it("refuses an entity with a reason, and its user may begin again", async () => {
    const subject = await begin(ann);
    await driver.refuse(fixture, subject, false);
    expect(await read(subject)).toMatchObject({ setupState: SetupState.FAILURE, setupReason: driver.reason });
    const value = expect.objectContaining({ approved: false, reason: driver.reason, final: false });
    expect(await mails()).toEqual([expect.objectContaining({ value })]);
    const again = await begin(ann);
    expect((await read(again)).setupReason).toBe("");
    await driver.approve(fixture, again, "ref-1");
    expect((await read(again)).setupState).toBe(SetupState.COMPLETE);
  });

  it("refuses an entity for good", async () => {
    const subject = await begin(ann);
    await driver.refuse(fixture, subject, true);
    expect((await read(subject)).setupState).toBe(SetupState.FAILURE_FINAL);
    const { entityUuid } = subject;
    expect(await codeOf(ann.entities.beginSetup({ entityUuid, country: "DE" }))).toBe("failed_precondition");
  });

  it("approves one identity once, also after its entity was deleted", async () => {
    const subject = await begin(ann);
    await driver.approve(fixture, subject, "ref-1");
    await ann.entities.deleteEntity({ entityUuid: subject.entityUuid });
    const second = await begin(fixture.person("bob"));
    await driver.approve(fixture, second, "ref-1").catch(() => undefined);
    const isComplete = (await read(second)).setupState === SetupState.COMPLETE;
    expect(isComplete).toBe(!driver.hasReferences);
  });

  it("proves that a person is present, for one sale", async () => {
    const subject = await begin(ann);
    await driver.approve(fixture, subject, "ref-1");
    const saleUuid = fixture.sale();
    const { dependencies } = fixture;
    const entity = { uuid: subject.entityUuid, type: "person" } as const;
    const ids = await ensureSaleEntity(dependencies, saleUuid, entity, ann.email);
    const url = await livenessUrl(dependencies, saleUuid, entity, ids);
    expect(new URL(url).protocol).toBe("https:");
    expect(url).not.toContain(subject.entityUuid);
    const proved = (sale: string) =>
      dependencies.database.read((query) => hasLiveness(query, sale, subject.entityUuid));
    expect(await proved(saleUuid)).toBe(false);
    await driver.provePresence(fixture, { ...subject, url, saleUuid, publicUuid: ids.publicUuid });
    expect(await proved(saleUuid)).toBe(true);
    expect(await proved(fixture.sale())).toBe(false);
    expect((await read(subject)).setupState).toBe(SetupState.COMPLETE);
  });

  it("is named by the policy", async () => {
    const { provider, isReviewer } = await ann.entities.getSetupPolicy({});
    expect({ provider, isReviewer }).toEqual({ provider: driver.provider, isReviewer: false });
  });
});
