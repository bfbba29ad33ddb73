import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { EntitiesDatabase } from "../base/schema.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { PERMIT_LIMITS, permitRates } from "./permit-rates.ts";

const COUNTER_KEY = randomBytes(32);
const { count, windowMs } = PERMIT_LIMITS.permit_account;

describe("the rate limits of permits", () => {
  let database: EntitiesDatabase;
  let nowMs: bigint;
  beforeEach(async () => {
    database = await openEntitiesDatabase();
    nowMs = windowMs;
  });

  /** A process of its own, whose transactions are counted. */
  function newProcess() {
    const seen = { transactions: 0 };
    const write: EntitiesDatabase["write"] = (work) => {
      seen.transactions += 1;
      return database.write(work);
    };
    const counted = { dialect: database.dialect, write } as EntitiesDatabase;
    return { seen, rates: permitRates({ database: counted, clock: () => nowMs, counterKey: COUNTER_KEY }) };
  }
  const passed = (results: readonly PromiseSettledResult<void>[]) =>
    results.filter(({ status }) => status === "fulfilled").length;

  it("take the blocks of many accounts in one transaction", async () => {
    const { seen, rates } = newProcess();
    await Promise.all(Array.from({ length: 50 }, () => rates.take("permit_account", randomUUID())));
    expect(seen.transactions).toBe(1);
  });

  it("count each account by itself, exactly, in processes that ask at once, and anew in the next window", async () => {
    const processes = [newProcess().rates, newProcess().rates];
    const accounts = [randomUUID(), randomUUID()];
    const ask = (account: string) =>
      Promise.allSettled(
        Array.from({ length: count + 100 }, (_, number) => processes[number % 2]?.take("permit_account", account)),
      ) as Promise<readonly PromiseSettledResult<void>[]>;
    const results = await Promise.all(accounts.map(ask));
    expect(results.map(passed)).toEqual([count, count]);
    const refused = results[0]?.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "resource_exhausted" } });
    nowMs += windowMs;
    expect((await Promise.all(accounts.map(ask))).map(passed)).toEqual([count, count]);
  });
});
