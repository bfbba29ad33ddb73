import type { SaleStage } from "../../sale/state/stage.ts";
import type { ContractMeaning, ContractStatements } from "../contract-facts.ts";
import type { AuctionTerms } from "./decode-terms.ts";

/** Stages of an auction by the numbers that its view gives them. The auction itself has none. */
const STAGES: readonly SaleStage[] = ["pre_open", "commitment", "settlement", "done"];

/** Returns the number of the stage of an auction that has its tokens, at a block: 0 to 3. */
export function stageNumberAt({ startBlock, endBlock, claimBlock }: AuctionTerms, block: bigint): number {
  return [startBlock, endBlock, claimBlock].filter((begin) => block >= begin).length;
}

/** Decides which stage an auction is in. Its version and the settings of its sale change nothing. */
export function meaningOf({ stageNumber }: ContractStatements): ContractMeaning {
  const stage = stageNumber === undefined ? undefined : STAGES[stageNumber];
  return { ...(stage === undefined ? {} : { stage }), warnings: [] };
}
