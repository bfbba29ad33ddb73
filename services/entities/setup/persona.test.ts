import { beforeEach, describe, expect, it } from "vitest";
import { EntityType, IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture } from "../testing/people-fixture.ts";
import {
  governmentId,
  OTHER_PERSONA_SECRET,
  PERSONA_SECRET,
  PERSONA_SETTINGS,
  type PersonaEvent,
  personaBody,
  personaCallback,
  personaSignature,
} from "../testing/persona.ts";
import { livenessUrl } from "./liveness.ts";
import { hasLiveness } from "./liveness-store.ts";
import { isSignedByPersona, readPersonaEvent } from "./persona.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const VENDOR = {
  protocol: "persona",
  startUrl: PERSONA_SETTINGS.IDENTITY_START_URL,
  secrets: [PERSONA_SECRET],
} as const;

describe("the header Persona-Signature", () => {
  const body = personaBody({ handle: "h", createdAtMs: NOW });
  const signed = (header: string, secrets: readonly string[] = [PERSONA_SECRET], text = body) =>
    isSignedByPersona({ secrets }, header, Buffer.from(text), BigInt(NOW));
  const [ours, others] = [PERSONA_SECRET, OTHER_PERSONA_SECRET].map((secret) => personaSignature(body, NOW, secret));
  const digest = ours?.split("v1=")[1] ?? "";

  it.each([
    ["by the secret", ours],
    ["beside that of another secret, which is being replaced", `${others} ${ours}`],
    ["before that of another secret", `${ours} ${others}`],
    ["beside another one in the same set", `t=${NOW / 1_000},v1=${"0".repeat(64)},v1=${digest}`],
    ["of four minutes ago", personaSignature(body, NOW - 4 * MINUTE_MS)],
    ["of a clock four minutes ahead", personaSignature(body, NOW + 4 * MINUTE_MS)],
  ])("counts with a signature %s", (_, header = "") => {
    expect(signed(header)).toBe(true);
  });

  it("counts by either secret while the operator replaces one", () => {
    const both = [PERSONA_SECRET, OTHER_PERSONA_SECRET];
    expect([ours, others].map((header = "") => signed(header, both))).toEqual([true, true]);
  });

  it.each([
    ["nothing", ""],
    ["another secret's signature", others],
    ["a signature of another time", ours?.replace(/t=\d+/, `t=${NOW / 1_000 + 1}`)],
    ["a signature of six minutes ago", personaSignature(body, NOW - 6 * MINUTE_MS)],
    ["a signature of in six minutes", personaSignature(body, NOW + 6 * MINUTE_MS)],
    ["no time", ours?.replace(/t=\d+,/, "")],
    ["a time that is no number", ours?.replace(/t=\d+/, "t=now")],
    ["the time of another set", `t=${NOW / 1_000} v1=${digest}`],
    ["the signature under another version", ours?.replace("v1=", "v0=")],
    ["a shortened signature", ours?.slice(0, -2)],
    ["a signature in capitals, which Persona doesn't send", `t=${NOW / 1_000},v1=${digest.toUpperCase()}`],
    ["nothing after the names", "t=,v1="],
    [
      "a third time after those of two other sets",
      `${["1", "2"].map((n) => `t=${NOW / 1_000 + Number(n)},v1=${"0".repeat(64)}`).join(" ")} ${ours}`,
    ],
    ["thousands of sets", `${"t=1,v1=0 ".repeat(5_000)}${ours}`],
  ])("doesn't count with %s", (_, header = "") => {
    expect(signed(header)).toBe(false);
  });

  it("doesn't count for another body, be it one space more", () => {
    expect(signed(ours ?? "", [PERSONA_SECRET], `${body} `)).toBe(false);
  });
});

