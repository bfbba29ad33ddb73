import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PartAnswer } from "../../../common/internal-api/send-list.ts";
import { readWallets } from "../../../common/sale/csv/wallet-list.ts";
import { type TemporaryFolder, temporaryFolder } from "../../../test/support/processes/temporary-folder.ts";
import { CommandFailure, Interrupted } from "../base/cli-error.ts";
import { importList } from "./import-list.ts";

const BAD = "bad";

/** A service that refuses the row `bad`, and stores others once. */
class Store {
  readonly rows = new Set<string>();
  readonly parts: { readonly size: number; readonly dryRun: boolean }[] = [];
  /** Thrown by the next calls, one by one. */
  failures: Error[] = [];

  async send(rows: readonly string[], dryRun: boolean): Promise<PartAnswer> {
    this.parts.push({ size: rows.length, dryRun });
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const problems = rows.flatMap((row, index) =>
      row === BAD ? [{ row: index, field: "wallet", message: "is no address" }] : [],
    );
    const stored = rows.filter((row) => row !== BAD && !this.rows.has(row));
    if (!dryRun) for (const row of stored) this.rows.add(row);
    return { stored: stored.length, unchanged: rows.length - stored.length - problems.length, problems };
  }
}

describe("importList", () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  async function fileOf(...lines: readonly string[]): Promise<string> {
    const path = join(folder.path, "list.csv");
    await writeFile(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  }

  async function run(store: Store, path: string, flags: readonly string[] = [], signal = new AbortController().signal) {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const input = {
      positionals: [],
      text: () => undefined,
      texts: () => [],
      flag: (name: string) => flags.includes(name),
    };
    const list = {
      path,
      read: walletLines,
      send: (rows: readonly string[], dryRun: boolean) => store.send(rows, dryRun),
    };
    const failure = await importList(list, input, { output, errors, signal }).then(
      () => undefined,
      (error: Error) => error,
    );
    output.end();
    errors.end();
    return { failure, output: await text(output), errors: await text(errors) };
  }

  it("checks all lines before it stores the first, in parts", async () => {
    const store = new Store();
    const path = await fileOf(...Array.from({ length: 600 }, (_, index) => `w${index}`));
    expect(await run(store, path)).toEqual({
      failure: undefined,
      output:
        "600 lines: 600 changes, 0 as they were, 0 refused\ndone: 600 lines: 600 changes, 0 as they were, 0 refused\n",
      errors: "",
    });
    expect(store.parts).toEqual([
      { size: 500, dryRun: true },
      { size: 100, dryRun: true },
      { size: 500, dryRun: false },
      { size: 100, dryRun: false },
    ]);
    expect((await run(store, path)).output).toBe("600 lines: 0 changes, 600 as they were, 0 refused\n");
  });

  it("changes nothing in a dry run", async () => {
    const store = new Store();
    const { failure, output } = await run(store, await fileOf("a"), ["dry-run"]);
    expect([failure, output, store.rows.size]).toEqual([undefined, "1 line: 1 change, 0 as they were, 0 refused\n", 0]);
  });

  it("stores nothing if a line is refused, and names it", async () => {
    const store = new Store();
    const path = await fileOf("wallet", "a", BAD, "x".repeat(65));
    const { failure, output } = await run(store, path);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect(failure?.message).toBe(
      `${path}: line 3: wallet: is no address\n${path}: line 4: wallet: must have at most 64 characters\nnothing was changed`,
    );
    expect([output, store.rows.size]).toEqual(["3 lines: 1 change, 0 as they were, 2 refused\n", 0]);
  });

  it("stores the other lines with --skip-refused", async () => {
    const store = new Store();
    const path = await fileOf("a", BAD, "b");
    const { failure, errors } = await run(store, path, ["skip-refused"]);
    expect([failure, errors, [...store.rows]]).toEqual([
      undefined,
      `${path}: line 2: wallet: is no address\n`,
      ["a", "b"],
    ]);
  });

  it("sends a part again whose outcome is unknown, and no other", async () => {
    const store = new Store();
    store.failures = [new ConnectError("away", Code.Unavailable)];
    expect((await run(store, await fileOf("a"))).failure).toBeUndefined();
    expect(store.parts).toHaveLength(3);
    store.failures = [new ConnectError("no", Code.NotFound)];
    expect((await run(store, await fileOf("a"))).failure?.message).toContain("no");
    expect(store.parts).toHaveLength(4);
  });

  it("says that an interrupted import can go on", async () => {
    const stop = new AbortController();
    stop.abort();
    const { failure } = await run(new Store(), await fileOf("a"), [], stop.signal);
    expect(failure).toBeInstanceOf(Interrupted);
  });

  it.each([
    ["/nowhere.csv", /^\/nowhere\.csv: ENOENT/],
    ["", /^.*list\.csv: the file is empty$/],
  ])("names the file %j that can't be read", async (name, message) => {
    const path = name === "" ? await fileOf() : name;
    const { failure } = await run(new Store(), path);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect(failure?.message).toMatch(message);
  });
});

async function* walletLines(chunks: AsyncIterable<Uint8Array>) {
  for await (const line of readWallets(chunks)) yield "wallet" in line ? { line: line.line, row: line.wallet } : line;
}
