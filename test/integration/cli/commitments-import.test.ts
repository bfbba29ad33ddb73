import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendImport } from "../../../common/internal-api/send-import.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { ImportFile } from "../../../services/cli/commitments/commitment-file.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { openedSale, USDX } from "../../support/sales/sale-messages.ts";

/** More than two parts of a change set. */
const ROWS = 2_500;
const WALLET = `0x${"b1".repeat(20)}`;

describe("commitments import", () => {
  const key = generateCallerKey();
  let folder: TemporaryFolder;
  let service: CommitmentsProcess;
  let saleUuid: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
    saleUuid = await openedSale(service);
  });
  afterAll(async () => {
    await service?.process.kill();
    await folder?.remove();
  });

  const run = (...args: string[]) => runCliProcess(args, { COMMITMENTS_URL: service.url, CALLER_KEY: key.text });
  const hex = (number: number, bytes: number) => `0x${number.toString(16).padStart(2 * bytes, "0")}`;
  const lineOf = (number: number, amount = 7) =>
    `${hex(number, 16)},${WALLET},${USDX},${hex(number, 32)},2026-01-31T12:00:00Z,100,${amount}`;

  async function csvOf(lines: readonly string[]): Promise<string> {
    const path = join(folder.path, `${randomUUID()}.csv`);
    const header = "entity_id,wallet,token,commitment_id,created_at,price_ticks,amount";
    await writeFile(path, [header, ...lines, ""].join("\r\n"));
    return path;
  }

  async function figures() {
    const { data, revision } = await service.commitments.getCommitmentData({ saleUuid });
    return { count: data?.commitmentCount, total: data?.totalAmount, revision };
  }

  it("checks a file and changes nothing in a dry run, or if a line is wrong", async () => {
    const before = await figures();
    const path = await csvOf([lineOf(1), lineOf(2)]);
    expect(await run("commitments", "import", saleUuid, path, "--dry-run")).toEqual({
      code: 0,
      output: `2 commitments of 2 entities\n  ${USDX}: 0.000014\n`,
      errors: "",
    });
    const wrong = await csvOf([lineOf(1), lineOf(2).replace(USDX, "0xa9")]);
    expect(await run("commitments", "import", saleUuid, wrong)).toEqual({
      code: 1,
      output: "",
      errors: `${wrong}: line 3: the sale has no payment token "0xa9"\n`,
    });
    const refused = await csvOf([lineOf(1), lineOf(2).replace(WALLET, "0xb1")]);
    const { code, errors } = await run("commitments", "import", saleUuid, refused);
    expect([code, errors.startsWith(`${refused}: line 3: amounts[0].wallet: must be an EVM address`)]).toEqual([
      1,
      true,
    ]);
    expect(await figures()).toEqual(before);
  });

  it("imports a file once, as one revision, and reads back an export", async () => {
    const { revision } = await figures();
    const path = await csvOf(Array.from({ length: ROWS }, (_, index) => lineOf(index + 1)));
    const imported = await run("commitments", "import", saleUuid, path);
    expect(imported).toMatchObject({ code: 0, errors: "" });
    expect(imported.output).toMatch(new RegExp(`imported; revision ${revision + 1n}\n$`));
    expect(await figures()).toEqual({ count: BigInt(ROWS), total: `${7 * ROWS}`, revision: revision + 1n });

    const again = await run("commitments", "import", saleUuid, path);
    expect(again.output).toContain("was imported before: nothing changed");

    const exported = join(folder.path, "exported.csv");
    await run("sale", "export", saleUuid, "--output", exported);
    const other = await openedSale(service);
    expect(await run("commitments", "import", other, exported)).toMatchObject({ code: 0, errors: "" });
    const { data } = await service.commitments.getCommitmentData({ saleUuid: other });
    expect([data?.commitmentCount, data?.totalAmount]).toEqual([BigInt(ROWS), `${7 * ROWS}`]);
  });

  it("goes on where an import ended, and --again replaces what has changed since", async () => {
    const before = await figures();
    const path = await csvOf(Array.from({ length: ROWS }, (_, index) => lineOf(index + 1, 9)));
    const file = new ImportFile(path);
    const { digest } = await file.check([USDX], new AbortController().signal);
    const stop = new AbortController();
    const target = { commitments: service.commitments, saleUuid, importId: digest, signal: stop.signal };
    const interrupted = Array.fromAsync(sendImport(file.commitments(), target), () => stop.abort());
    await expect(interrupted).rejects.toThrow();
    expect((await figures()).total).toBe(before.total);
    expect(await run("commitments", "import", saleUuid, path)).toMatchObject({ code: 0, errors: "" });
    expect(await figures()).toMatchObject({ total: `${9 * ROWS}`, revision: before.revision + 1n });

    const one = await csvOf([lineOf(1, 5)]);
    await run("commitments", "import", saleUuid, one);
    const repeated = await run("commitments", "import", saleUuid, path, "--again");
    expect(repeated.output).toContain("imported; revision");
    expect((await figures()).total).toBe(`${9 * ROWS}`);
  });

  it("imports the JSON line of docs/operating.md", async () => {
    const documented = codeBlocks(readRepository("docs/operating.md"), "json").find(({ code }) =>
      code.includes("commitment_id"),
    );
    const path = join(folder.path, "documented.jsonl");
    const [token = ""] = /0x1000\w+/.exec(documented?.code ?? "") ?? [];
    await writeFile(path, JSON.stringify(JSON.parse(documented?.code ?? "")).replace(token, USDX));
    const uuid = await openedSale(service);
    expect(await run("commitments", "import", uuid, path)).toMatchObject({ code: 0, errors: "" });
    expect((await service.commitments.getCommitmentData({ saleUuid: uuid })).data?.totalAmount).toBe("2500000");
  });

  it("refuses a file that is missing, and a sale that is read from a contract", async () => {
    const missing = await run("commitments", "import", saleUuid, "/nowhere.csv");
    expect(missing).toMatchObject({ code: 1, output: "" });
    expect(missing.errors).toMatch(/^\/nowhere\.csv: ENOENT/);
    const args = ["--name=On a chain", `--token=${USDX}:6:usd`, "--price-tick=1/1000", "--price-ticks=1"];
    const contract = `0x${createHash("sha256").update("contract").digest("hex").slice(0, 40)}`;
    const created = await run("sale", "create", ...args, "--chain=local", `--contract=${contract}`);
    const refused = await run("commitments", "import", created.output.trim(), await csvOf([lineOf(1)]));
    expect(refused).toMatchObject({ code: 1, output: "" });
    expect(refused.errors).toContain("is read from its contract, so nothing can be imported");
  });

  it("sets the allocations of a settled sale from a file, all at once, and exports them", async () => {
    const settled = await openedSale(service);
    await service.sales.settleSale({ saleUuid: settled, confirmName: "Auction" });
    const unknown = await run("allocations", "export", settled);
    expect(unknown).toMatchObject({ code: 1, output: "", errors: "the sale's allocations aren't known (yet)\n" });
    const path = join(folder.path, "allocations.csv");
    const header = "entity_id,wallet,token,accepted";
    // In the order of an export, and more than two parts.
    const lines = Array.from({ length: ROWS }, (_, index) => `${hex(index + 1, 16)},${WALLET},${USDX},${index + 1}`);
    await writeFile(path, [header, ...lines, `${hex(ROWS + 1, 16)},${WALLET},${USDX},0`, ""].join("\r\n"));
    const summary = `2,500 allocations of 2,500 entities\n  ${USDX}: 3.126250\n`.replace("3.126250", "3.12625");
    expect(await run("allocations", "import", settled, path, "--dry-run")).toEqual({
      code: 0,
      output: summary,
      errors: "",
    });
    const { revision } = await service.commitments.getCommitmentData({ saleUuid: settled });
    const imported = await run("allocations", "import", settled, path);
    expect(imported).toEqual({ code: 0, output: `${summary}imported; revision ${revision + 1n}\n`, errors: "" });
    expect((await run("allocations", "import", settled, path)).output).toContain("imported before: nothing changed");
    const exported = await run("allocations", "export", settled);
    expect(exported.output).toBe([header, ...lines, ""].join("\r\n"));
    const twice = join(folder.path, "twice.csv");
    await writeFile(
      twice,
      [header, lines[0], lines[0]?.replace(WALLET, WALLET.toUpperCase().replace("0X", "0x"))].join("\n"),
    );
    expect((await run("allocations", "import", settled, twice)).errors).toBe(
      `${twice}: line 3: entity, wallet and token are those of line 2\n`,
    );
  });
});
