import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { SaleUpdatedSchema } from "../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { presentClearing } from "./domain/commitment-data.ts";
import type { SaleDefinition } from "./domain/sale.ts";
import type { SaleState } from "./domain/sale-state.ts";
import { clearingPriceMessage } from "./rpc/commitment-message.ts";
import { generationNumber } from "./rpc/generation.ts";
import { statusMessage } from "./rpc/sale-message.ts";

export interface SaleUpdatedFacts {
  readonly saleUuid: string;
  readonly nowMillis: bigint;
  readonly definition: SaleDefinition;
  /** As it is from now on. */
  readonly state: SaleState;
  /** Over all active commitments. */
  readonly amount: bigint;
  readonly commitments: bigint;
}

/** A `SaleUpdated`, encoded: the same bytes whenever it is published. */
export function saleUpdatedEvent(facts: SaleUpdatedFacts): Uint8Array {
  const { saleUuid, nowMillis, definition, state, amount, commitments } = facts;
  const { clearing } = presentClearing(definition, state);
  const message = create(SaleUpdatedSchema, {
    eventId: saleUpdatedId(saleUuid, state),
    saleUuid,
    generation: generationNumber(state.generation),
    revision: state.revision,
    committedAt: timestampFromMs(Number(nowMillis)),
    status: statusMessage(state.status),
    readable: state.status !== "draft" && state.hasSnapshot,
    totalAmount: amount.toString(),
    commitmentCount: commitments,
    ...(clearing && { clearingPrice: clearingPriceMessage(clearing) }),
  });
  return toBinary(SaleUpdatedSchema, message);
}

/** The ID of the event that tells a revision. */
export function saleUpdatedId(saleUuid: string, { generation, revision }: Pick<SaleState, "generation" | "revision">) {
  return `${saleUuid}:${generation}:${revision}`;
}
