import type { ServiceImpl } from "@connectrpc/connect";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { countMessage } from "../../../common/sale/figures/bid-message.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { readBidOutcomes } from "./bid-outcomes-store.ts";
import { parseWallet, requireWalletOf } from "./typed-wallet.ts";

export function getBidOutcomesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getBidOutcomes"] {
  return async (request) => {
    const wallets = request.wallets.map((wallet, index) => parseWallet(fieldOf(index), wallet));
    const read = await readBidOutcomes(store.database, request.saleUuid.toLowerCase(), wallets);
    const { sale, state, entries, undersubscribed } = read;
    for (const [index, wallet] of wallets.entries()) requireWalletOf(sale.definition, fieldOf(index), wallet);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      status: statusMessage(state.status),
      stage: stageMessage(state.stage),
      undersubscribed,
      wallets: wallets.map((wallet) => ({
        bids: (entries.get(wallet) ?? []).map((entry) => ({
          commitmentId: messageBytes(entry.record.commitmentId),
          ...countMessage(entry),
        })),
      })),
    };
  };
}

function fieldOf(index: number): string {
  return `wallets[${index}]`;
}
