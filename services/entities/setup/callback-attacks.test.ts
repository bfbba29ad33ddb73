import { createHmac } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it } from "vitest";
import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { readDueNotices, readNoticeBacklog } from "../notices/notices-store.ts";
import { eraseSale } from "../permits/erase-sale.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture } from "../testing/people-fixture.ts";
import {
  beginAtVendor,
  callbackBody,
  OTHER_SECRET,
  SECRET,
  type SentCallback,
  signedCallback,
  VENDOR_SETTINGS,
} from "../testing/vendor.ts";
import { livenessUrl } from "./liveness.ts";
import { hasLiveness } from "./liveness-store.ts";

const SECOND_MS = 1_000;

let fixture: PeopleFixture;
let ann: Person;
let entityUuid: string;
let handle: string;

beforeEach(async () => {
  fixture = await peopleFixture(VENDOR_SETTINGS);
  ann = fixture.person("ann");
  ({ entityUuid, handle } = await beginAtVendor(ann));
});

const send = (callback: SentCallback) => codeOf(fixture.as("gateway").reportSetup(callback));
const body = (given: object = {}) => callbackBody(fixture, { handle, ...given });
const state = async () => (await ann.entities.getEntity({ entityUuid })).entity?.setupState;
const at = (ms: number) => new Date(Number(fixture.time.now()) + ms).toISOString();

