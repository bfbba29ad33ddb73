import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApplicationGrant } from "../authority/application-access.ts";
import type { RecentSale } from "../authority/recent-sales.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { insertKey, storeActivation } from "../permit-keys/permit-keys-store.ts";
import { storedKeySigner } from "../permit-keys/stored-key-signer.ts";
import { writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleRules, sampleSale } from "../testing/sample-rules.ts";
import type { PermitDependencies } from "./dependencies.ts";
import { PermitIssuer, type PermitRequest } from "./issue-permit.ts";
import { readPermits } from "./permits-store.ts";

const SALE = sampleSale({ saleUuid: randomUUID() });
const { saleUuid } = SALE;
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const permitSigner = storedKeySigner(derivedKeys.permitKeyWrap);

describe("a permit that is begun before auth has answered", () => {
  let database: EntitiesDatabase;
  let issuer: PermitIssuer;
  /** Transactions so far that have begun, and that have ended. */
  let begun = 0;
  let ended = 0;
  /** Whether the sale can be read. */
  let isReadable = true;

  beforeEach(async () => {
    database = await openEntitiesDatabase();
    [begun, ended] = [0, 0];
    isReadable = true;
    const read = async (): Promise<RecentSale> => {
      if (!isReadable) throw new Error("unreadable");
      return { sale: SALE, askedAtMs: 0 };
    };
    issuer = new PermitIssuer({
      ...{ database: countingDatabase(), derivedKeys, permitSigner, clock: () => 1_800_000_000_000n },
      recentSales: { read, isTrusted: () => true },
    } as unknown as PermitDependencies);
    const uuid = randomUUID();
    const made = await permitSigner.createKey(uuid, "evm");
    const key: PermitKey = { uuid, saleUuid, status: "next", kind: "evm", chain: "base", createdAtMs: 0n, ...made };
    await database.write(async (transaction) => {
      await insertKey(transaction, key);
      await storeActivation(transaction, key, 0n);
      await writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n);
    });
  });

  function countingDatabase(): EntitiesDatabase {
    const writeLocked: EntitiesDatabase["writeLocked"] = async (work) => {
      begun += 1;
      const result = await database.writeLocked(work);
      ended += 1;
      return result;
    };
    return new Proxy(database, {
      get: (target, name) => {
        if (name === "writeLocked") return writeLocked;
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  async function asker() {
    const given = { setupState: "complete", provider: "review", country: "DE" } as const;
    const stored = await storeEntity(database, given);
    const email = "a@example.com";
    const { publicUuid } = await ensureSaleEntity({ database, derivedKeys }, saleUuid, stored, email);
    const { accountUuid } = stored;
    const before: ApplicationGrant = { accountUuid, clientUuid: randomUUID(), saleUuid, email, scopes: new Set() };
    const wallet = `0x${randomUUID().replaceAll("-", "")}00000000`;
    const ask = (granted: PermitRequest["granted"]) => issuer.issue({ granted, before, publicUuid, wallet });
    return { before, ask };
  }

  const recorded = async () => (await readPermits(database.query, saleUuid, { after: "", size: 100 })).length;

  /** Turns the event loop until as many transactions have ended. */
  async function untilEnded(count: number) {
    while (ended < count) await setImmediate();
  }

  it("is issued again by what auth says, if that isn't the same as before", async () => {
    const { before, ask } = await asker();
    expect(await ask(Promise.resolve({ ...before, email: "b@example.com" }))).toHaveProperty("signature");
    expect([ended, await recorded()]).toEqual([2, 1]);
  });

  it("is refused as its token is, also where it couldn't be issued anyway", async () => {
    const { ask } = await asker();
    const revoked = Promise.reject(new Error("revoked"));
    await expect(ask(revoked)).rejects.toThrow("revoked");
    isReadable = false;
    await expect(ask(revoked)).rejects.toThrow("revoked");
    expect(await recorded()).toBe(0);
  });

  it("waits for auth where it answers late, and so do others then", async () => {
    const [first, second] = [await asker(), await asker()];
    const [late, next] = [Promise.withResolvers<ApplicationGrant>(), Promise.withResolvers<ApplicationGrant>()];
    const issuing = first.ask(late.promise);
    await untilEnded(1);
    expect(await recorded()).toBe(0);
    late.resolve(first.before);
    expect(await issuing).toHaveProperty("signature");
    const other = second.ask(next.promise);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(begun).toBe(2);
    next.resolve(second.before);
    expect(await other).toHaveProperty("signature");
    expect([ended, await recorded()]).toEqual([3, 2]);
  });
});
