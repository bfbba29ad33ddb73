import { Buffer } from "node:buffer";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { pageSize, unknownPageToken } from "../../../common/platform/rpc/server/page-token.ts";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import {
  type CommitmentService,
  type WalletAllocation,
  WalletAllocationSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { clearingPriceMessage, fractionMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { readWalletAllocations } from "./wallet-allocations-store.ts";
import type { WalletSums } from "./wallet-sums.ts";

/** Whoever needs more than whether there is one price has the wallet's position. */
const MAX_PRICES = 2;
const WALLET = /^[0-9a-zA-Z]{1,44}$/;

export function listWalletAllocationsRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listWalletAllocations"] {
  return async (request) => {
    const range = { saleUuid: request.saleUuid.toLowerCase(), after: walletOfToken(request.pageToken) };
    const { sale, state, wallets, next } = await readWalletAllocations(
      store.database,
      range,
      pageSize(request.pageSize),
    );
    const { clearing } = presentClearing(sale.definition, state);
    const saleAllocations = saleAllocationsMessage(sale.definition, state);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      wallets: Array.from(wallets, walletMessage),
      nextPageToken: next === undefined ? "" : walletToken(next),
      paymentTokenDecimals: sale.definition.paymentTokenDecimals,
      ...(clearing && { clearingPrice: clearingPriceMessage(clearing) }),
      ...(saleAllocations && { saleAllocations }),
    };
  };
}

function walletMessage([wallet, sums]: readonly [string, WalletSums | undefined]): WalletAllocation {
  return create(WalletAllocationSchema, { wallet, ...(sums && { sums: sumsMessage(sums) }) });
}

function sumsMessage({ committed, accepted, refunded, prices }: WalletSums) {
  return {
    committed: committed.toString(),
    accepted: accepted.toString(),
    ...(refunded !== undefined && { refunded: refunded.toString() }),
    prices: prices.slice(0, MAX_PRICES).map(fractionMessage),
  };
}

/** Returns the token of the page that begins after a wallet. */
function walletToken(wallet: string): string {
  return Buffer.from(wallet).toString("base64url");
}

/** Returns the wallet after which a page begins; empty for the first page. @throws ServiceError `invalid_argument` for text that `walletToken` never makes */
function walletOfToken(token: string): string {
  if (token === "") return "";
  const wallet = Buffer.from(token, "base64url").toString("latin1");
  if (WALLET.test(wallet) && walletToken(wallet) === token) return wallet;
  throw unknownPageToken();
}
