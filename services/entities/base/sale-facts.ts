import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { ContractFamily } from "../../../common/sale/definition/contract-family.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import { type SaleStage, stageOf } from "../../../common/sale/state/stage.ts";
import { type SaleStatus, statusOf } from "../../../common/sale/state/status.ts";
import { type SaleUnits, saleUnits } from "../../../common/sale/words/sale-units.ts";
import {
  type Sale,
  type SaleDefinition,
  Tenancy as TenancyMessage,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Upstreams } from "./upstreams.ts";

/** Prices are in ticks. */
export type SalePricing =
  | { readonly kind: "fixed"; readonly priceTicks: bigint }
  | { readonly kind: "auction"; readonly floorTicks: bigint; readonly incrementTicks: bigint };

/** The facts about a sale that decide who may take part in it, as the commitments service gives them. */
export interface SaleFacts {
  /** Lower case. */
  readonly saleUuid: string;
  readonly name: string;
  readonly tenancy: "test" | "live";
  readonly status: SaleStatus;
  /** The stage of the sale's contract. It is unknown before the indexer's first report. */
  readonly stage: SaleStage | "unknown";
  /** The family of the chain, and so of wallets. Absent, as `chain` and `contract`, for a sale without a contract. */
  readonly kind?: ChainFamily;
  /** The chain's name in the operator's configuration. */
  readonly chain?: string;
  /** The EIP-155 ID of the chain, 0 where chains have none. Absent before the indexer's first report. */
  readonly chainId?: bigint;
  /** The address of the contract or of the sale account. */
  readonly contract?: string;
  /** The family of the contract; absent for that of the reference contract. */
  readonly contractFamily?: ContractFamily;
  readonly pricing: SalePricing;
  /** Whether a price can have more than 64 bits. */
  readonly widePrices: boolean;
  /** The units in which the activity log names amounts and prices. */
  readonly units: SaleUnits;
  /** The decimals of each payment token. */
  readonly paymentTokenDecimals: readonly number[];
}

/**
 * Reads the facts about a sale from the commitments service.
 *
 * @throws ServiceError `not_found` for a sale that it doesn't know; `unavailable` if it doesn't answer
 */
export async function readSaleFacts({ sales }: Pick<Upstreams, "sales">, saleUuid: string): Promise<SaleFacts> {
  const { sale } = await passingRefusals(sales.getSale({ saleUuid }));
  if (sale === undefined) throw new ServiceError("not_found", `there is no sale ${saleUuid}`);
  return factsOf(sale);
}

/** Converts the message of a sale. */
export function factsOf({ uuid, tenancy, status, stage, definition, feedState }: Sale): SaleFacts {
  if (definition === undefined) throw new TypeError(`the answer has the sale ${uuid} without its definition`);
  return {
    saleUuid: uuid.toLowerCase(),
    name: definition.name,
    tenancy: tenancy === TenancyMessage.TEST ? "test" : "live",
    // A status that this version doesn't know comes after the opening.
    status: statusOf(status) ?? "settled",
    stage: stageOf(stage) ?? "unknown",
    ...contractOf(definition),
    ...(feedState?.chain && { chainId: feedState.chain.chainId }),
    pricing: pricingOf(definition),
    widePrices: definition.widePrices,
    units: saleUnits(definition),
    paymentTokenDecimals: definition.paymentTokens.map(({ decimals }) => decimals),
  };
}

function contractOf({ source }: SaleDefinition): Pick<SaleFacts, "kind" | "chain" | "contract" | "contractFamily"> {
  const location = sourceLocation(source);
  if (location === undefined) return {};
  const { family: kind, chain, address: contract, contractFamily } = location;
  return { kind, chain, contract, ...(contractFamily === undefined ? {} : { contractFamily }) };
}

function pricingOf({ pricing }: SaleDefinition): SalePricing {
  if (pricing.case === "auction") {
    const { floorTicks, incrementTicks } = pricing.value;
    return { kind: "auction", floorTicks: ticksOf(floorTicks), incrementTicks: ticksOf(incrementTicks) };
  }
  return { kind: "fixed", priceTicks: ticksOf(pricing.value?.priceTicks ?? "") };
}
