import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, expect, it } from "vitest";
import { type SpanAttributes, setTracer } from "../../../common/platform/tracing/tracing.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { completeErasures } from "../../../services/auth/accounts/complete-erasures.ts";
import { sessionBy } from "../../../services/auth/testing/passkey-holder.ts";
import { reopenAccounts } from "../../../services/entities/accounts/reopen-accounts.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { sendNotices } from "../../../services/entities/notices/send-notices.ts";
import { KEY_ENCRYPTION_KEY, type SignedIn } from "../../support/processes/auth-fixture.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { ownedSale } from "../../support/sales/participation-sales.ts";
import { draftSale } from "../../support/sales/sale-messages.ts";

const running = new AbortController().signal;
const MANY = 10;
const TWO_MINUTES_MS = 120_000;
const identity = { provider: "review", reviewers: new Set(["reviewer@example.com"]), approvalLifetimeMs: 0n } as const;

describeEntities(
  "entities of accounts",
  (service) => {
    afterEach(() => setTracer(undefined));

    const signIn = (name: string) => service().auth.signIn(`${name}-${randomUUID()}@example.com`);
    const person = { type: EntityType.PERSON, label: "Me" };
    const many = <Result>(work: () => Promise<Result>) => Promise.allSettled(Array.from({ length: MANY }, work));
    const succeeded = (results: readonly PromiseSettledResult<unknown>[]) =>
      results.filter(({ status }) => status === "fulfilled").length;
    const deleteAccount = ({ sessionToken }: SignedIn) =>
      service().auth.as("gateway").accounts.deleteAccount({ sessionToken });
    const upstreams = () => ({
      database: service().database,
      clock: service().auth.time.now,
      accounts: service().auth.as("entities").accounts,
      derivedKeys: deriveKeys(KEY_ENCRYPTION_KEY),
    });

    it("have one person, and one pair of IDs in a sale, by calls at once", async () => {
      const session = await signIn("ann");
      const { entities } = await service().asPerson(session);
      expect(succeeded(await many(() => entities.createEntity(person)))).toBe(1);
      const saleUuid = await draftSale(service().auth.commitments);
      const access = { accessToken: await service().accessToken(session, saleUuid) };
      const listed = await many(() => service().as("gateway").entities.listAvailableEntities({ saleUuid, access }));
      expect(succeeded(listed)).toBe(MANY);
      const ids = listed.map((each) => each.status === "fulfilled" && each.value.entities[0]?.entityUuid);
      expect(new Set(ids).size).toBe(1);
    });

    it("take IDs of an import that arrives many times at once", async () => {
      const saleUuid = await draftSale(service().auth.commitments);
      const rows = Array.from({ length: 20 }, (_, index) => ({
        email: `person${index}@example.com`,
        type: EntityType.PERSON,
        saleSpecificEntityId: new Uint8Array(16).fill(index + 1),
      }));
      const results = await many(() => service().entities.importEntityIds({ saleUuid, rows }));
      expect(succeeded(results)).toBe(MANY);
      const parts = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      expect(parts.reduce((sum, { stored }) => sum + stored, 0)).toBe(rows.length);
      expect(parts.flatMap(({ problems }) => problems)).toEqual([]);
    });

    it("are deleted after their account", async () => {
      const session = await signIn("bea");
      const { entities } = await service().asPerson(session);
      const { entity } = await entities.createEntity(person);
      await deleteAccount(session);
      await expect(entities.createEntity({ ...person, type: EntityType.ORGANIZATION })).rejects.toMatchObject({
        code: Code.FailedPrecondition,
      });
      const { database, time } = service().auth;
      const erasing = { database, clock: time.now, entities: service().as("auth").entities };
      await completeErasures(erasing, running);
      const left = service().entities.getEntity({ entityUuid: entity?.uuid ?? "" });
      await expect(left).rejects.toMatchObject({ code: Code.NotFound });
    });

    it("can be used again when the deletion of their account was refused", async () => {
      const { owner, entities } = await ownedSale(service(), "cleo");
      await expect(deleteAccount(owner)).rejects.toMatchObject({ code: Code.FailedPrecondition });
      await expect(entities.createEntity(person)).rejects.toMatchObject({ code: Code.FailedPrecondition });
      service().auth.time.advance(TWO_MINUTES_MS);
      await reopenAccounts(upstreams(), running);
      const { entities: later } = await service().asPerson(owner);
      expect((await later.createEntity(person)).entity?.label).toBe("Me");
    });

    it("are decided by reviewers and mailed, and neither log nor traces hold an address or a label", async () => {
      const spans: (SpanAttributes | string)[] = [];
      setTracer({
        start: (name, _parent, { attributes = {} }) => {
          spans.push(name, attributes);
          const context = { traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 };
          return {
            context,
            set: (more) => void spans.push(more),
            rename: () => {},
            fail: (type) => void spans.push(type),
            end: () => {},
          };
        },
      });
      const session = await signIn("dora");
      const { entities } = await service().asPerson(session);
      const { entity } = await entities.createEntity({ ...person, label: "Very secret" });
      const entityUuid = entity?.uuid ?? "";
      await entities.beginSetup({ entityUuid, country: "DE" });
      const { auth } = service();
      const byCode = await auth.signIn("reviewer@example.com");
      const account = { uuid: byCode.accountUuid, email: "reviewer@example.com" };
      const given = { database: auth.database, clock: auth.time.now };
      const reviewer = await service().asPerson({
        ...byCode,
        sessionToken: await sessionBy(given, "passkey", account),
      });
      const { reviews } = await reviewer.entities.listReviews({ entityUuid });
      expect(reviews[0]?.email).toMatch(/^dora-/);
      const expectedVersion = reviews[0]?.entity?.version ?? 0n;
      const decision = { case: "approval", value: { reference: "ref-1", country: "DE" } } as const;
      await reviewer.entities.decideReview({ entityUuid, expectedVersion, decision });
      await sendNotices(upstreams(), running);
      const mail = (await service().auth.mails()).findLast((text) => text.includes("Your identity check is complete"));
      expect(mail).toContain("To: dora-");
      await expect(entities.beginSetup({ entityUuid, country: "DE" })).rejects.toBeInstanceOf(ConnectError);
      expect((await entities.getEntity({ entityUuid })).entity?.setupState).toBe(SetupState.COMPLETE);
      const recorded = JSON.stringify([service().log, spans]);
      expect(spans.length).toBeGreaterThan(0);
      expect(recorded).not.toMatch(/@|Very secret|ref-1/);
    });
  },
  { identity },
);
