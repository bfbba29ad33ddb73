import type { IncomingMessage } from "node:http";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ListWalletAllocationsResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { silentLogger } from "../../testing/gateway-parts.ts";
import { AllocationReads } from "./allocation-reads.ts";

const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";

/** Reads whose files tests write: each takes its first part at once, and then as its test says. */
function filesOf() {
  const world = { now: 0, nextPageToken: "a" };
  const client = {
    listWalletAllocations: async () =>
      create(ListWalletAllocationsResponseSchema, { nextPageToken: world.nextPageToken }),
  };
  const reads = new AllocationReads({
    ...{ client, maxReads: 1, maxReadsPerAddress: 1, timeoutMs: 1_000, now: () => world.now, logger: silentLogger },
    addressOf: ({ url = "" }) => url,
    counters: { allocationLists: 0, allocationListFailures: 0 },
  });
  /** Begins a file for an address. @returns how to take its next part, and how it ended */
  const begin = async (address: string) => {
    const begun = Promise.withResolvers<() => Promise<unknown>>();
    const ended = reads
      .file(SALE, { url: address } as IncomingMessage, async (_, parts, signal) => {
        const aborted = new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
        await parts.next();
        begun.resolve(() => parts.next());
        await aborted;
      })
      .then(
        () => "whole",
        (error: unknown) => (error as Error).name,
      );
    return { take: await Promise.race([begun.promise, ended.then((name) => Promise.reject(new Error(name)))]), ended };
  };
  return { world, begin };
}

const addresses = Array.from({ length: 16 }, (_, index) => `192.0.2.${index}`);
const places = addresses.flatMap((address) => [address, address]);

it("a file makes room for another one where all places are taken and its reader is the slowest", async () => {
  const { world, begin } = filesOf();
  const files = [];
  for (const address of places) files.push(await begin(address));
  world.now = 1;
  await Promise.all(files.slice(1).map(({ take }) => take()));
  world.now = 5_002;
  await begin("198.51.100.1");
  expect(await files[0]?.ended).toBe("AbortError");
  await expect(begin("198.51.100.2")).resolves.toBeDefined();
  expect(await files[1]?.ended).toBe("AbortError");
});

it("a reader who is slow with the last part doesn't keep the place either", async () => {
  const { world, begin } = filesOf();
  world.nextPageToken = "";
  const files = [];
  for (const address of places) files.push(await begin(address));
  await files[3]?.take();
  world.now = 5_001;
  await begin("198.51.100.1");
  expect(await files[0]?.ended).toBe("AbortError");
  await begin("198.51.100.2");
  await begin("198.51.100.3");
  await begin("198.51.100.4");
  expect(await files[3]?.ended).toBe("AbortError");
});

it("files whose readers take them keep their places, and one without room is refused", async () => {
  const { world, begin } = filesOf();
  const files = [];
  for (const address of places) files.push(await begin(address));
  world.now = 4_999;
  await expect(begin("198.51.100.1")).rejects.toThrow();
  await Promise.all(files.map(({ take }) => take()));
  world.now = 9_000;
  await expect(begin("198.51.100.1")).rejects.toThrow();
});

it("an address that has as many files as it may ends nobody else's", async () => {
  const { world, begin } = filesOf();
  const files = [];
  for (const address of places) files.push(await begin(address));
  world.now = 60_000;
  await expect(begin(addresses[15] ?? "")).rejects.toThrow();
  const ended = await Promise.race([Promise.all(files.map((file) => file.ended)), Promise.resolve("none")]);
  expect(ended).toBe("none");
});

it("a slow file keeps its place where there is room", async () => {
  const { world, begin } = filesOf();
  const slow = await begin("192.0.2.1");
  world.now = 300_000;
  await begin("192.0.2.2");
  expect(await Promise.race([slow.ended, Promise.resolve("under way")])).toBe("under way");
});
