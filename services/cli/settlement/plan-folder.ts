import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { settlementFiles } from "../../../common/contracts/reference/settlement-files.ts";
import type { SourceLocation } from "../../../common/sale/definition/source-location.ts";
import { allocationsOf } from "../../../common/sale/settlement/allocations-of.ts";
import type { Settlement } from "../../../common/sale/settlement/settle.ts";
import { allocationTexts, settlementTexts } from "../../../common/sale/settlement/settlement-csv.ts";
import { planTexts } from "../../../common/sale/settlement/settlement-json.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { writeWholeFile } from "../output/write-whole-file.ts";

/** Where a settlement is written, and for whom. */
export interface PlanTarget {
  /** A folder that doesn't exist yet. */
  readonly folder: string;
  readonly location: SourceLocation | undefined;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** Result of writing a plan. */
export interface WrittenPlan {
  /** SHA-256 of the plan, hex. */
  readonly hash: string;
  readonly allocations: number;
  /** The number of calls; 0 where no calls are known for the sale. */
  readonly calls: number;
}

/**
 * Writes a settlement as a folder that is either complete or absent: the plan, its tables, and the calls of its contract.
 *
 * @throws CommandFailure if the folder exists or can't be written
 */
export async function writePlan(settlement: Settlement, target: PlanTarget): Promise<WrittenPlan> {
  const { folder, signal } = target;
  const partial = `${folder}.partial`;
  // An earlier plan's calls would stand among those of this one.
  if (existsSync(folder)) throw new CommandFailure(`${folder} exists: --output must name a new folder`);
  await makeFolder(partial);
  try {
    const write = async (path: string, texts: Iterable<string>) => {
      await mkdir(dirname(join(partial, path)), { recursive: true });
      await writeWholeFile(join(partial, path), asyncOf(texts), signal);
    };
    const written = await writeFiles(settlement, target, write);
    await rename(partial, folder);
    return written;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeFiles(
  settlement: Settlement,
  { location, batchSize }: PlanTarget,
  write: (path: string, texts: Iterable<string>) => Promise<void>,
): Promise<WrittenPlan> {
  const hash = createHash("sha256");
  await write(
    "plan.json",
    hashed(planTexts(settlement), (text) => hash.update(text)),
  );
  const allocations = allocationsOf(settlement.commitments);
  await write("allocations.csv", allocationTexts(allocations));
  await write("settlement.csv", settlementTexts(settlement));
  const { source } = settlement.book.input;
  let files = 0;
  if (location !== undefined && source !== undefined) {
    const { contract, chainId } = source;
    const calls = {
      family: location.family,
      contract,
      allocations,
      batchSize,
      ...(chainId !== undefined && { chainId }),
    };
    for await (const { path, texts } of settlementFiles(calls)) {
      await write(path, texts);
      files += 1;
    }
  }
  // The last file is the list of the others.
  return { hash: hash.digest("hex"), allocations: allocations.length, calls: Math.max(0, files - 1) };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      throw new CommandFailure(`${path} is left of a plan that wasn't finished: delete it, unless one is being written`);
    }
    throw new CommandFailure(`--output: ${error instanceof Error ? error.message : error}`);
  }
}

function* hashed(texts: Iterable<string>, onText: (text: string) => void): Generator<string, void> {
  for (const text of texts) {
    onText(text);
    yield text;
  }
}

async function* asyncOf(texts: Iterable<string>): AsyncGenerator<string, void> {
  yield* texts;
}
