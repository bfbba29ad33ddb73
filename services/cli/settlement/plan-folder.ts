import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  PLAN_PATH,
  type PlanFile,
  planFiles,
  SUMS_PATH,
  sumLine,
} from "../../../common/contracts/reference/plan-files.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { Settlement } from "../../../common/sale/settlement/settle.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

/** Where a settlement is written, and for whom. */
export interface PlanTarget {
  /** A folder that doesn't exist yet. */
  readonly folder: string;
  /** Why no calls are written, for people; undefined where they are. */
  readonly noCalls: string | undefined;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** Result of writing a plan. */
export interface WrittenPlan {
  /** SHA-256 of the plan, hex. */
  readonly hash: string;
  /** The number of calls; 0 where none are written. */
  readonly calls: number;
  /** The content of `SHA256SUMS`: a line for each other file. */
  readonly sums: string;
}

/**
 * Writes a settlement as a folder that is either complete or absent: the plan, its tables, the calls of its contract, and the SHA-256
 * of each of these files.
 *
 * @throws CommandFailure if the folder exists or can't be written
 */
export async function writePlan(
  settlement: Settlement,
  allocations: readonly Allocation[],
  target: PlanTarget,
): Promise<WrittenPlan> {
  const { folder, noCalls, batchSize, signal } = target;
  const partial = `${folder}.partial`;
  // An earlier plan's calls would stand among those of this one.
  if (existsSync(folder)) throw new CommandFailure(`${folder} exists: --output must name a new folder`);
  await makeFolder(partial);
  try {
    const write = async (path: string, texts: Iterable<string>) => {
      const hash = createHash("sha256");
      await mkdir(dirname(join(partial, path)), { recursive: true });
      await writeWholeFile(join(partial, path), hashed(texts, hash), signal);
      return hash.digest("hex");
    };
    const written = await writeFiles(
      planFiles(settlement, allocations, { hasCalls: noCalls === undefined, batchSize }),
      write,
    );
    await rename(partial, folder);
    return written;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Writes a file of the folder. @returns its SHA-256, hex */
type Write = (path: string, texts: Iterable<string>) => Promise<string>;

async function writeFiles(files: AsyncIterable<PlanFile>, write: Write): Promise<WrittenPlan> {
  const sums = new Map<string, string>();
  let calls = 0;
  for await (const { path, texts, isCall } of files) {
    sums.set(path, await write(path, texts));
    if (isCall) calls += 1;
  }
  const lines = Array.from(sums, ([path, hash]) => sumLine(path, hash));
  await write(SUMS_PATH, lines);
  return { hash: sums.get(PLAN_PATH) ?? "", calls, sums: lines.join("") };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new CommandFailure(
        `${path} is left of a plan that wasn't finished: delete it, unless one is being written`,
      );
    }
    throw new CommandFailure(`--output: ${error instanceof Error ? error.message : error}`);
  }
}

async function* hashed(texts: Iterable<string>, hash: Hash): AsyncGenerator<string, void> {
  for (const text of texts) {
    hash.update(text);
    yield text;
  }
}
