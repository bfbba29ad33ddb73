import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { stageOf, stageText } from "../../../common/sale/state/stage.ts";
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
export interface CheckedSource {
  readonly chain: string;
  readonly address: string;
  /** UUID of the sale. */
  readonly saleUuid: string;
  /** Addresses of the sale's payment tokens. */
  readonly paymentTokens: readonly string[];
  /** Version whose stages the contract has; 0: as it says itself. */
  readonly contractVersion: number;
  /** Whether the amounts of cancelled commitments stay. */
  readonly keepsAmounts: boolean;
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

/** Returns a sale's ID as contracts store it. */
export function idInContract(saleUuid: string): string {
  return `0x${saleUuid.replaceAll("-", "")}`;
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
    return checkText(await indexer.checkSource({ chain, address, contractVersion }, { timeoutMs: TIMEOUT_MS }), source);
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal?.code === "resource_exhausted") return { state: "unknown", text: [BUSY] };
    const isRefused = refusal?.code === "invalid_argument" || refusal?.code === "not_found";
    if (!isRefused) return { state: "unknown", text: [AWAY] };
    return {
      state: "bad",
      text: [sentence(refusal.code === "not_found" ? refusal.message : "this is no address of such a chain")],
    };
  }
}

function checkText(found: CheckSourceResponse, source: CheckedSource): SourceCheck {
  const { readable, problems, commitmentCount, stage, saleStage, height } = found;
  const others = readable ? [...belongsElsewhere(found, source), ...cancelsOtherwise(found, source)] : [];
  if (others.length > 0) return { state: "bad", text: others };
  if (!readable)
    return {
      state: "bad",
      text: problems.length === 0 ? ["There is no sale that can be read."] : problems.map(sentence),
    };
  const commitments = commitmentCount === 1n ? "1 commitment" : `${commitmentCount.toLocaleString("en")} commitments`;
  const place = `${source.address.startsWith("0x") ? "block" : "slot"} ${height.toLocaleString("en")}`;
  const atStage = stage === undefined ? "" : `, stage: ${stageText(stageOf(saleStage))}`;
  return {
    state: "good",
    text: [`A sale that can be read: ${commitments}${atStage}, read at ${place}.`, ...problems.map(sentence)],
  };
}

/** Returns the reasons why a contract belongs to another sale; none where nothing speaks against it. */
function belongsElsewhere(found: CheckSourceResponse, { saleUuid, paymentTokens }: CheckedSource): readonly string[] {
  const text: string[] = [];
  if (found.saleUuid !== "" && found.saleUuid !== saleUuid) {
    const [its, ours] = [idInContract(found.saleUuid), idInContract(saleUuid)];
    text.push(`It belongs to another sale: it holds the ID ${its}, and this sale’s is ${ours}.`);
  }
  const listed = new Set(paymentTokens.map(comparable));
  for (const token of found.paymentTokens.filter((one) => !listed.has(comparable(one)))) {
    text.push(`It takes the payment token ${token}, which this sale doesn’t list.`);
  }
  return text;
}

/** Returns the reason why the sale would count cancelled commitments wrongly; none where nothing is known. */
function cancelsOtherwise(found: CheckSourceResponse, { keepsAmounts }: CheckedSource): readonly string[] {
  const { cancelledKeepsAmounts } = found;
  if (cancelledKeepsAmounts === undefined || cancelledKeepsAmounts === keepsAmounts) return [];
  const field = `“${labelOf("keeps_amounts")}”`;
  return cancelledKeepsAmounts
    ? [`It keeps the amounts of cancelled commitments: tick ${field}.`]
    : [`It takes the amounts of cancelled commitments away: remove the tick of ${field}.`];
}

/** Returns an address for comparison: EVM addresses may be in any case. */
function comparable(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}
