import { presentCommitmentData } from "../../../common/sale/figures/commitment-data.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { commitmentDataMessage } from "../base/commitment-message.ts";
import { readSaleSnapshot } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import type { SaleVersion } from "./resume-token.ts";

/** A sale's state, shared by all of its watchers. */
export interface WatchedState extends SaleVersion {
  readonly data: CommitmentData;
}

export interface WatchedStateDependencies {
  readonly store: CommitmentsStore;
  /** Returns the parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
}

/** Reads what watchers of a sale get. @throws ServiceError as `readSaleSnapshot` does */
export async function readWatchedState(
  { store, extraDataParser }: WatchedStateDependencies,
  saleUuid: string,
): Promise<WatchedState> {
  const { sale, state, snapshot } = await readSaleSnapshot(store, saleUuid, { generation: "", revision: 0n });
  const parse = await extraDataParser(sale.definition.extraDataParameters);
  const data = commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse));
  return { generation: state.generation, revision: state.revision, data };
}
