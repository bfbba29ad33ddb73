import { randomBytes, randomUUID } from "node:crypto";
import { toJsonString } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { RECENT_SIGN_IN_MS } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import { SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type PublicRules, PublicRulesSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { Role } from "../../../services/auth/testing/founder-fixture.ts";
import { sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";
import { openForBids, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { auction, evmSource, refusal, USDY, usdx, violatedFields } from "../../support/sales/sale-messages.ts";

describeEntities("the rules of a sale", (service) => {
  const activeKey = (saleUuid: string) => ({
    permit_key: randomBytes(16),
    sale: bytesOfHex(saleUuid),
    status: "active" as const,
    kind: "evm" as const,
    chain: "ethereum",
    remote: 0,
    address: randomBytes(20),
    private_key: randomBytes(60),
    created_at_ms: 1n,
    activated_at_ms: 2n,
    retired_at_ms: null,
  });

  it("are the defaults at first, and what an owner sets afterwards", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const before = await eligibility.getRules({ saleUuid });
    expect(before).toMatchObject({ version: 0n, memberCount: 0n, denyListCount: 0n, unexpiredPermits: 0n });
    expect(before.rules).toMatchObject({ enabled: false, groups: [], wallets: { maxWalletsPerEntity: 1 } });
    const rules = sampleRulesMessage();
    const updated = await eligibility.updateRules({ saleUuid: saleUuid.toUpperCase(), rules, expectedVersion: 0n });
    expect(updated).toMatchObject({ version: 1n, rules, unexpiredPermits: 0n });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ version: 1n, rules });
  });

  it("are replaced only on the version that the change is based on, one of several at once", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const update = (maxWalletsPerEntity: number, expectedVersion: bigint) => {
      const wallets = { ...sampleRulesMessage().wallets, maxWalletsPerEntity } as never;
      return eligibility.updateRules({ saleUuid, rules: { ...sampleRulesMessage(), wallets }, expectedVersion });
    };
    for (const version of [0n, 1n]) {
      const results = await Promise.allSettled([2, 3, 4].map((wallets) => update(wallets, version)));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    expect((await refusal(update(5, 1n))).code).toBe("aborted");
    expect((await eligibility.getRules({ saleUuid })).version).toBe(2n);
  });

  it("are for members of the sale by their role; dangerous changes need an owner who signed in just now", async () => {
    const { saleUuid, owner, eligibility } = await ownedSale(service(), "owner");
    const founders = await service().auth.asPerson(owner);
    const clientsOf = async (name: string, role?: Role) => {
      const email = `${name}-${saleUuid}@example.com`;
      if (role !== undefined) await founders.memberships.setMember({ saleUuid, email, role });
      return (await service().asPerson(await service().auth.signIn(email))).eligibility;
    };
    const people = [
      await clientsOf("stranger"),
      await clientsOf("viewer", Role.VIEWER),
      await clientsOf("editor", Role.EDITOR),
    ];
    const saleSpecificEntityId = new Uint8Array(16);
    const codes = async (call: (clients: typeof eligibility) => Promise<unknown>) =>
      Promise.all(
        people.map((clients) =>
          call(clients).then(
            () => "done",
            async (error) => (await refusal(Promise.reject(error))).code,
          ),
        ),
      );
    const update = (clients: typeof eligibility) =>
      clients.updateRules({ saleUuid, rules: sampleRulesMessage(), expectedVersion: 0n });
    expect(await codes((clients) => clients.getRules({ saleUuid }))).toEqual(["not_found", "done", "done"]);
    expect(await codes((clients) => clients.listFreezes({ saleUuid }))).toEqual(["not_found", "done", "done"]);
    const refused = ["not_found", "permission_denied", "permission_denied"];
    expect(await codes(update)).toEqual(refused);
    expect(await codes((clients) => clients.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true }))).toEqual(
      refused,
    );
    service().auth.time.advance(Number(RECENT_SIGN_IN_MS) + 1);
    // The actor token of before has expired meanwhile.
    const later = (await service().asPerson(owner)).eligibility;
    expect((await refusal(update(later))).code).toBe("failed_precondition");
    expect((await refusal(later.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true }))).code).toBe(
      "failed_precondition",
    );
    expect((await later.getRules({ saleUuid })).version).toBe(0n);
  });

  it("show viewers the host of the screener, and editors its whole URL", async () => {
    const { saleUuid, owner, eligibility } = await ownedSale(service(), "owner");
    const screenerUrl = "https://screener.example:8443/v1/wallets?key=secret";
    const rules = sampleRulesMessage({ enabled: false, wallets: { ...sampleRules().wallets, screenerUrl } });
    await eligibility.updateRules({ saleUuid, rules, expectedVersion: 0n });
    const founders = await service().auth.asPerson(owner);
    const shownTo = async (name: string, role: Role) => {
      const email = `${name}-${saleUuid}@example.com`;
      await founders.memberships.setMember({ saleUuid, email, role });
      const clients = await service().asPerson(await service().auth.signIn(email));
      return (await clients.eligibility.getRules({ saleUuid })).rules?.wallets?.screenerUrl;
    };
    expect(await shownTo("viewer", Role.VIEWER)).toBe("https://screener.example:8443");
    expect(await shownTo("editor", Role.EDITOR)).toBe(screenerUrl);
    expect((await service().eligibility.getRules({ saleUuid })).rules?.wallets?.screenerUrl).toBe(screenerUrl);
  });

  it("are read by the gateway for everybody where their owner shows them, without what is the founder's", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const gateway = service().as("gateway").eligibility;
    const shown = async () => (await gateway.getPublicRules({ saleUuid: saleUuid.toUpperCase() })).rules;
    const wallets = { ...sampleRules().wallets, screenerUrl: "https://screener.example/secret" };
    const update = (onSalePage: boolean, expectedVersion: bigint) =>
      eligibility.updateRules({ saleUuid, rules: sampleRulesMessage({ wallets, onSalePage }), expectedVersion });
    expect(await shown()).toBeUndefined();
    await update(false, 0n);
    expect(await shown()).toBeUndefined();
    await update(true, 1n);
    expect(await shown()).toMatchObject({ enabled: true, walletsScreened: true, groups: [{ name: "Everyone" }] });
    expect(toJsonString(PublicRulesSchema, (await shown()) as PublicRules)).not.toContain("secret");
    await update(false, 2n);
    expect(await shown()).toBeUndefined();
    expect((await gateway.getPublicRules({ saleUuid: randomUUID() })).rules).toBeUndefined();
  });

  it("show a founder of one sale nothing of another one, in whatever call", async () => {
    const mine = await ownedSale(service(), "founder-a");
    const { saleUuid } = await ownedSale(service(), "founder-b");
    const { eligibility } = mine;
    const id = new Uint8Array(16);
    const calls = [
      eligibility.getRules({ saleUuid }),
      eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(), expectedVersion: 0n }),
      eligibility.setFreeze({ saleUuid, saleSpecificEntityId: id, frozen: true }),
      eligibility.listFreezes({ saleUuid }),
    ];
    expect(await Promise.all(calls.map(async (call) => (await refusal(call)).code))).toEqual(
      calls.map(() => "not_found"),
    );
    const unknown = await refusal(eligibility.getRules({ saleUuid: randomUUID() }));
    expect(unknown.code).toBe("not_found");
  });

  it("name what is wrong with them, and change nothing", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const rules = sampleRulesMessage({ countries: ["XX"], defaultGroupUuid: randomUUID() });
    const fields = await violatedFields(eligibility.updateRules({ saleUuid, rules, expectedVersion: 0n }));
    expect(fields).toEqual(["rules.countries[0]", "rules.default_group_uuid"]);
    expect((await eligibility.getRules({ saleUuid })).version).toBe(0n);
  });

  it("can't be on where tokens' decimals differ, or an open sale has no active key", async () => {
    const usdy = { address: USDY, decimals: 18, usdStablecoin: true };
    const definition = auction({ source: evmSource(), paymentTokens: [usdx, usdy], paymentTokenDecimals: 18 });
    const mixed = await ownedSale(service(), "owner", definition);
    const update = ({ saleUuid, eligibility }: typeof mixed) =>
      eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(), expectedVersion: 0n });
    expect((await refusal(update(mixed))).message).toContain("different decimals");
    const open = await ownedSale(service(), "owner");
    await openForBids(service(), open.saleUuid);
    const error = await refusal(update(open));
    expect([error.code, error.message]).toEqual(["failed_precondition", expect.stringContaining("no active key")]);
    await service().database.query.insertInto("permit_key").values(activeKey(open.saleUuid)).execute();
    expect((await update(open)).version).toBe(1n);
  });

  it("are recorded in words before they change, and mailed to the owners", async () => {
    const { saleUuid, owner, eligibility } = await ownedSale(service(), "logged");
    service().auth.time.advance(1);
    await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(), expectedVersion: 0n });
    service().auth.time.advance(1);
    const saleSpecificEntityId = new Uint8Array(16).fill(0xab);
    await eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true, note: "asked by the bank" });
    const { memberships } = await service().auth.asPerson(owner);
    const { events } = await memberships.listSaleEvents({ saleUuid });
    expect(events.slice(0, 2)).toMatchObject([
      {
        kind: SaleEventKind.ENTITY_FREEZE_CHANGED,
        changes: [{ field: `Entity 0x${"ab".repeat(16)}`, before: "", after: "frozen: asked by the bank" }],
      },
      {
        kind: SaleEventKind.PARTICIPATION_CHANGED,
        by: { accountUuid: owner.accountUuid },
        changes: expect.arrayContaining([
          expect.objectContaining({ field: "Taking part", before: "off", after: "on" }),
        ]),
      },
    ]);
    const { email = "" } = (await service().auth.as("gateway").accounts.getSession(owner)).account ?? {};
    // The change doesn't wait for the mail.
    const isMailed = async () =>
      (await service().auth.mails()).some(
        (mail) => mail.includes("The rules of taking part in a sale were changed") && mail.includes(`\nTo: ${email}\n`),
      );
    await expect.poll(isMailed, SOON).toBe(true);
  });
});

