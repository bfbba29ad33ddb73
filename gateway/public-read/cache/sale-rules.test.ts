import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { GetPublicRulesResponseSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { silentLogger } from "../../testing/gateway-parts.ts";
import { SaleRules } from "./sale-rules.ts";

const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";
const WALL_CLOCK = 1_800_000_000_000;

/** Rules around an entities service whose answers tests decide. */
function rulesOf(maxBytes?: number) {
  const world = { now: 0, rules: { maxWalletsPerEntity: 1 } as object | undefined, isDown: false, asked: 0 };
  const getPublicRules = async () => {
    world.asked++;
    if (world.isDown) throw new ConnectError("down", Code.Unavailable);
    return create(GetPublicRulesResponseSchema, world.rules && { rules: world.rules });
  };
  const bounds = { timeoutMs: 1_000, maxSales: 10, maxLoads: 10, now: () => world.now, logger: silentLogger };
  const rules = new SaleRules({
    client: { getPublicRules },
    wallClock: () => WALL_CLOCK + world.now,
    ...bounds,
    ...(maxBytes && { maxBytes }),
  });
  /** Returns what a reader gets at a time, once the call that it causes has ended. */
  const at = async (now: number) => {
    world.now = now;
    rules.get(SALE);
    await new Promise(setImmediate);
    return rules.get(SALE);
  };
  return { world, rules, at };
}

describe("the rules of a sale for everybody", () => {
  it("are there after a reader who didn't wait for them, and asked for again after ten seconds", async () => {
    const { world, rules, at } = rulesOf();
    expect(rules.get(SALE)).toBeUndefined();
    expect((await at(0))?.rules.maxWalletsPerEntity).toBe(1);
    await at(10_000);
    expect(world.asked).toBe(1);
    world.rules = { maxWalletsPerEntity: 2 };
    expect((await at(10_001))?.rules.maxWalletsPerEntity).toBe(2);
  });

  it("are the current ones for a reader who waits, also after a time without readers", async () => {
    const { world, rules, at } = rulesOf();
    await at(0);
    world.now = 1_800_000;
    world.rules = undefined;
    await rules.current(SALE);
    expect(rules.get(SALE)).toBeUndefined();
    await rules.current(SALE);
    expect(world.asked).toBe(2);
  });

  it("stay for a reader who waits while the entities service fails, which isn't asked again at once", async () => {
    const { world, rules, at } = rulesOf();
    await at(0);
    world.now = 1_800_000;
    world.isDown = true;
    for (let readers = 0; readers < 3; readers++) await rules.current(SALE);
    expect(rules.get(SALE)).toHaveProperty("readAt", WALL_CLOCK);
    expect(world.asked).toBe(2);
  });

  it("are gone once their founder takes them back", async () => {
    const { world, at } = rulesOf();
    await at(0);
    world.rules = undefined;
    expect(await at(20_000)).toBeUndefined();
  });

  it("say when they were read while the entities service fails, and are left out after an hour", async () => {
    const { world, at } = rulesOf();
    await at(5_000);
    world.isDown = true;
    expect(await at(65_000)).not.toHaveProperty("readAt");
    expect(await at(65_001)).toHaveProperty("readAt", WALL_CLOCK + 5_000);
    expect(await at(3_605_000)).toHaveProperty("readAt", WALL_CLOCK + 5_000);
    expect(await at(3_605_001)).toBeUndefined();
    world.isDown = false;
    expect(await at(3_620_000)).toEqual({ rules: expect.anything() });
  });

  it("hold a bounded number of bytes", async () => {
    const { world, rules } = rulesOf(1_000_000);
    const sales = ["00", "01", "02", "03"].map((end) => SALE.slice(0, -2) + end);
    const known = async (groupName: string) => {
      world.now += 10_001;
      world.rules = { defaultGroupName: groupName };
      for (const sale of sales) await rules.current(sale);
      return sales.filter((sale) => rules.get(sale)?.rules.defaultGroupName === groupName).length;
    };
    expect(await known("a".repeat(100))).toBe(4);
    expect(await known("a".repeat(100_000))).toBe(2);
  });

  it("are none while the first call fails, and where nobody takes part through the gateway", async () => {
    const { world, at } = rulesOf();
    world.isDown = true;
    expect(await at(0)).toBeUndefined();
    const options = { timeoutMs: 1_000, maxSales: 1, maxLoads: 1, now: () => 0, wallClock: () => 0 };
    expect(new SaleRules({ ...options, logger: silentLogger }).get(SALE)).toBeUndefined();
  });
});
