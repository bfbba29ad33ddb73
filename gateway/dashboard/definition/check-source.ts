import { addressFamily } from "../../../common/chains/addresses.ts";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { familyOfKind } from "../../../common/sale/definition/chain-kind.ts";
import { contractFamilyMessage } from "../../../common/sale/definition/contract-family.ts";
import {
  decimalsProblems,
  NO_ADDRESS_FINDINGS,
  refusedFindings,
  type SourceExpectation,
  type SourceProblem,
  sourceFindings,
  sourceProblems,
  type TokenFinding,
  tokenFindings,
} from "../../../common/sale/definition/source-findings.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import { sourceProblemIn } from "../../../common/sale/words/source-problem.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuctionFacts, CheckSourceResponse } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import type { CheckLimit } from "../base/check-limit.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { sentence } from "../base/form-errors.ts";
import { type SaidText, saidByService } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import { labelOf } from "./sale-form-values.ts";

/** A chain from which commitments can be read. */
export interface KnownChain {
  readonly name: string;
  readonly kind: ChainFamily;
}

/** The chains that commitments can be read from. */
export interface KnownChains {
  readonly chains: readonly KnownChain[];
  /** Reason why the chains aren't known; absent where they are. */
  readonly absence?: string;
}

/**
 * The facts of a contract that a sale's form shows or asks for. A contract of the reference family stores bids with their prices, but
 * neither the rule of the price nor how many tokens are on offer.
 */
export interface ContractFacts {
  /** The tokens that it takes; empty if it doesn't say. */
  readonly paymentTokens: readonly string[];
  /** Whether cancelled commitments keep their amounts in it; undefined if its version isn't known. */
  readonly keepsAmounts: boolean | undefined;
  /** Its major version; 0 if it doesn't say. */
  readonly version: number;
  /** The most wallets with which one bidder may bid; undefined if it doesn't say. */
  readonly maxWallets: number | undefined;
  /** The terms of an auction that states them, and the settings that follow from them; absent for other contracts. */
  readonly stated?: StatedTerms | undefined;
}

/** The terms that an auction's contract states. */
export interface StatedTerms {
  readonly auction: AuctionFacts;
  /** Undefined where something of them can't be read. */
  readonly definition: SaleDefinition | undefined;
}

/** The result of a contract's check. */
export interface SourceCheck {
  readonly state: "good" | "bad" | "unknown";
  readonly text: readonly SaidText[];
  /** Absent where the contract can't be read. */
  readonly facts?: ContractFacts;
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
  /** Whether the sale's settings will be those of the contract's family, whichever it is. */
  readonly takesFamily?: boolean;
}

/** Deadline of a call, for which a user waits. */
const TIMEOUT_MS = 8_000;

/** Returns the chains that the operator has configured. Never fails. */
export async function knownChains(indexer: IndexerClient | undefined): Promise<KnownChains> {
  if (indexer === undefined) return { chains: [], absence: texts().check.noIndexer };
  try {
    const { chains } = await indexer.listChains({}, { timeoutMs: TIMEOUT_MS });
    if (chains.length === 0) return { chains: [], absence: texts().check.noChain };
    return { chains: chains.map(({ name, kind }) => ({ name, kind: familyOfKind(kind) })) };
  } catch {
    return { chains: [], absence: texts().check.away };
  }
}

/** Checks a contract or a sale account through the indexer, on behalf of an account. Never fails. */
export async function checkSource(
  { indexer, checkLimit }: SourceChecker,
  accountUuid: string,
  source: CheckedSource,
): Promise<SourceCheck> {
  const { chain, address, contractVersion } = source;
  if (indexer === undefined) return { state: "unknown", text: [texts().check.noIndexer] };
  if (chain === "" || address === "") return { state: "unknown", text: [texts().check.enter] };
  // An address that isn't whole yet takes none of the account's checks: the page's script asks while somebody types.
  if (addressFamily(address) === undefined) return wrong(sourceProblems(source, NO_ADDRESS_FINDINGS));
  if (!checkLimit.take(accountUuid)) return { state: "unknown", text: [texts().check.tooMany] };
  try {
    const family = contractFamilyMessage(source.takesFamily ? undefined : source.contractFamily);
    const request = { chain, address, contractVersion, family };
    const [found, tokens] = await Promise.all([
      indexer.checkSource(request, { timeoutMs: TIMEOUT_MS }),
      foundTokens(indexer, source).catch(() => undefined),
    ]);
    return checkOf(found, tokens, source);
  } catch (error) {
    const refusal = toServiceError(error);
    const refused = refusedFindings(refusal);
    if (refused !== undefined) return wrong(sourceProblems(source, refused));
    return {
      state: "unknown",
      text: [refusal?.code === "resource_exhausted" ? texts().check.busy : texts().check.away],
    };
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
  const findings = sourceFindings(found);
  const expected = source.takesFamily ? { ...source, contractFamily: findings.contractFamily } : source;
  const problems = [...sourceProblems(expected, findings), ...decimalsProblems(source.decimals, tokens ?? [])];
  const facts = found.readable ? { facts: contractFacts(found) } : {};
  if (problems.length > 0) return { ...wrong(problems), ...facts };
  if (tokens === undefined) return { state: "unknown", text: [texts().check.away], ...facts };
  const { commitmentCount, stage, saleStage, height } = found;
  const words = texts().check;
  const language = pageLanguage();
  const commitments = fillCounted(words.commitments, commitmentCount, language, {});
  const position = { height: numberFormat(language).format(height) };
  const place = fill(source.address.startsWith("0x") ? words.block : words.slot, position);
  const good =
    stage === undefined
      ? fill(words.good, { commitments, place })
      : fill(words.goodAtStage, { commitments, place, stage: texts().stage[stageOf(saleStage) ?? "unknown"] });
  return {
    state: "good",
    text: [good, ...found.problems.map((problem) => saidByService(sentence(problem)))],
    ...facts,
  };
}

function contractFacts(found: CheckSourceResponse): ContractFacts {
  const { paymentTokens, cancelledKeepsAmounts: keepsAmounts, contractVersion, maxWalletsPerEntity } = found;
  const { auction, proposedDefinition: definition } = found;
  const stated = auction && { stated: { auction, definition } };
  return { paymentTokens, keepsAmounts, version: contractVersion, maxWallets: maxWalletsPerEntity, ...stated };
}

function wrong(problems: readonly SourceProblem[]): SourceCheck {
  return { state: "bad", text: problems.map(problemText) };
}

/** Returns what is wrong as a sentence, which also says what entry to change. */
function problemText(problem: SourceProblem): SaidText {
  const clause = sourceProblemIn(texts().sourceProblem, problem);
  if (problem.kind === "unreadable") return saidByService(sentence(clause));
  if (problem.kind !== "cancelled_amounts") return sentence(clause);
  const { tick, untick } = texts().check;
  return sentence(fill(problem.keeps ? tick : untick, { problem: clause, field: labelOf("keeps_amounts") }));
}
