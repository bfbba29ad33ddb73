import type { ChainFamily } from "../../chains/base/chain-family.ts";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import type { ContractFamily } from "../../sale/definition/contract-family.ts";
import type { SaleDefinition } from "../../sale/definition/sale.ts";
import type { CommitmentData } from "../../sale/figures/commitment-data.ts";
import type { SaleStage } from "../../sale/state/stage.ts";
import { CannotVerify } from "./cannot-verify.ts";
import type { ShownAccepted } from "./shown-accepted.ts";
import type { ShownPosition } from "./shown-position.ts";
import type { ShownRows } from "./shown-rows.ts";

/** The contract that a sale names, as Tidemark shows it. */
export interface ShownSource {
  readonly kind: ChainFamily;
  /** The chain's name at Tidemark's operator. */
  readonly chain: string;
  /** EIP-155; absent on Solana, and where Tidemark doesn't say it. */
  readonly chainId?: bigint;
  /** The contract or the sale account, in its canonical form. */
  readonly address: string;
  /** `EvmSource.family`; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily;
}

/** A sale as Tidemark shows it: settings and figures, all at one revision. */
export interface ShownSale {
  /** Lower-case canonical text. */
  readonly saleUuid: string;
  readonly name: string;
  readonly settled: boolean;
  /** Absent if it isn't known. */
  readonly stage?: SaleStage;
  /** The settings by which rows become figures. They are the founder's, and no chain has them. */
  readonly definition: ShownDefinition;
  readonly source: ShownSource;
  readonly figures: CommitmentData;
  /** Names the state, for people: a revision, or the tag of an answer. */
  readonly state: string;
  /** The block or slot up to which the figures are said to be those of the contract. */
  readonly asOf?: SourcePosition;
  /** The block or slot of the last change. */
  readonly changedAt?: SourcePosition;
  /** Whether nothing can change any more. */
  readonly isFinal: boolean;
  /** Who signs purchase permits; absent if there is nobody, or it isn't shown. */
  readonly signer?: string;
  /** Absent as long as it isn't shown. */
  readonly accepted?: ShownAccepted;
  /** Every commitment; absent where only the latest are shown. */
  readonly rows?: ShownRows;
  /** The commitments of the wallet that was looked up; absent if none was. */
  readonly position?: ShownPosition;
}

/** The settings of a sale that its figures depend on. */
export interface ShownDefinition extends Omit<SaleDefinition, "source" | "presentation" | "cancelledKeepsAmounts"> {
  /** Absent if it isn't shown. */
  readonly cancelledKeepsAmounts?: boolean;
  /** Whether `extraDataParameters` are known, so that parsed extra data can be compared. */
  readonly parsesExtraData: boolean;
  /** `EvmSource.contract_version`. */
  readonly contractVersion?: number;
}

/**
 * The block or slot whose state the figures must equal: the later one of those that Tidemark names.
 *
 * @throws CannotVerify if it names none
 */
export function requiredPosition({ asOf, changedAt }: ShownSale): SourcePosition {
  const only = asOf ?? changedAt;
  if (only === undefined) throw new CannotVerify("the contract hasn't been read yet, so there are no figures");
  if (asOf === undefined || changedAt === undefined) return only;
  return changedAt.height >= asOf.height ? { ...changedAt, ...timeOf(asOf, changedAt) } : asOf;
}

function timeOf(asOf: SourcePosition, changedAt: SourcePosition): Pick<SourcePosition, "timeSeconds"> {
  const isSame = asOf.height === changedAt.height && asOf.hash === changedAt.hash;
  return isSame && asOf.timeSeconds !== undefined ? { timeSeconds: asOf.timeSeconds } : {};
}