describe("a forged callback", () => {
  it.each<[string, () => SentCallback]>([
    ["of another secret", () => signedCallback(body(), { secret: OTHER_SECRET })],
    [
      "with another body",
      () => ({ ...signedCallback(body()), body: Uint8Array.from(Buffer.from(body({ country: "US" }))) }),
    ],
    ["with another ID", () => ({ ...signedCallback(body()), webhookId: "other" })],
    [
      "with another time",
      () => ({ ...signedCallback(body()), webhookTimestamp: String(Math.floor(Date.now() / 1_000) + 1) }),
    ],
    ["without a signature", () => ({ ...signedCallback(body()), webhookSignature: "" })],
    ["with a signature of nothing", () => ({ ...signedCallback(body()), webhookSignature: "v1" })],
    [
      "with the signature under another version",
      () => {
        const signed = signedCallback(body());
        return { ...signed, webhookSignature: signed.webhookSignature.replace("v1,", "v2,") };
      },
    ],
    ["from six minutes ago", () => signedCallback(body(), { sentAt: new Date(Date.now() - 360 * SECOND_MS) })],
    ["from in six minutes", () => signedCallback(body(), { sentAt: new Date(Date.now() + 360 * SECOND_MS) })],
    ["with a time that is no number", () => ({ ...signedCallback(body()), webhookTimestamp: "now" })],
    ["that isn't UTF-8", () => ({ ...signedCallback(body()), body: new Uint8Array([0xff, 0xfe]) })],
  ])("%s is refused", async (_, forged) => {
    expect(await send(forged())).toBe("unauthenticated");
    expect(await state()).toBe(SetupState.IN_PROGRESS);
  });

  it("is refused for each secret but the configured ones, of which two count while one replaces the other", async () => {
    fixture = await peopleFixture({ ...VENDOR_SETTINGS, IDENTITY_WEBHOOK_SECRET: `${OTHER_SECRET}, ${SECRET}` });
    ann = fixture.person("ann");
    ({ entityUuid, handle } = await beginAtVendor(ann));
    const third = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    expect(await send(signedCallback(body(), { secret: third }))).toBe("unauthenticated");
    expect(await send(signedCallback(body({ state: "in_review" }), { secret: OTHER_SECRET }))).toBeUndefined();
    fixture.time.advance(1);
    expect(await send(signedCallback(body(), { secret: SECRET }))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("finds nobody in a deployment without a vendor", async () => {
    const reviewing = await peopleFixture();
    const call = reviewing.as("gateway").reportSetup(signedCallback(body()));
    expect(await codeOf(call)).toBe("not_found");
  });
});

describe("a signed callback", () => {
  it("that is sent again changes nothing", async () => {
    const approval = signedCallback(body());
    await send(approval);
    fixture.time.advance(1);
    await send(signedCallback(body({ state: "failure", reason: "Revoked" })));
    expect(await send(approval)).toBeUndefined();
    expect(await send(signedCallback(body({ occurredAt: at(10) }), { webhookId: approval.webhookId }))).toBeUndefined();
    expect(await state()).toBe(SetupState.FAILURE);
  });

  it("that arrives after a newer one changes nothing", async () => {
    const older = body({ state: "failure", occurredAt: at(-1) });
    await send(signedCallback(body()));
    expect(await send(signedCallback(older))).toBeUndefined();
    expect(await send(signedCallback(body({ state: "in_review" })))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it.each([
    ["after", ["complete", "failure"]],
    ["before", ["failure", "complete"]],
  ])("that refuses counts %s an approval of the same second", async (_, states) => {
    for (const each of states) expect(await send(signedCallback(body({ state: each })))).toBeUndefined();
    expect(await state()).toBe(SetupState.FAILURE);
  });

  it("that refuses counts though an approval of the same second comes after the user has begun again", async () => {
    const occurredAt = at(0);
    await send(signedCallback(body({ state: "failure", occurredAt })));
    const again = await beginAtVendor(ann);
    fixture.time.advance(1_000);
    expect(await send(signedCallback(body({ handle: again.handle, occurredAt })))).toBeUndefined();
    expect(await state()).toBe(SetupState.IN_PROGRESS);
    expect(await send(signedCallback(body({ handle: again.handle })))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("that refuses for good isn't overcome by another check, but by the vendor's report about the entity itself", async () => {
    await send(signedCallback(body()));
    const [, other] = [fixture.time.advance(1), callbackBody(fixture, { handle: undefined, state: "failure_final" })];
    await send(signedCallback(other));
    fixture.time.advance(1);
    expect(await send(signedCallback(body()))).toBeUndefined();
    expect(await state()).toBe(SetupState.FAILURE_FINAL);
    expect(await send(signedCallback(body({ handle: undefined })))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("of a clock that is four minutes ahead hides nothing that comes next", async () => {
    await send(signedCallback(body({ state: "in_review", occurredAt: at(240 * SECOND_MS) })));
    fixture.time.advance(1);
    expect(await send(signedCallback(body()))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("that refuses, of a clock that is ahead, isn't beaten by an approval that the same clock stamped earlier and that comes later", async () => {
    const [approvedAt, refusedAt] = [at(200 * SECOND_MS), at(240 * SECOND_MS)];
    await send(signedCallback(body({ state: "failure_final", occurredAt: refusedAt })));
    fixture.time.advance(600 * SECOND_MS);
    expect(await send(signedCallback(body({ occurredAt: approvedAt })))).toBeUndefined();
    expect(await state()).toBe(SetupState.FAILURE_FINAL);
  });

  it("approves until the deployment's lifetime after the decision, however late it comes", async () => {
    fixture = await peopleFixture({ ...VENDOR_SETTINGS, APPROVAL_LIFETIME: "30d" });
    ann = fixture.person("ann");
    ({ entityUuid, handle } = await beginAtVendor(ann));
    await send(signedCallback(body({ occurredAt: at(-3_600 * SECOND_MS) })));
    const end = (await ann.entities.getEntity({ entityUuid })).entity?.approvalExpiresAt;
    const expected = fixture.time.now() - 3_600_000n + 30n * 86_400_000n;
    expect(end && BigInt(timestampMs(end))).toBe(expected);
  });

  it("of an earlier attempt changes nothing once the vendor has said more", async () => {
    await send(signedCallback(body({ state: "failure", occurredAt: at(-10) })));
    const second = await beginAtVendor(ann);
    await send(signedCallback(body({ handle: second.handle })));
    expect(await send(signedCallback(body({ state: "failure", occurredAt: at(-5) })))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("of an earlier attempt that refuses for good counts whenever it comes", async () => {
    const second = await beginAtVendor(ann);
    await send(signedCallback(body({ handle: second.handle })));
    expect(await send(signedCallback(body({ state: "failure_final", occurredAt: at(-5) })))).toBeUndefined();
    expect(await state()).toBe(SetupState.FAILURE_FINAL);
  });

  it("of an unknown handle or reference succeeds and changes nothing", async () => {
    expect(await send(signedCallback(body({ handle: "unknown" })))).toBeUndefined();
    expect(await send(signedCallback(body({ handle: undefined, reference: "unknown" })))).toBeUndefined();
    expect(await state()).toBe(SetupState.IN_PROGRESS);
  });

  it("after the deletion of its entity or account succeeds and changes nothing", async () => {
    await ann.entities.deleteEntity({ entityUuid });
    expect(await send(signedCallback(body()))).toBeUndefined();
    const second = await beginAtVendor(ann);
    await fixture.as("auth").closeAccount({ accountUuid: ann.accountUuid });
    await fixture.as("auth").eraseAccount({ accountUuid: ann.accountUuid });
    expect(await send(signedCallback(body({ handle: second.handle })))).toBeUndefined();
    expect((await ann.entities.listEntities({})).entities).toEqual([]);
  });

  it("names an approved entity by its reference", async () => {
    await send(signedCallback(body()));
    fixture.time.advance(1);
    await send(signedCallback(body({ handle: undefined, state: "failure", reason: "Revoked" })));
    expect(await state()).toBe(SetupState.FAILURE);
  });

  it.each([
    ["a body of more than 256 KiB", { reason: "x".repeat(262_144) }],
    ["an array", "[]"],
    ["text that isn't JSON", "approved"],
    ["an unknown state", { state: "not_started" }],
    ["no time", { occurredAt: undefined }],
    ["a time without a zone", { occurredAt: "2026-01-31T12:00:00" }],
    ["a time far in the future", { occurredAt: "9999-01-01T00:00:00Z" }],
    ["a number as its handle", { handle: 7 }],
    ["neither handle nor reference", { handle: "", reference: "" }],
    ["a state without a time and an approval without a country", { occurredAt: undefined, country: "" }],
    ["an approval without a country, by a reference that nobody has", { handle: "", country: "" }],
    ["an approval that has ended already", { approvalEndsAt: "2001-01-01T00:00:00Z" }],
  ])("with %s is refused", async (_, content) => {
    const text = typeof content === "string" ? content : body(content);
    expect(await send(signedCallback(text))).toBe("invalid_argument");
    expect(await state()).toBe(SetupState.IN_PROGRESS);
  });

  const UNUSABLE: readonly (readonly [string, object])[] = [
    ["without a reference", { reference: "" }],
    ["with a reference that is too long", { reference: "x".repeat(201) }],
    ["without a country", { country: "" }],
    ["with a country's name", { country: "Germany" }],
    ["for Kosovo's unassigned code", { country: "XK" }],
    ["for a code that nobody has assigned", { country: "QQ" }],
    ["for a country in small letters", { country: "fr" }],
  ];

  it.each(UNUSABLE)(
    "that approves %s is refused, and lets the person begin again, with the reason",
    async (_, given) => {
      await send(signedCallback(body({ state: "ready_for_review" })));
      fixture.time.advance(1);
      const unusable = body(given);
      const entity = async () => (await ann.entities.getEntity({ entityUuid })).entity;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await send(signedCallback(unusable, { webhookId: "once" }))).toBe("invalid_argument");
        expect(await entity()).toMatchObject({
          setupState: SetupState.TECHNICAL_ISSUE,
          setupReason: expect.stringContaining("can't be used"),
        });
      }
      expect(await send(signedCallback(body({ handle }), { webhookId: "once" }))).toBeUndefined();
      expect(await state()).toBe(SetupState.COMPLETE);
    },
  );

  it("that approves an identity that can't be used, from a clock that is ahead, is told once, and not to who has begun again", async () => {
    const { database } = fixture.dependencies;
    const unusable = body({ country: "XK", occurredAt: at(240 * SECOND_MS) });
    const notices = () => database.read(async (query) => (await readNoticeBacklog(query)).notices);
    const told = (await notices()) + 1;
    for (const begunAgain of [false, false, true]) {
      if (begunAgain) await ann.entities.beginSetup({ entityUuid });
      fixture.time.advance(1);
      expect(await send(signedCallback(unusable))).toBe("invalid_argument");
      expect(await state()).toBe(begunAgain ? SetupState.IN_PROGRESS : SetupState.TECHNICAL_ISSUE);
      expect(await notices()).toBe(told);
    }
    const [notice] = (await database.read((query) => readDueNotices(query, fixture.time.now(), 10))).slice(-1);
    expect(notice?.notice).toMatchObject({ approved: false, final: false, unfinished: true });
  });

  it("that refuses for good changes nothing when it is sent again after the operator's later approval", async () => {
    const refusal = body({ state: "failure_final" });
    await send(signedCallback(body({ occurredAt: at(-1) })));
    await send(signedCallback(refusal));
    fixture.time.advance(1);
    await send(signedCallback(body({ handle: undefined })));
    expect(await send(signedCallback(refusal))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it.each([
    ["complete", SetupState.COMPLETE],
    ["failure", SetupState.FAILURE],
    ["failure_final", SetupState.FAILURE_FINAL],
  ])("that approves an identity that can't be used leaves the state %s as it is", async (given, expected) => {
    await send(signedCallback(body({ state: given })));
    fixture.time.advance(1);
    expect(await send(signedCallback(body({ country: "XK" })))).toBe("invalid_argument");
    expect(await state()).toBe(expected);
  });

  it("about something else succeeds and changes nothing", async () => {
    expect(await send(signedCallback(body({ type: "applicant.deleted" })))).toBeUndefined();
    expect(await state()).toBe(SetupState.IN_PROGRESS);
  });

  it("can't use a handle of one purpose for the other", async () => {
    const { dependencies } = fixture;
    const [saleUuid, entity] = [fixture.sale(), { uuid: entityUuid, type: "person" } as const];
    const ids = await ensureSaleEntity(dependencies, saleUuid, entity, ann.email);
    const page = new URL(await livenessUrl(dependencies, saleUuid, entity, ids)).searchParams;
    await send(signedCallback(body({ handle: page.get("handle") })));
    expect(await state()).toBe(SetupState.IN_PROGRESS);
    await send(signedCallback(body({ type: "liveness.passed" })));
    const isProved = (sale: string) => dependencies.database.read((query) => hasLiveness(query, sale, entityUuid));
    expect(await isProved(saleUuid)).toBe(false);
  });
});

describe("a proof of presence", () => {
  it("for a sale that was erased meanwhile succeeds and stores nothing", async () => {
    const { dependencies } = fixture;
    const entity = { uuid: entityUuid, type: "person" } as const;
    const handleFor = async (saleUuid: string) => {
      const ids = await ensureSaleEntity(dependencies, saleUuid, entity, ann.email);
      return new URL(await livenessUrl(dependencies, saleUuid, entity, ids)).searchParams.get("handle");
    };
    const [erased, kept] = [fixture.sale(), fixture.sale()];
    const [late, early] = [await handleFor(erased), await handleFor(kept)];
    await eraseSale(dependencies, erased);
    for (const handle of [late, early]) {
      expect(await send(signedCallback(body({ type: "liveness.passed", handle })))).toBeUndefined();
    }
    const isProved = (sale: string) => dependencies.database.read((query) => hasLiveness(query, sale, entityUuid));
    expect([await isProved(erased), await isProved(kept)]).toEqual([false, true]);
  });
});

describe("a start URL", () => {
  it("is signed by the first secret, ends after an hour, and names the entity by nothing but the handle", async () => {
    const { startUrl } = await ann.entities.beginSetup({ entityUuid });
    const [signed = "", signature] = (startUrl.split("?")[1] ?? "").split("&signature=");
    expect(signature).toBe(createHmac("sha256", Buffer.alloc(32, 7)).update(signed).digest("base64url"));
    const named = new URLSearchParams(signed);
    expect([...named.keys()]).toEqual(["handle", "type", "purpose", "expires"]);
    expect(Number(named.get("expires"))).toBe(Math.floor(Number(fixture.time.now()) / 1_000) + 3_600);
    expect(startUrl).not.toContain(entityUuid);
  });

  it("ends the oldest of more than 20", async () => {
    for (let count = 0; count < 20; count += 1) {
      fixture.time.advance(1);
      await ann.entities.beginSetup({ entityUuid });
    }
    expect(await send(signedCallback(body()))).toBeUndefined();
    expect(await state()).toBe(SetupState.IN_PROGRESS);
    expect(await send(signedCallback(body({ handle: (await beginAtVendor(ann)).handle })))).toBeUndefined();
    expect(await state()).toBe(SetupState.COMPLETE);
  });
});