describeEntities("freezes of a sale", (service) => {
  it("stop and allow one entity, as often as it is said", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const [one, other] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
    const set = (saleSpecificEntityId: Uint8Array<ArrayBuffer>, frozen: boolean, note = "") =>
      eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen, note });
    await set(one, true, "first");
    service().auth.time.advance(1);
    await set(other, true);
    await set(other, true, "again");
    const listed = async () =>
      (await eligibility.listFreezes({ saleUuid })).freezes.map((each) => [each.saleSpecificEntityId[0], each.note]);
    expect(await listed()).toEqual([
      [2, "again"],
      [1, "first"],
    ]);
    expect(await set(other, false)).toMatchObject({ unexpiredPermits: 0n });
    await set(other, false);
    expect(await listed()).toEqual([[1, "first"]]);
  });

  it("say how many permits of the entity haven't expired", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    const now = service().auth.time.now();
    const frozen = randomBytes(16);
    const permit = (saleSpecificId: Uint8Array, expiresAtMs: bigint) => ({
      permit: randomBytes(16),
      sale: bytesOfHex(saleUuid),
      entity: randomBytes(16),
      sale_specific_id: Buffer.from(saleSpecificId),
      kind: "evm" as const,
      wallet: randomBytes(20),
      client: randomBytes(16),
      permit_key: randomBytes(16),
      member_group: randomBytes(16),
      min_amount: "0",
      max_amount: "1",
      min_price: 0n,
      max_price: 0n,
      forced_lockup: 0,
      issued_at_ms: now,
      expires_at_ms: expiresAtMs,
    });
    const permits = [permit(frozen, now + 60_000n), permit(frozen, now), permit(randomBytes(16), now + 60_000n)];
    await service().database.query.insertInto("permit").values(permits).execute();
    const saleSpecificEntityId = Uint8Array.from(frozen);
    expect(await eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true })).toMatchObject({
      unexpiredPermits: 1n,
    });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ unexpiredPermits: 2n });
  });
});
