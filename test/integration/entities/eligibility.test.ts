import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { MemberInit } from "../../../common/sale/csv/member-init.ts";
import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType, SaleEligibility, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { FAILURE_REASONS } from "../../../services/entities/eligibility/decide.ts";
import { readMemberWallets } from "../../../services/entities/eligibility/facts-store.ts";
import { bindMembers, matchMembers } from "../../../services/entities/members/matching-members-store.ts";
import { emailKey, memberKeyMac } from "../../../services/entities/members/member.ts";
import { GROUP_UUID, sampleGroup, type sampleRules } from "../../../services/entities/testing/sample-rules.ts";
import { EVERY_CHAIN } from "../../../services/entities/wallets/proof-chain.ts";
import { linkWallet } from "../../../services/entities/wallets/wallet-links-store.ts";
import { KEY_ENCRYPTION_KEY, type SignedIn } from "../../support/processes/auth-fixture.ts";
import { describeEntities, type EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { type OwnedSale, openForBids, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const VIP = "00000000-0000-4000-8000-000000000009";
const identity = { provider: "demo", reviewers: new Set<string>(), approvalLifetimeMs: 0n } as const;
/** The name of a value of an enumeration. */
const nameOf = (names: Readonly<Record<string, number>>, value: number) =>
  Object.keys(names).find((name) => names[name] === value);
const newWallet = () => `0x${randomBytes(20).toString("hex")}`;

type Rules = NonNullable<Parameters<typeof sampleRules>[0]>;

/** A sale that takes bids, and whose rules a test sets as it likes. */
interface BidSale extends OwnedSale {
  rule(rules: Rules): Promise<void>;
}

async function bidSale(fixture: EntitiesFixture, rules: Rules = {}): Promise<BidSale> {
  const sale = await ownedSale(fixture, "owner");
  const { saleUuid, eligibility } = sale;
  const rule = async (given: Rules) => {
    const { version: expectedVersion } = await eligibility.getRules({ saleUuid });
    await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(given), expectedVersion });
  };
  const key = {
    permit_key: randomBytes(16),
    sale: bytesOfHex(saleUuid),
    status: "active",
    kind: "evm",
    remote: 0,
  } as const;
  const times = { created_at_ms: 1n, activated_at_ms: 2n, retired_at_ms: null };
  const row = { ...key, ...times, chain: "ethereum", address: randomBytes(20), private_key: randomBytes(60) };
  await openForBids(fixture, saleUuid);
  await fixture.database.query.insertInto("permit_key").values(row).execute();
  await rule(rules);
  return { ...sale, rule };
}

/** A person with a complete entity and a token of a sale's application. */
interface Bidder {
  readonly session: SignedIn;
  readonly email: string;
  readonly internalUuid: string;
  readonly entityUuid: string;
  readonly saleSpecificEntityId: Uint8Array<ArrayBuffer>;
  readonly access: { accessToken: string };
}

async function bidder(
  fixture: EntitiesFixture,
  saleUuid: string,
  country = "DE",
  type = EntityType.PERSON,
): Promise<Bidder> {
  const email = `bidder-${randomUUID()}@example.com`;
  const session = await fixture.auth.signIn(email);
  const { entities } = await fixture.asPerson(session);
  const { entity } = await entities.createEntity({ type, label: "Me" });
  const internalUuid = entity?.uuid ?? "";
  await entities.chooseDemoSetup({ entityUuid: internalUuid, state: SetupState.COMPLETE, country });
  const access = { accessToken: await fixture.accessToken(session, saleUuid) };
  const listed = await fixture.as("gateway").entities.listAvailableEntities({ access, saleUuid });
  const { entityUuid = "", saleSpecificEntityId = new Uint8Array() } = listed.entities[0] ?? {};
  return {
    session,
    email,
    internalUuid,
    entityUuid,
    saleSpecificEntityId: Uint8Array.from(saleSpecificEntityId),
    access,
  };
}

