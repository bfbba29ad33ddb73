import { resolve } from "node:path";
import { DEFAULT_BATCH } from "../../../common/contracts/reference/plan-files.ts";
import {
  CALLED_VERSION,
  type UnknownCalls,
  unknownCalls,
} from "../../../common/contracts/reference/settlement-files.ts";
import type { SourceLocation } from "../../../common/sale/definition/source-location.ts";
import { allocationsOf } from "../../../common/sale/settlement/allocations-of.ts";
import { listedBook } from "../../../common/sale/settlement/listed-book.ts";
import { figureDifferences } from "../../../common/sale/settlement/published-figures.ts";
import { type Settlement, settle } from "../../../common/sale/settlement/settle.ts";
import { CannotVerify } from "../../../common/verify/compare/cannot-verify.ts";
import { finalityProblem } from "../../../common/verify/final-position.ts";
import { referenceVersion } from "../../../common/verify/reference-version.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { CommandFailure, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { counted } from "../output/counted.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { nodeUrlsOf } from "../verify/contract-options.ts";
import { founderLists, LIST_FILES, remarksOf } from "./founder-lists.ts";
import { type WrittenPlan, writePlan } from "./plan-folder.ts";
import { readBook } from "./read-book.ts";

const BATCH = /^[1-9]\d{0,3}$/;

export const settlePlan: Command = {
  name: "settle plan",
  positionals: ["UUID"],
  summary: "work out what a sale accepts of whom, and write it as a plan with its hash",
  details: `Bidding and cancelling must have ended, the sale's contract must be read without a fault, and the block of the figures must be final by
the node of --rpc; a sale that isn't read from a contract needs no node. The rule is in docs/settlement.md. Nothing is sent, and no
key is needed. The folder has the plan, CSV files, the calls of a contract of version 2, also as files for a Safe, and the SHA-256 of each file.`,
  options: {
    output: { type: "string", value: "FOLDER", help: "write to this folder, which must not exist yet" },
    rpc: {
      type: "string",
      multiple: true,
      value: "URL",
      help: "a node of the sale's chain, best one that isn't the operator's; repeat it for nodes to ask if that one fails",
    },
    ...LIST_FILES,
    batch: { type: "string", value: "NUMBER", help: `the most allocations of a call; ${DEFAULT_BATCH} by default` },
  },
  async run(input, context) {
    const { output, errors, signal } = context;
    const [saleUuid = ""] = input.positionals;
    const [folder, batchSize] = [folderOf(input), batchSizeOf(input)];
    const { book: read, location, published, warning } = await readBook(saleUuid, context);
    if (warning !== "") await write(errors, `warning of the source: ${terminalText(warning)}\n`);
    await requireFinal(read.input.source, location, input, signal);
    const listed = listedBook(read, await founderLists(input));
    for (const remark of remarksOf(listed, input)) await write(errors, `${terminalText(remark)}\n`);
    const settlement = settle(listed.book);
    requirePublished(settlement, published);
    const noCalls = await noCallsReason(read.input.source, location, input, signal);
    const allocations = allocationsOf(settlement.commitments);
    const written = await writePlan(settlement, allocations, { folder, noCalls, batchSize, signal });
    await write(output, `${summaryText(settlement, allocations.length, written, noCalls)}\n\n${written.sums}`);
  },
};

function folderOf(input: CommandInput): string {
  const folder = input.text("output") ?? "";
  if (folder === "") throw new UsageError("--output is missing: the folder for the plan");
  // Without a slash at the end, after which the name of the unfinished folder would lie inside.
  return resolve(folder);
}

function batchSizeOf(input: CommandInput): number {
  const text = input.text("batch") ?? `${DEFAULT_BATCH}`;
  if (!BATCH.test(text)) throw new UsageError("--batch expects a whole number from 1 to 9999");
  return Number(text);
}