describe("an event of Persona", () => {
  const read = (event: Partial<PersonaEvent>) => {
    const body = personaBody({ handle: "h", createdAtMs: NOW, id: "evt_1", ...event });
    return readPersonaEvent(VENDOR, personaCallback(body, personaSignature(body, NOW)), BigInt(NOW));
  };
  const refusal = (event: Partial<PersonaEvent>) => {
    try {
      return JSON.stringify(read(event).callback?.identityProblems);
    } catch (error) {
      return String(error);
    }
  };

  it("of an approval has the country and number of the document, never what the inquiry's fields say", () => {
    expect(read({})).toEqual({
      messageId: "evt_1",
      callback: {
        kind: "by_handle",
        handle: "h",
        inquiry: "inq_2CVZ4HyVg7qaboXz2PUHknAn",
        state: "complete",
        country: "DE",
        reference: "persona:DE:pp:C01X0006H",
        occurredAtMs: BigInt(NOW),
        reason: "",
        approvalEndsAtMs: undefined,
        identityProblems: [],
      },
    });
  });

  it.each([
    ["inquiry.completed", "ready_for_review"],
    ["inquiry.marked-for-review", "in_review"],
    ["inquiry.approved", "complete"],
    ["inquiry.failed", "failure"],
    ["inquiry.declined", "failure_final"],
  ])("%s means %s", (name, state) => {
    expect(read({ name }).callback?.state).toBe(state);
  });

  it.each([
    ["created", { name: "inquiry.created" }],
    ["started", { name: "inquiry.started" }],
    ["expired", { name: "inquiry.expired" }],
    ["of another name", { name: "inquiry.transitioned" }],
    ["of another resource", { name: "account.created" }],
    ["without a reference ID", { handle: null }],
    ["of another template than the start URL's", { template: "itmpl_ofAnotherProduct" }],
  ])("that is %s says nothing", (_, event) => {
    expect(read(event).callback).toBeUndefined();
  });

  it("counts the latest document that has passed, and where none has, the latest", () => {
    const later = { "created-at": "2023-11-16T01:40:00.000Z", "country-code": "FR" };
    const country = (...documents: object[]) => read({ documents }).callback?.country;
    expect(country(governmentId(), governmentId({ ...later, status: "failed" }))).toBe("DE");
    expect(country(governmentId(later), governmentId())).toBe("FR");
    expect(country(governmentId({ status: "failed" }), governmentId({ ...later, status: "requires_retry" }))).toBe(
      "FR",
    );
  });

  it("takes the number of the document where there is no other one", () => {
    const documents = [governmentId({ "identification-number": null, "document-number": "l01x" })];
    expect(read({ documents }).callback?.reference).toBe("persona:DE:pp:L01X");
  });

  it.each([
    ["without documents", { documents: [] }, "callback.included"],
    ["of a document without a country", { documents: [governmentId({ "country-code": null })] }, "callback.included"],
    ["of a document without a number", { documents: [governmentId({ "identification-number": null })] }, "included"],
    ["of Kosovo", { documents: [governmentId({ "country-code": "XK" })] }, "callback.country"],
    ["without its template", { template: undefined }, "relationships.inquiry-template: must be part"],
    ["without an ID", { id: "" }, "data.id: must be"],
    ["of in ten minutes", { createdAtMs: NOW + 10 * MINUTE_MS }, "occurredAt: must not lie"],
  ])("of an approval %s is refused, and says why without a value", (_, event, reason) => {
    expect(refusal(event)).toContain(reason);
    expect(refusal(event)).not.toContain("C01X");
  });
});