describeEntities(
  "eligibility",
  (service) => {
    const application = () => service().as("gateway").eligibility;
    const check = (saleUuid: string, { access, entityUuid }: Bidder, wallet = newWallet()) =>
      application().checkEligibility({ access, saleUuid, entityUuid, wallet });
    const failureOf = async (saleUuid: string, person: Bidder, wallet?: string) =>
      nameOf(FailureReason, (await check(saleUuid, person, wallet)).failure);
    const listed = async (saleUuid: string, { access }: Bidder) => {
      const { entities } = await service().as("gateway").entities.listAvailableEntities({ access, saleUuid });
      return entities.map(({ eligibility }) => nameOf(SaleEligibility, eligibility));
    };

    it("is given where nothing speaks against it, and says the first reason where something does", async () => {
      const sale = await bidSale(service());
      const { saleUuid } = sale;
      const person = await bidder(service(), saleUuid);
      expect(await check(saleUuid, person)).toMatchObject({ ready: true, failure: 0, livenessUrl: "" });
      expect(await listed(saleUuid, person)).toEqual(["ELIGIBLE"]);
      const now = service().auth.time.now() / 1_000n;
      const group = (opensAt: bigint, closesAt: bigint) => [sampleGroup({ opensAt, closesAt })];
      await sale.rule({ groups: group(now + 100n, now + 200n) });
      expect(await failureOf(saleUuid, person)).toBe("OUTSIDE_TIME_WINDOW");
      expect(await listed(saleUuid, person)).toEqual(["ELIGIBLE"]);
      await sale.rule({ countries: ["DE"] });
      expect(await failureOf(saleUuid, person)).toBe("UNKNOWN");
      expect(await listed(saleUuid, person)).toEqual(["NOT_ELIGIBLE"]);
      await sale.rule({ enabled: false, countries: ["DE"] });
      expect(await failureOf(saleUuid, person)).toBe("SALE_NOT_ACTIVE");
      await sale.rule({});
      const { saleSpecificEntityId } = person;
      await sale.eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen: true });
      expect(await failureOf(saleUuid, person)).toBe("UNKNOWN");
      await sale.eligibility.setFreeze({ saleUuid, saleSpecificEntityId, frozen: false });
      expect(await failureOf(saleUuid, person)).toBe("UNSPECIFIED");
    });

    it("depends on the wallet last: linked, within the number, off the deny list, and present", async () => {
      const sale = await bidSale(service(), { livenessRequired: true });
      const { saleUuid } = sale;
      const person = await bidder(service(), saleUuid);
      const { wallets } = sampleRulesMessage();
      const answer = await check(saleUuid, person);
      expect([nameOf(FailureReason, answer.failure), answer.livenessUrl]).toEqual([
        "REQUIRES_LIVENESS",
        expect.stringContaining(`sale=${saleUuid}`),
      ]);
      const denied = newWallet();
      await sale.eligibility.changeDenyList({ saleUuid, wallets: [denied] });
      expect(await failureOf(saleUuid, person, denied)).toBe("WALLET_RISK");
      await service()
        .database.query.insertInto("sale_wallet")
        .values({
          sale: bytesOfHex(saleUuid),
          wallet: randomBytes(20),
          kind: "evm",
          entity: bytesOfHex(person.internalUuid),
          proved_at_ms: 1n,
          bound_at_ms: 1n,
          permit_expires_at_ms: 1n,
        })
        .execute();
      expect(await failureOf(saleUuid, person, denied)).toBe("MAX_WALLETS_USED");
      await sale.rule({ wallets: { ...wallets, linkingRequired: true, onScreeningFailure: "closed" } as never });
      expect(await failureOf(saleUuid, person, denied)).toBe("WALLET_NOT_LINKED");
      expect((await refusal(check(saleUuid, person, "0x12"))).violations).toMatchObject([{ field: "wallet" }]);
    });

    it("is asked with a token of the sale, for an entity that the application sees", async () => {
      const [sale, other] = [await bidSale(service()), await bidSale(service())];
      const [person, stranger] = [await bidder(service(), sale.saleUuid), await bidder(service(), other.saleUuid)];
      const { saleUuid } = sale;
      const code = async (call: Promise<unknown>) => (await refusal(call)).code;
      expect(await code(check(other.saleUuid, person))).toBe("permission_denied");
      expect(await code(check(saleUuid, { ...person, access: { accessToken: "x" } }))).toBe("unauthenticated");
      // IDs of another sale, of another account, and the internal one.
      for (const entityUuid of [
        stranger.entityUuid,
        (await bidder(service(), saleUuid)).entityUuid,
        person.internalUuid,
      ]) {
        expect(await code(check(saleUuid, { ...person, entityUuid }))).toBe("not_found");
      }
      expect(
        await code(application().getLimits({ access: person.access, saleUuid: other.saleUuid, wallet: newWallet() })),
      ).toBe("permission_denied");
    });

    it("has limits of the only entity for a wallet without one, and none where there are more or the sale has it of another", async () => {
      const sale = await bidSale(service());
      const { saleUuid } = sale;
      await sale.rule({ groups: [sampleGroup({ minAmount: 5n })] });
      const [person, stranger] = [await bidder(service(), saleUuid), await bidder(service(), saleUuid)];
      const limits = (wallet: string) => application().getLimits({ access: person.access, saleUuid, wallet });
      const [unknown, linked, bound] = [newWallet(), newWallet(), newWallet()];
      const { bytes } = parseWallet("evm", bound, "wallet");
      const link = { entityUuid: stranger.internalUuid, wallet: parseWallet("evm", linked, "wallet") };
      await service().database.write(async (transaction) => {
        await linkWallet(transaction, link, EVERY_CHAIN, 1n);
        const times = { proved_at_ms: 1n, bound_at_ms: 1n, permit_expires_at_ms: 1n };
        const ids = { sale: bytesOfHex(saleUuid), entity: bytesOfHex(stranger.internalUuid) };
        await transaction
          .insertInto("sale_wallet")
          .values({ ...ids, kind: "evm", wallet: Buffer.from(bytes), ...times })
          .execute();
      });
      expect(await limits(unknown)).toMatchObject({ custom: false, minAmount: "5" });
      expect(await limits(linked)).toEqual(await limits(unknown));
      expect((await refusal(limits(bound))).code).toBe("not_found");
      const { entities } = await service().asPerson(person.session);
      const { entity } = await entities.createEntity({ type: EntityType.ORGANIZATION, label: "Mine" });
      expect((await refusal(limits(unknown))).code).toBe("not_found");
      await entities.deleteEntity({ entityUuid: entity?.uuid ?? "" });
      expect(await limits(unknown)).toMatchObject({ minAmount: "5" });
    });

    it("has no limits of a listed wallet for whoever only names it, and has them for its owner", async () => {
      const sale = await bidSale(service());
      const { saleUuid } = sale;
      await sale.rule({ groups: [sampleGroup({ minAmount: 5n }), sampleGroup({ uuid: VIP, name: "VIP" })] });
      const [person, stranger] = [await bidder(service(), saleUuid), await bidder(service(), saleUuid)];
      const [linked, unlinked] = [newWallet(), newWallet()];
      const link = { entityUuid: stranger.internalUuid, wallet: parseWallet("evm", linked, "wallet") };
      await service().database.write((transaction) => linkWallet(transaction, link, EVERY_CHAIN, 1n));
      const members = [linked, unlinked].map((value) => {
        return { groupUuid: VIP, key: { case: "wallet", value } as const, minAmount: "7", maxAmount: "900" };
      });
      await sale.eligibility.importMembers({ saleUuid, members });
      const limits = async ({ access }: Bidder, wallet: string) => {
        const { custom, minAmount } = await application().getLimits({ access, saleUuid, wallet });
        return { custom, minAmount };
      };
      for (const wallet of [linked, unlinked, newWallet()]) {
        expect(await limits(person, wallet)).toEqual({ custom: false, minAmount: "5" });
      }
      expect(await limits(stranger, linked)).toEqual({ custom: true, minAmount: "7" });
    });

    it("has limits: the default group's, and a member's own", async () => {
      const sale = await bidSale(service());
      const { saleUuid } = sale;
      const person = await bidder(service(), saleUuid);
      const wallet = newWallet();
      const limits = () => application().getLimits({ access: person.access, saleUuid, wallet });
      const linked = { entityUuid: person.internalUuid, wallet: parseWallet("evm", wallet, "wallet") };
      await service().database.write((transaction) => linkWallet(transaction, linked, EVERY_CHAIN, 1n));
      const unbounded = (2n ** 256n - 1n).toString();
      expect(await limits()).toMatchObject({ custom: false, minAmount: "0", maxAmount: unbounded });
      await sale.rule({
        groups: [sampleGroup({ minAmount: 5n }), sampleGroup({ uuid: VIP, name: "VIP", maxAmount: 900n })],
      });
      expect(await limits()).toMatchObject({ custom: false, minAmount: "5", maxAmount: unbounded });
      const member = {
        groupUuid: VIP,
        key: { case: "email", value: person.email.toUpperCase() },
        minAmount: "7",
      } as const;
      await sale.eligibility.importMembers({ saleUuid, members: [member] });
      expect(await limits()).toMatchObject({ custom: true, minAmount: "7", maxAmount: "900" });
      await sale.rule({ countries: ["DE"] });
      expect(await limits()).toMatchObject({ custom: false, minAmount: "0", maxAmount: "0" });
    });

    it("is for members only where there is no default group: by e-mail, entity or wallet", async () => {
      const sale = await bidSale(service());
      const { saleUuid } = sale;
      await sale.rule({ defaultGroupUuid: undefined as never });
      const people = [
        await bidder(service(), saleUuid),
        await bidder(service(), saleUuid),
        await bidder(service(), saleUuid),
      ];
      const [one, two, three] = people as [Bidder, Bidder, Bidder];
      const wallet = newWallet();
      for (const person of people) expect(await failureOf(saleUuid, person, wallet)).toBe("UNKNOWN");
      const members = [
        { groupUuid: GROUP_UUID, key: { case: "email", value: one.email } },
        { groupUuid: GROUP_UUID, key: { case: "saleSpecificEntityId", value: two.saleSpecificEntityId } },
        { groupUuid: GROUP_UUID, key: { case: "wallet", value: wallet } },
      ] satisfies MemberInit[];
      await sale.eligibility.importMembers({ saleUuid, members });
      expect(await failureOf(saleUuid, one)).toBe("UNSPECIFIED");
      expect(await failureOf(saleUuid, two)).toBe("UNSPECIFIED");
      expect(await failureOf(saleUuid, three, wallet)).toBe("UNSPECIFIED");
      expect(await failureOf(saleUuid, three)).toBe("UNKNOWN");
      expect(await listed(saleUuid, three)).toEqual(["NOT_ELIGIBLE"]);
    });
  },
  { identity },
);