/** @throws CommandFailure if the block isn't final, or nobody can say it */
async function requireFinal(
  source: Settlement["book"]["input"]["source"],
  location: SourceLocation | undefined,
  input: CommandInput,
  signal: AbortSignal,
): Promise<void> {
  if (source === undefined || location === undefined) return;
  const { chainId, ...position } = source;
  const question = { family: location.family, position, nodes: nodeUrlsOf(input), signal };
  const problem = await finalityProblem({ ...question, ...(chainId !== undefined && { chainId }) }).catch(asProblem);
  if (problem !== undefined) throw new CommandFailure(`the sale can't be settled yet: ${terminalText(problem)}`);
}

/** Returns why no calls can be written, for people; undefined where they can. @throws CommandFailure if no node answers */
async function noCallsReason(
  source: Settlement["book"]["input"]["source"],
  location: SourceLocation | undefined,
  input: CommandInput,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (source === undefined || location === undefined) return "the sale isn't read from a contract";
  const { chainId, contract } = source;
  const { family, contractVersion: declared } = location;
  const question = { family, contract, nodes: nodeUrlsOf(input), signal };
  const version = await referenceVersion({
    ...question,
    ...(chainId !== undefined && { chainId }),
    ...(declared !== undefined && { declared }),
  }).catch((error: unknown) => {
    if (!(error instanceof CannotVerify)) throw error;
    throw new CommandFailure(`nobody says the version of its contract: ${terminalText(error.message)}`);
  });
  const unknown = unknownCalls(family, version);
  return unknown && CALLS_SENTENCES[unknown](version);
}

const KNOWN_CALLS = `they are known for version ${CALLED_VERSION} of the reference contract only`;
const CALLS_SENTENCES: Readonly<Record<UnknownCalls, (version: number | undefined) => string>> = {
  other_version: (version) => `the contract is of version ${version}, and ${KNOWN_CALLS}`,
  unknown_version: () => `neither the contract nor the sale's settings say its version, and ${KNOWN_CALLS}`,
  only_accounts: () =>
    "on Solana Tidemark knows the program's accounts, not its instructions; allocations.csv has what the accounts must hold",
};

/** Requires that a settlement begins with what the service publishes. @throws CommandFailure that names both figures */
function requirePublished(settlement: Settlement, published: CommitmentData): void {
  const wrong = figureDifferences(settlement, published);
  if (wrong.length === 0) return;
  const lines = wrong.map(({ figure, byRule, published: theirs }) => {
    return `${figure}: ${byRule} by the rule, ${theirs} by the service`;
  });
  throw new CommandFailure(["the plan doesn't fit the published figures:", ...lines].join("\n"));
}

function asProblem(error: unknown): string {
  if (error instanceof CannotVerify) return `nobody says whether its block is final: ${error.message}`;
  throw error;
}

function summaryText(
  { book, priceTicks, totals, commitments }: Settlement,
  allocations: number,
  written: WrittenPlan,
  noCalls: string | undefined,
): string {
  const { source, revision } = book.input;
  const { capacity = "unbounded", accepted, committed, tokens, roundingRemainder, divisionRemainder } = totals;
  const rows = [
    ["Revision", `${revision}`],
    ...(source === undefined ? [] : [["Block", `${source.height}${source.hash === "" ? "" : ` (0x${source.hash})`}`]]),
    ["Price", `${priceTicks} ticks`],
    ["Commitments", `${counted(BigInt(commitments.length), "commitment")}, ${committed} smallest payment units`],
    ["Capacity", `${capacity}`],
    ["Accepted", `${accepted}, for ${tokens} smallest offered units`],
    ["Remainders", `${roundingRemainder} of rounding, ${divisionRemainder} of division`],
    ["Lists", `${counted(BigInt(book.refusals.length), "refusal")}, ${counted(BigInt(book.limits.length), "limit")}`],
    ["Allocations", `${allocations}`],
    ["Calls", noCalls === undefined ? `${written.calls}` : `none: ${noCalls}`],
    ["SHA-256", written.hash],
  ];
  return alignColumns(rows);
}