describe("a deployment with Persona", () => {
  let fixture: PeopleFixture;
  let ann: Person;
  let entityUuid: string;
  let handle: string;

  beforeEach(async () => {
    fixture = await peopleFixture(PERSONA_SETTINGS);
    ann = fixture.person("ann");
    ({ entityUuid, handle } = await begin(ann));
  });

  async function begin(person: Person, given: { type?: EntityType } = {}) {
    const { uuid } = await person.createEntity("Me", given.type);
    const { startUrl } = await person.entities.beginSetup({ entityUuid: uuid });
    fixture.time.advance(1);
    return { entityUuid: uuid, startUrl, handle: new URL(startUrl).searchParams.get("reference-id") ?? "" };
  }

  const now = () => Number(fixture.time.now());
  const body = (event: Partial<PersonaEvent> = {}) => personaBody({ handle, createdAtMs: now(), ...event });
  const send = (text: string, signature = personaSignature(text, now())) =>
    codeOf(fixture.as("gateway").reportSetup(personaCallback(text, signature)));
  const entity = async () => (await ann.entities.getEntity({ entityUuid })).entity;

  it("sends a person to the hosted flow with the handle as reference ID", async () => {
    const { startUrl } = await ann.entities.beginSetup({ entityUuid });
    expect(startUrl.startsWith(`${PERSONA_SETTINGS.IDENTITY_START_URL}&reference-id=`)).toBe(true);
    expect(new URL(startUrl).searchParams.get("reference-id")).toMatch(/^[\w-]{43}$/);
  });

  it("sends no organization there, which a person's document says nothing about", async () => {
    const call = begin(ann, { type: EntityType.ORGANIZATION });
    await expect(call).rejects.toThrow("organizations can't be checked");
  });

  it("approves, and a later decision counts", async () => {
    expect(await send(body())).toBeUndefined();
    const approved = { setupState: SetupState.COMPLETE, approvedBy: IdentityProvider.WEBHOOK, country: "DE" };
    expect(await entity()).toMatchObject(approved);
    fixture.time.advance(1_000);
    expect(await send(body({ name: "inquiry.declined" }))).toBeUndefined();
    expect(await entity()).toMatchObject({ setupState: SetupState.FAILURE_FINAL });
    fixture.time.advance(1_000);
    expect(await send(body())).toBeUndefined();
    expect(await entity()).toMatchObject(approved);
  });

  it.each([
    ["before", ["declined", "approved"]],
    ["after", ["approved", "declined"]],
  ])(
    "keeps a decline that arrives %s the approval of an inquiry begun at the same address later",
    async (_, arrival) => {
      const sent = new Map([
        ["declined", body({ name: "inquiry.declined", inquiry: "inq_first" })],
        ["approved", body({ inquiry: "inq_second", createdAtMs: now() + 1_000 })],
      ]);
      fixture.time.advance(2_000);
      for (const name of arrival) expect(await send(sent.get(name) ?? "")).toBeUndefined();
      expect(await entity()).toMatchObject({ setupState: SetupState.FAILURE_FINAL });
      expect(await send(body({ inquiry: "inq_first" }))).toBeUndefined();
      expect(await entity()).toMatchObject({ setupState: SetupState.COMPLETE });
    },
  );

  it("keeps a decline from being overcome at the address of an earlier beginning", async () => {
    const { startUrl } = await ann.entities.beginSetup({ entityUuid });
    const again = new URL(startUrl).searchParams.get("reference-id");
    await send(body({ name: "inquiry.declined", handle: again, inquiry: "inq_second" }));
    fixture.time.advance(1_000);
    for (const name of ["inquiry.completed", "inquiry.failed", "inquiry.approved"]) {
      expect(await send(body({ name, inquiry: "inq_first" }))).toBeUndefined();
      expect(await entity()).toMatchObject({ setupState: SetupState.FAILURE_FINAL });
    }
  });

  it("takes an event once, however often and with whichever signature it is delivered", async () => {
    const approval = body({ id: "evt_once" });
    await send(approval);
    fixture.time.advance(1_000);
    await send(body({ name: "inquiry.failed" }));
    fixture.time.advance(90_000);
    expect(await send(approval)).toBeUndefined();
    expect(await entity()).toMatchObject({ setupState: SetupState.FAILURE });
  });

  it("refuses an old signature, another secret's, and one by the Standard Webhooks rules", async () => {
    const text = body();
    const old = personaSignature(text, now() - 6 * MINUTE_MS);
    for (const header of [old, personaSignature(text, now(), OTHER_PERSONA_SECRET), "", "v1,c2lnbmF0dXJl"]) {
      expect(await send(text, header)).toBe("unauthenticated");
    }
    expect(await entity()).toMatchObject({ setupState: SetupState.IN_PROGRESS });
  });

  it("approves an identity document once", async () => {
    await send(body());
    const bob = fixture.person("bob");
    const second = await begin(bob);
    const again = [governmentId({ "identification-number": "c01x0006h" })];
    await send(body({ handle: second.handle, documents: again }));
    const refused = (await bob.entities.getEntity({ entityUuid: second.entityUuid })).entity;
    expect(refused).toMatchObject({ setupState: SetupState.FAILURE, setupReason: expect.stringContaining("another") });
  });

  it("takes an approval that names the handle of a sale's proof as that proof, of the same person only", async () => {
    await send(body());
    const { dependencies } = fixture;
    const saleUuid = fixture.sale();
    const own = { uuid: entityUuid, type: "person" } as const;
    const ids = await ensureSaleEntity(dependencies, saleUuid, own, ann.email);
    const page = new URL(await livenessUrl(dependencies, saleUuid, own, ids)).searchParams;
    const proof = (event: Partial<PersonaEvent>) => send(body({ handle: page.get("reference-id"), ...event }));
    const isProved = () => dependencies.database.read((query) => hasLiveness(query, saleUuid, entityUuid));
    const approvedBecause = (reason: string) => ({
      setupState: SetupState.COMPLETE,
      setupReason: reason === "" ? "" : expect.stringContaining(reason),
    });
    await proof({ name: "inquiry.completed" });
    expect(await entity()).toMatchObject(approvedBecause(""));
    await proof({ name: "inquiry.declined" });
    expect(await entity()).toMatchObject(approvedBecause("the check was refused"));
    await proof({ documents: [governmentId({ "identification-number": "somebody-else" })] });
    expect(await isProved()).toBe(false);
    expect(await entity()).toMatchObject(approvedBecause("of another identity document"));
    expect(await proof({ documents: [] })).toBe("invalid_argument");
    expect(await proof({})).toBeUndefined();
    expect(await isProved()).toBe(true);
    expect(await entity()).toMatchObject(approvedBecause(""));
    await proof({ documents: [], createdAtMs: now() - 1_000 });
    await proof({ name: "inquiry.declined", createdAtMs: now() + 1_000 });
    expect(await entity()).toMatchObject(approvedBecause(""));
  });
});
