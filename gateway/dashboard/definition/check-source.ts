import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import {
  decimalsProblems,
  refusedFindings,
  type SourceExpectation,
  type SourceProblem,
  sourceFindings,
  sourceProblems,
  type TokenFinding,
  tokenFindings,
} from "../../../common/sale/definition/source-findings.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
import { sourceProblemClause } from "../../../common/sale/words/source-problem.ts";
import { ChainKind, type CheckSourceResponse } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { CheckLimit } from "../base/check-limit.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { sentence } from "../base/form-errors.ts";
import { labelOf } from "./sale-form-values.ts";

/** A chain from which commitments can be read. */
export interface KnownChain {
  readonly name: string;
  readonly kind: "evm" | "svm";
}

/** The chains that commitments can be read from. */
export interface KnownChains {
  readonly chains: readonly KnownChain[];
  /** Reason why the chains aren't known; absent where they are. */
  readonly absence?: string;
}

/** The result of a contract's check. */
export interface SourceCheck {
  readonly state: "good" | "bad" | "unknown";
  readonly text: readonly string[];
}

/** Dependencies of checks. */
export interface SourceChecker {
  readonly indexer?: IndexerClient | undefined;
  readonly checkLimit: CheckLimit;
}

/** The contract to check, and the sale that it must belong to. */
export interface CheckedSource extends SourceExpectation {
  readonly chain: string;
  readonly address: string;
  /** Version whose stages the contract has; 0: as it says itself. */
  readonly contractVersion: number;
  /** The payment tokens whose decimals are compared with the chain; none where an entry's own check does it. */
  readonly decimals: readonly { readonly address: string; readonly decimals: number }[];
}

/** Deadline of a call, for which a user waits. */
const TIMEOUT_MS = 8_000;
const NO_INDEXER = "This installation has no indexer set up for checks: contracts can’t be checked here.";
const NO_CHAIN = "The operator of this installation has configured no chain yet.";
const AWAY = "The indexer doesn’t answer now: the contract can’t be checked at the moment.";
const BUSY = "Many contracts are being checked now. Please try again in a few seconds.";
const TOO_MANY = "You have checked many contracts: wait a minute, then check again. Everything else works meanwhile.";

/** Returns the chains that the operator has configured. Never fails. */
export async function knownChains(indexer: IndexerClient | undefined): Promise<KnownChains> {
  if (indexer === undefined) return { chains: [], absence: NO_INDEXER };
  try {
    const { chains } = await indexer.listChains({}, { timeoutMs: TIMEOUT_MS });
    if (chains.length === 0) return { chains: [], absence: NO_CHAIN };
    return { chains: chains.map(({ name, kind }) => ({ name, kind: kind === ChainKind.SVM ? "svm" : "evm" })) };
  } catch {
    return { chains: [], absence: AWAY };
  }
}

/** Checks a contract or an SVM sale account through the indexer, on behalf of an account. Never fails. */
export async function checkSource(
  { indexer, checkLimit }: SourceChecker,
  accountUuid: string,
  source: CheckedSource,
): Promise<SourceCheck> {
  const { chain, address, contractVersion } = source;
  if (indexer === undefined) return { state: "unknown", text: [NO_INDEXER] };
  if (chain === "" || address === "")
    return { state: "unknown", text: ["Enter chain and address to have them checked."] };
  if (!checkLimit.take(accountUuid)) return { state: "unknown", text: [TOO_MANY] };
  try {
    const request = { chain, address, contractVersion };
    const [found, tokens] = await Promise.all([
      indexer.checkSource(request, { timeoutMs: TIMEOUT_MS }),
      foundTokens(indexer, source).catch(() => undefined),
    ]);
    return checkOf(found, tokens, source);
  } catch (error) {
    const refusal = toServiceError(error);
    const refused = refusedFindings(refusal);
    if (refused !== undefined) return wrong(sourceProblems(source, refused));
    return { state: "unknown", text: [refusal?.code === "resource_exhausted" ? BUSY : AWAY] };
  }
}

/** Asks for the payment tokens whose decimals are known; none where they can't be asked for. */
async function foundTokens(
  indexer: IndexerClient,
  { chain, decimals }: CheckedSource,
): Promise<readonly TokenFinding[]> {
  const addresses = decimals.map(({ address }) => address);
  if (addresses.length === 0) return [];
  const { tokens } = await indexer.checkTokens({ chain, addresses }, { timeoutMs: TIMEOUT_MS });
  return tokenFindings(tokens);
}

/** @param tokens undefined where they can't be asked for now */
function checkOf(
  found: CheckSourceResponse,
  tokens: readonly TokenFinding[] | undefined,
  source: CheckedSource,
): SourceCheck {
  const problems = [
    ...sourceProblems(source, sourceFindings(found)),
    ...decimalsProblems(source.decimals, tokens ?? []),
  ];
  if (problems.length > 0) return wrong(problems);
  if (tokens === undefined) return { state: "unknown", text: [AWAY] };
  const { commitmentCount, stage, saleStage, height } = found;
  const commitments = commitmentCount === 1n ? "1 commitment" : `${commitmentCount.toLocaleString("en")} commitments`;
  const place = `${source.address.startsWith("0x") ? "block" : "slot"} ${height.toLocaleString("en")}`;
  const atStage = stage === undefined ? "" : `, stage: ${stageText(stageOf(saleStage))}`;
  return {
    state: "good",
    text: [`A sale that can be read: ${commitments}${atStage}, read at ${place}.`, ...found.problems.map(sentence)],
  };
}

function wrong(problems: readonly SourceProblem[]): SourceCheck {
  return { state: "bad", text: problems.map((problem) => sentence(sourceProblemClause(problem) + adviceOn(problem))) };
}

/** Returns the continuation of a sentence that says which entry to change; empty where the sentence says it. */
function adviceOn(problem: SourceProblem): string {
  if (problem.kind !== "cancelled_amounts") return "";
  const field = `“${labelOf("keeps_amounts")}”`;
  return problem.keeps ? `: tick ${field}` : `: remove the tick of ${field}`;
}