it("is refused for the reasons, and in the order, that docs/taking-part.md has", () => {
  const documented = tableRows(readRepository("docs/taking-part.md"), "reason").map(([reason = ""]) => reason);
  expect(documented).toEqual(FAILURE_REASONS.map((reason) => `\`${reason}\``));
});

describeEntities("members that permits have bound", (service) => {
  const keys = deriveKeys(KEY_ENCRYPTION_KEY);
  const candidate = (email: string, entityUuid: string) => ({
    email,
    entityUuid,
    saleSpecificId: randomBytes(16),
    wallets: [],
  });
  const match = (saleUuid: string, email: string, entityUuid: string) =>
    matchMembers(service().database.query, keys, saleUuid, candidate(email, entityUuid));

  it("are one entity's for good, though e-mail addresses change and members are imported again", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage({ enabled: false }), expectedVersion: 0n });
    const members = [
      { groupUuid: GROUP_UUID, key: { case: "email", value: "anna@example.com" }, maxAmount: "9" } as const,
    ];
    await eligibility.importMembers({ saleUuid, members });
    const [first, second] = [randomUUID(), randomUUID()];
    const [found] = await match(saleUuid, "anna@example.com", first);
    expect(found).toMatchObject({ groupUuid: GROUP_UUID, maxAmount: 9n, binds: true });
    expect(await match(saleUuid, "anna@example.com", second)).toHaveLength(1);
    expect(found?.keyMac).toBe(hexOfBytes(memberKeyMac(keys, saleUuid, emailKey("anna@example.com"))));
    const bind = (entityUuid: string) =>
      service().database.write((transaction) => bindMembers(transaction, saleUuid, entityUuid, [found?.keyMac ?? ""]));
    await bind(first);
    await bind(first);
    expect(await match(saleUuid, "anna@example.com", second)).toEqual([]);
    expect(await match(saleUuid, "changed@example.com", first)).toEqual([found]);
    const listed = (await eligibility.listMembers({ saleUuid })).members;
    await eligibility.removeMembers({ saleUuid, memberUuids: listed.map(({ uuid }) => uuid) });
    expect(await match(saleUuid, "anna@example.com", first)).toEqual([]);
    await eligibility.importMembers({ saleUuid, members });
    expect(await match(saleUuid, "anna@example.com", second)).toEqual([]);
    expect(await match(saleUuid, "anna@example.com", first)).toEqual([found]);
    await expect(bind(second)).rejects.toSatisfy((error) => service().database.dialect.isDuplicateKey(error));
  });

  it("match wallets, proved ones with a binding and others without", async () => {
    const { saleUuid, eligibility } = await ownedSale(service(), "owner");
    await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage({ enabled: false }), expectedVersion: 0n });
    const wallets = [newWallet(), newWallet()];
    const members = wallets.map((value) => ({ groupUuid: GROUP_UUID, key: { case: "wallet", value } as const }));
    await eligibility.importMembers({ saleUuid, members });
    const given = wallets.map((wallet, index) => ({ bytes: bytesOfHex(wallet.slice(2)), proved: index === 0 }));
    const subject = { ...candidate("x@example.com", randomUUID()), wallets: given };
    const found = await matchMembers(service().database.query, keys, saleUuid, subject);
    expect(found.map(({ binds }) => binds).toSorted()).toEqual([false, true]);
    const elsewhere = await matchMembers(service().database.query, keys, randomUUID(), subject);
    expect(elsewhere).toEqual([]);
  });

  it("don't count by a linked wallet that is another entity's in the sale, unless it is the wallet for the permit", async () => {
    const { database } = service();
    const { query } = database;
    const [saleUuid, owner, other] = [randomUUID(), randomUUID(), randomUUID()];
    const wallet = { kind: "evm", bytes: randomBytes(20) } as const;
    const elsewhere = randomUUID();
    await database.write(async (transaction) => {
      for (const entityUuid of [owner, other]) await linkWallet(transaction, { entityUuid, wallet }, EVERY_CHAIN, 1n);
      await linkWallet(transaction, { entityUuid: elsewhere, wallet }, 10n, 1n);
    });
    const sale = { saleUuid, chainId: 8_453n };
    const walletsOf = async (entityUuid: string, wanted?: typeof wallet) =>
      (await readMemberWallets(query, sale, entityUuid, wanted)).map(({ proved }) => proved);
    // A smart account of another chain may be another person's on this one.
    expect(await walletsOf(elsewhere)).toEqual([]);
    expect(await walletsOf(owner)).toEqual([true]);
    expect(await walletsOf(other)).toEqual([true]);
    const binding = { sale: bytesOfHex(saleUuid), wallet: wallet.bytes, kind: wallet.kind, entity: bytesOfHex(owner) };
    const times = { proved_at_ms: 1n, bound_at_ms: 1n, permit_expires_at_ms: 1n };
    await query
      .insertInto("sale_wallet")
      .values({ ...binding, ...times })
      .execute();
    expect(await walletsOf(owner)).toEqual([true]);
    expect(await walletsOf(other)).toEqual([]);
    expect(await walletsOf(other, wallet)).toEqual([true]);
    expect(await walletsOf(randomUUID(), wallet)).toEqual([false]);
  });
});
