import { describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { RATE_LIMITS } from "./rate-limit.ts";
import { RateLimits } from "./rate-limits.ts";
import type { AuthDatabase } from "./schema.ts";

const ACCOUNT = "22222222-2222-4222-8222-222222222222";
const { count, windowMs } = RATE_LIMITS.change_account;

function processOf(database: AuthDatabase, clock: FakeClock, enabled = true): RateLimits {
  return new RateLimits({ database, clock: clock.now, counterKey: Buffer.alloc(32, 5), enabled });
}

/** Makes calls at the same time. @returns how many of them pass. */
async function passed(limits: RateLimits, tries: number, key = ACCOUNT): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: tries }, () => limits.take("change_account", key)));
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

describe("RateLimits", () => {
  it("lets as many calls pass as the limit says, and names the time to wait", async () => {
    const clock = new FakeClock();
    const limits = processOf(await openAuthDatabase(), clock);
    clock.advance(1_500);
    expect(await passed(limits, count + 30)).toBe(count);
    const error = await limits.take("change_account", ACCOUNT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "resource_exhausted", retryAfterSeconds: Number(windowMs) / 1_000 - 1 });
  });

  it("counts each key and each limit separately", async () => {
    const limits = processOf(await openAuthDatabase(), new FakeClock());
    await passed(limits, count);
    await limits.take("change_account", "33333333-3333-4333-8333-333333333333");
    await limits.take("authorize_account", ACCOUNT);
    await expect(limits.take("change_account", ACCOUNT)).rejects.toMatchObject({ code: "resource_exhausted" });
  });

  it("starts again with each window", async () => {
    const clock = new FakeClock();
    const limits = processOf(await openAuthDatabase(), clock);
    expect(await passed(limits, count + 1)).toBe(count);
    clock.advance(windowMs - 1n);
    expect(await passed(limits, 1)).toBe(0);
    clock.advance(1);
    expect(await passed(limits, count + 1)).toBe(count);
  });

  it("is one limit for all processes", async () => {
    const database = await openAuthDatabase();
    const clock = new FakeClock();
    const [one, other] = [processOf(database, clock), processOf(database, clock)];
    const both = await Promise.all([passed(one, count), passed(other, count)]);
    expect(both[0] + both[1]).toBe(count);
  });

  it("queries the database once a block, and never once a window is used up", async () => {
    const database = await openAuthDatabase();
    const writes = vi.spyOn(database, "write");
    const limits = processOf(database, new FakeClock());
    expect(await passed(limits, count + 30)).toBe(count);
    expect(writes).toHaveBeenCalledTimes(10);
  });

  it("counts all addresses of an IPv6 network together", async () => {
    const limits = processOf(await openAuthDatabase(), new FakeClock());
    const { count: allowed } = RATE_LIMITS.sign_in_address;
    for (let host = 1; host <= allowed; host += 1)
      await limits.take("sign_in_address", `2001:db8::${host.toString(16)}`);
    await expect(limits.take("sign_in_address", "2001:db8::ffff")).rejects.toMatchObject({
      code: "resource_exhausted",
    });
    await limits.take("sign_in_address", "2001:db8:0:1::1");
  });

  it("counts the networks of an IPv6 /48 together, as 16 of them", async () => {
    const limits = processOf(await openAuthDatabase(), new FakeClock());
    const { count: allowed } = RATE_LIMITS.sign_in_address;
    for (let call = 0; call < 16 * allowed; call += 1)
      await limits.take("sign_in_address", `2001:db8:1:${call.toString(16)}::1`);
    await expect(limits.take("sign_in_address", "2001:db8:1:ffff::1")).rejects.toMatchObject({
      code: "resource_exhausted",
    });
    await limits.take("sign_in_address", "2001:db8:2::1");
    await limits.take("sign_in_address", "192.0.2.7");
  });

  it("counts an address apart at each application where the limit is of one, and its /48 as well", async () => {
    const limits = processOf(await openAuthDatabase(), new FakeClock());
    const { count: allowed } = RATE_LIMITS.push_unauthenticated_address;
    const push = (address: string, clientUuid: string) =>
      limits.take("push_unauthenticated_address", address, clientUuid);
    for (let call = 0; call < 16 * allowed; call += 1) await push(`2001:db8:1:${call.toString(16)}::1`, "one");
    await expect(push("2001:db8:1:ffff::1", "one")).rejects.toMatchObject({ code: "resource_exhausted" });
    await push("2001:db8:1:ffff::1", "other");
  });

  it("counts nothing while it is off or for an unknown key, and keeps no address in the table", async () => {
    const database = await openAuthDatabase();
    expect(await passed(processOf(database, new FakeClock(), false), count + 1)).toBe(count + 1);
    expect(await passed(processOf(database, new FakeClock()), count + 1, "")).toBe(count + 1);
    expect(await database.query.selectFrom("rate_window").selectAll().execute()).toEqual([]);
    await processOf(database, new FakeClock()).take("sign_in_address", "192.0.2.7");
    const [row] = await database.query.selectFrom("rate_window").selectAll().execute();
    expect(row?.counter).toHaveLength(32);
  });
});
