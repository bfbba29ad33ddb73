import { Buffer } from "node:buffer";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import type { TokenCheck } from "../../chains/base/token-check.ts";
import { positionOf } from "../../chains/evm/block.ts";
import { BlockTimes } from "../../chains/evm/block-times.ts";
import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { readToken } from "../../chains/evm/read-token.ts";
import { evmFamilyOf } from "../../contracts/connecting/evm/contract-families.ts";
import type {
  ContractFacts,
  ContractMeaning,
  ContractSettings,
  ContractStatements,
  TokenSums,
} from "../../contracts/contract-facts.ts";
import type { ContractView, EvmFamily } from "../../contracts/evm-family.ts";
import { AllocationJoin } from "../../contracts/reading/evm/allocation-join.ts";
import { mayHaveAllocations } from "../../contracts/reading/evm/allocation-reading.ts";
import { readFacts } from "../../contracts/reading/evm/read-facts.ts";
import { uuidFromBytes } from "../../platform/encoding/uuid.ts";
import type { SaleStage } from "../../sale/state/stage.ts";
import type { ChainSale } from "../compare/chain-sale.ts";
import type { ShownSale } from "../compare/shown-sale.ts";
import { type ChosenBlock, chooseBlock, type EvmContract } from "./choose-block.ts";
import { contractRows } from "./contract-rows.ts";

/** Commitments of a contract beyond which it is refused: each takes up to 160 bytes of memory. */
const MAX_COMMITMENTS = 5_000_000;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/** A sale of an EVM chain, and whether a difference from it may be a later change. */
export interface EvmSale {
  readonly sale: ChainSale;
  readonly mayHaveChanged: boolean;
}

export interface OpenOptions {
  /** Whether to read what the contract accepts, if it says that. */
  readonly withAllocations: boolean;
  readonly signal: AbortSignal;
}

/**
 * Opens the contract of a sale at the block of the figures.
 *
 * @throws OtherBlock; SourceFault
 */
export async function openEvmSale(
  endpoint: EvmEndpoint,
  shown: ShownSale,
  figures: SourcePosition,
  { withAllocations, signal }: OpenOptions,
): Promise<EvmSale> {
  const family = evmFamilyOf(shown.source.contractFamily);
  const view = await family.view({ use: "once", times: new BlockTimes(endpoint) });
  const target = { endpoint, contract: shown.source.address, family, view };
  const chosen = await chooseBlock(target, figures, signal);
  const pinned = new PinnedBlock(endpoint, target.contract, chosen.block);
  const [facts, release, saleUuid, paymentTokens, tokens, acceptsSigner] = await Promise.all([
    readFacts(view, pinned, MAX_COMMITMENTS, signal),
    view.release(pinned, signal),
    view.saleUuid(pinned, signal),
    view.paymentTokens(pinned, signal),
    readTokens(endpoint, shown, chosen, signal),
    readSigner(family, pinned, shown.signer, signal),
  ]);
  const { count, stageNumber, totals } = facts;
  const statements = { ...stageOf(facts), ...(release && { release }) };
  const { warnings, remark, ...meaning } = contractMeaning(family, statements, shown);
  const shared = { view, count, stage: meaning.stage, settled: shown.settled, signal };
  const allocations = withAllocations ? await readAllocations(pinned, shared) : undefined;
  const sale: ChainSale = {
    node: endpoint.urls[0]?.host ?? "",
    readAt: positionOf(chosen.block),
    ...meaning,
    ...(saleUuid === undefined ? {} : { saleUuid: uuidFromBytes(Buffer.from(saleUuid, "hex")) }),
    ...(paymentTokens === undefined ? {} : { paymentTokens }),
    tokens,
    ...(acceptsSigner === undefined ? {} : { acceptsSigner }),
    ...(totals === undefined ? {} : { totals }),
    ...(allocations === undefined ? {} : { acceptedTotals: allocations.totals }),
    count,
    hasIndexes: true,
    remarks: [chosen.remark, remark, ...(stageNumber === undefined ? [] : warnings), ...view.warnings].filter(
      (text) => text !== undefined,
    ),
    rows: (soon) => contractRows(pinned, view, count, allocations?.join, soon),
  };
  return { sale, mayHaveChanged: chosen.mayHaveChanged };
}

function stageOf({ stageNumber }: ContractFacts): Pick<ContractFacts, "stageNumber"> {
  return stageNumber === undefined ? {} : { stageNumber };
}

/** Reads decimals and symbols of the tokens that Tidemark names, at the same block. */
function readTokens(
  endpoint: EvmContract["endpoint"],
  { definition }: ShownSale,
  { block }: ChosenBlock,
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  return Promise.all(
    definition.paymentTokens.map(async ({ address }) => {
      return { address, ...(await readToken(endpoint, address, block, signal)) };
    }),
  );
}

async function readSigner(family: EvmFamily, pinned: PinnedBlock, signer: string | undefined, signal: AbortSignal) {
  if (signer === undefined || !ADDRESS.test(signer.toLowerCase())) return undefined;
  return family.acceptsSigner(pinned, signer, signal);
}

/** The meaning of a contract's own statements, and a text for people if it had to be assumed. */
interface AssumedMeaning extends ContractMeaning {
  readonly remark?: string;
}

/**
 * Decides what the number of a contract's stage means. Where neither the contract nor what Tidemark shows names a version, it may
 * be of either: that of the shown stage is assumed, as the other one would say nothing about the figures.
 */
export function contractMeaning(
  family: Pick<EvmFamily, "meaningOf">,
  statements: ContractStatements,
  { stage, definition }: Pick<ShownSale, "stage" | "definition">,
): AssumedMeaning {
  const { contractVersion } = definition;
  const settings: ContractSettings = contractVersion === undefined ? {} : { contractVersion };
  const meaning = family.meaningOf(statements, settings);
  const isNamed = statements.release !== undefined || contractVersion !== undefined;
  if (isNamed || statements.stageNumber === undefined || meaning.stage === stage) return meaning;
  const first = family.meaningOf(statements, { contractVersion: 1 });
  if (first.stage !== stage) return meaning;
  const remark = `the contract doesn't say its version, and its stage ${statements.stageNumber} is taken for that of version 1`;
  return { ...first, remark };
}

/** The allocations of a contract, which are read with its commitments. */
interface Allocations {
  readonly join: AllocationJoin;
  /** The contract's own totals. */
  readonly totals: TokenSums;
}

interface AllocationOptions {
  readonly view: ContractView;
  /** Number of commitments. */
  readonly count: bigint;
  /** Undefined if the contract doesn't say it. */
  readonly stage: SaleStage | undefined;
  /** Whether Tidemark shows the sale as settled. It counts where the contract has no stage. */
  readonly settled: boolean;
  readonly signal: AbortSignal;
}

/**
 * Decides as the indexer does whether accepted amounts are read with the commitments: from the settlement on, if the contract
 * says them.
 *
 * @throws the errors of `PinnedBlock.call`
 */
async function readAllocations(
  pinned: PinnedBlock,
  { view, count, stage, settled, signal }: AllocationOptions,
): Promise<Allocations | undefined> {
  if (!mayHaveAllocations(stage, settled)) return undefined;
  const { totals } = await view.allocationFacts(pinned, count, signal);
  return totals && { join: new AllocationJoin(), totals };
}
