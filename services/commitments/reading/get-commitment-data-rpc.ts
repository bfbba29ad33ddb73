import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { presentCommitmentData } from "../../../common/sale/figures/commitment-data.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { commitmentDataMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { feedStateMessage, sourcePositionMessage } from "../base/feed-state-message.ts";
import { generationNumber, generationText } from "../base/generation.ts";
import { readSaleSnapshot, UnreadSaleError } from "../base/read-sale.ts";
import { readFeedStates } from "../base/source-status.ts";
import { readCommitMillis } from "./revisions-store.ts";
import { saleSummaryMessage } from "./sale-summary-message.ts";

export function getCommitmentDataRpc({
  store,
  extraDataParser,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getCommitmentData"] {
  return async (request) => {
    const { generation, minimumRevision } = request;
    const saleUuid = request.saleUuid.toLowerCase();
    const minimum = { generation: generationText(generation), revision: minimumRevision };
    const { database } = store;
    // Before the figures: they are never older than the block that they are said to be of.
    const feedStates = await readFeedStates(database, [saleUuid]);
    const read = await readSaleSnapshot(store, saleUuid, minimum).catch((error: unknown) => {
      if (request.allowUnread && error instanceof UnreadSaleError) return error;
      throw error;
    });
    if (read instanceof UnreadSaleError) return unreadSale(read.read, feedStates.get(saleUuid));
    const { sale, state, snapshot } = read;
    const { generation: held, revision } = state;
    const commitMillis = await readCommitMillis(database, { saleUuid, generation: held, revision });
    const parse = await extraDataParser(sale.definition.extraDataParameters);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      data: commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse)),
      sale: saleSummaryMessage(sale, state),
      ...(state.changedPosition && { changedPosition: sourcePositionMessage(state.changedPosition) }),
      feedState: feedStateMessage(feedStates.get(saleUuid)),
      ...(commitMillis !== undefined && { committedAt: timestampFromMs(Number(commitMillis)) }),
    };
  };
}

/** Returns what is known of a sale whose contract hasn't been read whole yet. */
function unreadSale({ sale, state }: SaleWithState, feedState: Parameters<typeof feedStateMessage>[0]) {
  const { generation, revision } = state;
  return {
    generation: generationNumber(generation),
    revision,
    sale: saleSummaryMessage(sale, state),
    feedState: feedStateMessage(feedState),
  };
}
