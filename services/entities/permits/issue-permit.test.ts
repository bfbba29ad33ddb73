import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ApplicationAccessSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntitiesContext, RecentSale } from "../base/context.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { insertKey, storeActivation } from "../permit-keys/permit-keys-store.ts";
import { storedKeySigner } from "../permit-keys/stored-key-signer.ts";
import type { WalletRules } from "../rules/participation-rules.ts";
import { writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { PermitIssuer } from "./issue-permit.ts";
import { readPermits } from "./permits-store.ts";

const SALE = sampleSale({ saleUuid: randomUUID() });
const { saleUuid } = SALE;
const EMAIL = "a@example.com";
const NOW_MS = 1_800_000_000_000n;
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const storedKeys = storedKeySigner(derivedKeys.permitKeyWrap);

describe("the steps of a permit", () => {
  let database: EntitiesDatabase;
  let issuer: PermitIssuer;
  /** The steps that can be seen from outside, in their order. */
  let steps: string[];
  /** Tokens that auth knows, with their accounts. */
  let accounts: Map<string, string>;
  let asking: { auth: Promise<void>; screener: Promise<boolean>; signer: Promise<void> };
  let isRateExceeded: boolean;

  beforeEach(async () => {
    database = await openEntitiesDatabase();
    steps = [];
    accounts = new Map();
    asking = { auth: Promise.resolve(), screener: Promise.resolve(false), signer: Promise.resolve() };
    isRateExceeded = false;
    issuer = new PermitIssuer(context());
    await database.write((transaction) =>
      writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n),
    );
  });

  function context(): EntitiesContext {
    const checkAccess = async ({ accessTokens = [] }: { accessTokens?: string[] }) => {
      await asking.auth;
      steps.push("authorised");
      const accountUuid = accounts.get(accessTokens[0] ?? "");
      const access = { accountUuid: accountUuid ?? "", clientUuid: randomUUID(), saleUuid, email: EMAIL };
      const scopes = ["sale_eligibility_check"];
      return create(CheckAccessResponseSchema, {
        checks: [accountUuid === undefined ? {} : { access: { ...access, scopes } }],
      });
    };
    const take = async (limit: string) => {
      if (isRateExceeded) throw new ServiceError("resource_exhausted", "too many");
      steps.push(`counted ${limit}`);
    };
    const read = async (): Promise<RecentSale> => {
      steps.push("sale");
      return { sale: SALE, askedAtMs: 0 };
    };
    const isRisky = async () => {
      steps.push("screening");
      return asking.screener;
    };
    const sign = async () => {
      steps.push("remote signature");
      await asking.signer;
      return Uint8Array.of(7);
    };
    return {
      ...{ database: observedDatabase(), derivedKeys, clock: () => NOW_MS, permitRates: { take } },
      authorization: { checkAccess },
      recentSales: { read, isTrusted: () => true },
      permitSigner: { openKey: storedKeys.openKey, sign },
      walletScreener: { isRisky },
      screeningMetrics: { screenings: { inc: () => undefined } },
    } as unknown as EntitiesContext;
  }

  function observedDatabase(): EntitiesDatabase {
    const observed = {
      writeLocked: async (work: Parameters<EntitiesDatabase["writeLocked"]>[0]) => {
        steps.push("locked");
        const result = await database.writeLocked(work);
        steps.push("committed");
        return result;
      },
      read: (work: Parameters<EntitiesDatabase["read"]>[0]) => {
        steps.push("read");
        return database.read(work);
      },
    };
    return new Proxy(database, {
      get: (target, name) => {
        if (name === "writeLocked" || name === "read") return observed[name];
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  async function activateKey(remote: boolean): Promise<void> {
    const uuid = randomUUID();
    const created = { ...(await storedKeys.createKey(uuid, "evm")), remote };
    const key: PermitKey = { uuid, saleUuid, status: "next", kind: "evm", chain: "base", createdAtMs: 0n, ...created };
    await database.write(async (transaction) => {
      await insertKey(transaction, key);
      await storeActivation(transaction, key, 0n);
    });
  }

  async function screenWallets(given: Partial<WalletRules>): Promise<void> {
    const wallets = { ...sampleRules().wallets, ...given };
    await database.write((transaction) =>
      writeRules(transaction, saleUuid, { rules: sampleRules({ wallets }), expectedVersion: 1n }, 0n),
    );
  }

  /** Somebody whose token auth knows. @returns what asks for a permit */
  async function asker(): Promise<() => ReturnType<PermitIssuer["issue"]>> {
    const stored = await storeEntity(database, { setupState: "complete", provider: "review", country: "DE" });
    const { publicUuid } = await ensureSaleEntity(
      { database, derivedKeys, clock: () => NOW_MS },
      saleUuid,
      stored,
      EMAIL,
    );
    const accessToken = randomUUID();
    accounts.set(accessToken, stored.accountUuid);
    const wallet = `0x${randomUUID().replaceAll("-", "")}00000000`;
    const access = create(ApplicationAccessSchema, { accessToken });
    return () => issuer.issue({ access, saleUuid, publicUuid, wallet });
  }

  const recorded = async () => (await readPermits(database.query, saleUuid, { after: "", size: 100 })).length;
  const COUNTED = ["counted permit_account", "counted permit_sale"];

  it("come one after another, and nothing is begun before auth has answered", async () => {
    await activateKey(false);
    const ask = await asker();
    const auth = Promise.withResolvers<void>();
    asking.auth = auth.promise;
    const issuing = ask();
    // More event-loop ticks than all steps of a permit take.
    for (let tick = 0; tick < 1_000; tick += 1) await setImmediate();
    expect(steps).toEqual([]);
    auth.resolve();
    expect((await issuing).result).toMatchObject({ kind: "issued" });
    // The entity's IDs are read, and then the facts; the sale is read again for the transaction.
    expect(steps).toEqual(["authorised", ...COUNTED, "read", "sale", "read", "sale", "locked", "committed"]);
  });

  it("end where auth refuses the token, uncounted, whatever the rate", async () => {
    const ask = await asker();
    accounts.clear();
    for (const exceeded of [false, true]) {
      isRateExceeded = exceeded;
      await expect(ask()).rejects.toMatchObject({ code: "unauthenticated" });
    }
    expect(steps).toEqual(["authorised", "authorised"]);
  });

  it("end before the lock for a permit that is refused anyway", async () => {
    expect((await (await asker())()).result).toEqual({ kind: "refused", reason: "sale-not-active" });
    expect(steps).not.toContain("locked");
    expect(await recorded()).toBe(0);
  });

  it("ask outside only for those who need it, once, while no lock is held and others go on", async () => {
    await activateKey(true);
    await screenWallets({ screenerUrl: "https://screener.example" });
    const [slow, other] = [await asker(), await asker()];
    const screener = Promise.withResolvers<boolean>();
    asking.screener = screener.promise;
    const waiting = slow();
    await expect.poll(() => steps).toContain("screening");
    asking.screener = Promise.resolve(false);
    expect((await other()).result).toMatchObject({ kind: "issued", signature: Uint8Array.of(7) });
    expect(steps.filter((step) => step === "locked")).toHaveLength(1);
    expect(steps.lastIndexOf("remote signature")).toBeLessThan(steps.indexOf("locked"));
    screener.resolve(true);
    expect((await waiting).result).toEqual({ kind: "refused", reason: "wallet-risk" });
    expect(steps.filter((step) => step === "screening")).toHaveLength(2);
    expect(await recorded()).toBe(1);
  });

  it("hold no lock while a remote signer is slow, and use what it has signed", async () => {
    await activateKey(true);
    const [slow, other] = [await asker(), await asker()];
    const signer = Promise.withResolvers<void>();
    asking.signer = signer.promise;
    const waiting = slow();
    await expect.poll(() => steps).toContain("remote signature");
    asking.signer = Promise.resolve();
    expect((await other()).result).toMatchObject({ kind: "issued" });
    await screenWallets({ maxWalletsPerEntity: 3 });
    signer.resolve();
    expect((await waiting).result).toMatchObject({ kind: "issued" });
    expect(steps.filter((step) => step === "remote signature")).toHaveLength(2);
    expect(await recorded()).toBe(2);
  });

  it("are taken together by those who come while others are issued", async () => {
    await activateKey(false);
    const askers = await Promise.all(Array.from({ length: 30 }, asker));
    const results = await Promise.all(askers.map((ask) => ask()));
    expect(results.every(({ result }) => result.kind === "issued")).toBe(true);
    expect(steps.filter((step) => step === "locked").length).toBeLessThan(5);
    expect(await recorded()).toBe(30);
  });

  it("are begun anew as long as what a permit depends on changes, and at most four times", async () => {
    await activateKey(true);
    const ask = await asker();
    let amount = 0n;
    asking = {
      ...asking,
      get signer() {
        amount += 1n;
        return changeLimits(amount);
      },
    };
    await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
    expect([amount, await recorded()]).toEqual([4n, 0]);
  });

  async function changeLimits(maxAmount: bigint): Promise<void> {
    const [group] = sampleRules().groups;
    if (group === undefined) throw new Error("no group");
    const rules = sampleRules({ groups: [{ ...group, maxAmount }] });
    await database.write((transaction) => writeRules(transaction, saleUuid, { rules, expectedVersion: maxAmount }, 0n));
  }
});
