import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AllocationFile } from "./allocation-file.ts";

const TOKEN = "0x1000000000000000000000000000000000000001";
const OTHER_TOKEN = "0x1000000000000000000000000000000000000002";
const WALLET = "0x00000000000000000000000000000000000000b1";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "allocations-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(...lines: readonly string[]) {
  const path = join(folder, "allocations.csv");
  await writeFile(path, ["entity_id,wallet,token,accepted", ...lines, ""].join("\n"));
  return new AllocationFile(path).check([TOKEN.toUpperCase().replace("0X", "0x")], new AbortController().signal);
}

/** @param entity its last digit */
function allocation(entity: number, accepted: string, token = TOKEN): string {
  return `0x${String(entity).padStart(32, "0")},${WALLET},${token},${accepted}`;
}

describe("a file of allocations", () => {
  it("is added up by token; those of zero aren't counted", async () => {
    const summary = await check(allocation(1, "5"), allocation(2, "0"), allocation(3, "7"));
    expect(summary).toMatchObject({ allocations: 2n, entities: 2n, totals: new Map([[TOKEN, 12n]]) });
  });

  it("may not have a token that the sale doesn't take", async () => {
    await expect(check(allocation(1, "5"), allocation(2, "5", OTHER_TOKEN))).rejects.toThrow(
      `line 3: the sale has no payment token "${OTHER_TOKEN}"`,
    );
  });

  it("may not name a wallet of an entity twice", async () => {
    await expect(check(allocation(1, "5"), allocation(1, "6"))).rejects.toThrow(
      "line 3: entity, wallet and token are those of line 2",
    );
  });

  it("must name its columns", async () => {
    const path = join(folder, "columns.csv");
    await writeFile(path, "entity,accepted\n1,2\n");
    const checked = new AllocationFile(path).check([TOKEN], new AbortController().signal);
    await expect(checked).rejects.toThrow(
      "line 1: the first line must name the columns entity_id, wallet, token, accepted",
    );
  });
});
