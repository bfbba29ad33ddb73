import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { GetSignerResponseSchema } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { silentLogger } from "../../testing/gateway-parts.ts";
import { SaleSigners } from "./sale-signers.ts";

const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";
const OTHER = "abcdefab-cdef-4bcd-8fab-cdefabcdef00";

/** Signers around an entities service whose answers tests decide. */
function signersOf({ maxSales = 10, maxLoads = 10, waitMs = 60_000 } = {}) {
  const world = { now: 0, address: "0xAb", isDown: false, asked: [] as string[], opened: Promise.resolve() };
  const getSigner = async ({ saleUuid = "" }) => {
    world.asked.push(saleUuid);
    const { address } = world;
    await world.opened;
    if (world.isDown) throw new ConnectError("down", Code.Unavailable);
    return create(GetSignerResponseSchema, { address });
  };
  const options = { timeoutMs: 1_000, maxSales, maxLoads, waitMs, now: () => world.now, logger: silentLogger };
  return { world, signers: new SaleSigners({ client: { getSigner }, ...options }) };
}

describe("SaleSigners", () => {
  it("know a signer once it was asked for, lower case on EVM and as it is on Solana", async () => {
    const { world, signers } = signersOf();
    expect(signers.get(SALE)).toBeUndefined();
    await signers.ready(SALE);
    expect(signers.get(SALE)).toBe("0xab");
    world.address = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
    await signers.ready(OTHER);
    expect(signers.get(OTHER)).toBe(world.address);
    expect(world.asked).toEqual([SALE, OTHER]);
  });

  it("ask again after ten seconds, in the background", async () => {
    const { world, signers } = signersOf();
    await signers.ready(SALE);
    world.address = "0xcd";
    world.now = 10_000;
    expect(signers.get(SALE)).toBe("0xab");
    world.now = 10_001;
    expect(signers.get(SALE)).toBe("0xab");
    expect(signers.get(SALE)).toBe("0xab");
    await new Promise(setImmediate);
    expect(signers.get(SALE)).toBe("0xcd");
    expect(world.asked).toHaveLength(2);
  });

  it("are the present ones for a reader after a time without readers, and only then waited for again", async () => {
    const { world, signers } = signersOf();
    await signers.ready(SALE);
    world.address = "0xcd";
    world.now = 60_000;
    await signers.ready(SALE);
    expect(world.asked).toHaveLength(1);
    world.now = 60_001;
    await signers.ready(SALE);
    expect(signers.get(SALE)).toBe("0xcd");
    expect(world.asked).toHaveLength(2);
  });

  it("keep the one before while the entities service fails, and none without one", async () => {
    const { world, signers } = signersOf();
    await signers.ready(SALE);
    world.isDown = true;
    world.now = 20_000;
    signers.get(SALE);
    await signers.ready(OTHER);
    expect([signers.get(SALE), signers.get(OTHER)]).toEqual(["0xab", ""]);
    world.isDown = false;
    world.now = 40_000;
    signers.get(OTHER);
    await new Promise(setImmediate);
    expect(signers.get(OTHER)).toBe("0xab");
  });

  it("hold a bounded number, and ask for a bounded number at once", async () => {
    const { world, signers } = signersOf({ maxSales: 1, maxLoads: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    world.opened = promise;
    const first = signers.ready(SALE);
    await signers.ready(OTHER);
    expect(signers.get(OTHER)).toBe("");
    resolve();
    await first;
    expect(world.asked).toEqual([SALE]);
    await signers.ready(OTHER);
    expect(signers.get(SALE)).toBeUndefined();
    expect(signers.get(OTHER)).toBe("0xab");
  });

  it("are none while the entities service is slow, and what it says once it answers", async () => {
    const { world, signers } = signersOf({ waitMs: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    world.opened = promise;
    await signers.ready(SALE);
    expect(signers.get(SALE)).toBe("");
    resolve();
    await expect.poll(() => signers.get(SALE)).toBe("0xab");
    expect(world.asked).toEqual([SALE]);
  });

  it("are none where nobody takes part through the gateway", () => {
    const options = { timeoutMs: 1_000, maxSales: 1, maxLoads: 1, now: () => 0, logger: silentLogger };
    expect(new SaleSigners(options).get(SALE)).toBe("");
  });
});
