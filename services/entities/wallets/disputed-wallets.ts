import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { WALLET_KINDS } from "../../../common/sale/definition/wallet-kind.ts";
import {
  type DisputedWallet,
  DisputedWalletSchema,
  DisputedWalletState,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { findSaleEntityOf } from "../entities/sale-entities-store.ts";
import { type BindingFacts, type WalletBids, type WalletState, walletState } from "./binding.ts";
import { type BoundWallet, readDisputedWallets } from "./disputed-wallets-store.ts";
import { readWalletBids } from "./entity-bids.ts";
import { findSaleWallet } from "./sale-wallets-store.ts";
import { readLinkedEntities } from "./wallet-links-store.ts";

type Dependencies = Pick<EntitiesContext, "database" | "sales" | "commitments">;

/** Wallets that are asked about for one list. */
const MAX_DISPUTED = 20;

/** Returns the wallets that an entity and another one want in open sales that can be read now, with what becomes of each. */
export async function disputedWallets(
  dependencies: Dependencies,
  entityUuid: string,
): Promise<readonly DisputedWallet[]> {
  const bound = await dependencies.database.read((query) => readDisputedWallets(query, entityUuid, MAX_DISPUTED));
  const messages = await Promise.all(bound.map((each) => disputedWallet(dependencies, entityUuid, each)));
  return messages.filter((message) => message !== undefined);
}

async function disputedWallet(
  dependencies: Dependencies,
  entityUuid: string,
  { saleUuid, wallet }: BoundWallet,
): Promise<DisputedWallet | undefined> {
  const sale = await unlessFailed(readSaleFacts(dependencies, saleUuid));
  if (sale?.status !== "open") return undefined;
  const { facts, ids } = await readFacts(dependencies, sale, { entityUuid, wallet });
  if (!facts.isLinked && facts.binding?.entityUuid !== entityUuid) return undefined;
  const bids = await unlessFailed(readWalletBids(dependencies, saleUuid, ids?.saleSpecificId, wallet));
  const shown = shownState(facts, bids);
  if (shown === undefined) return undefined;
  return create(DisputedWalletSchema, {
    kind: WALLET_KINDS[wallet.kind],
    address: formatWallet(wallet),
    saleUuid,
    saleName: sale.name,
    ...shown,
  });
}

function readFacts(
  { database }: Dependencies,
  sale: SaleFacts,
  { entityUuid, wallet }: Pick<BindingFacts, "entityUuid" | "wallet">,
) {
  return database.read(async (query) => {
    const ids = await findSaleEntityOf(query, sale.saleUuid, entityUuid);
    const binding = await findSaleWallet(query, sale, wallet);
    const linked = await readLinkedEntities(query, wallet, sale.chainId);
    const facts: BindingFacts = {
      ...{ entityUuid, wallet, otherWallets: [] },
      ...(binding !== undefined && { binding }),
      isLinked: linked.includes(entityUuid),
      isLinkedElsewhere: linked.some((other) => other !== entityUuid),
    };
    return { facts, ids };
  });
}

/** @returns undefined for a wallet that is nobody's but the entity's */
function shownState(
  facts: BindingFacts,
  bids: WalletBids | undefined,
): MessageInitShape<typeof DisputedWalletSchema> | undefined {
  const state = walletState(facts, bids);
  if (state.kind === "usable" && facts.binding?.entityUuid === facts.entityUuid) return undefined;
  if (state.kind === "held") return { state: STATES.held, until: timestampFromMs(Number(state.untilMs)) };
  return { state: state.kind === "others" ? OTHERS[state.by] : STATES[state.kind] };
}

const STATES: Readonly<Record<Exclude<WalletState["kind"], "others">, DisputedWalletState>> = {
  usable: DisputedWalletState.FREE,
  held: DisputedWalletState.HELD,
  displaced: DisputedWalletState.DISPLACED,
  unknown: DisputedWalletState.UNSPECIFIED,
};
const OTHERS = {
  bid: DisputedWalletState.BID_OF_ANOTHER,
  proof: DisputedWalletState.PROVED_BY_ANOTHER,
} as const;

/** Returns what a call of the commitments service answers; undefined if it fails, so that the entity can be shown without it. */
async function unlessFailed<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ConnectError) return undefined;
    throw error;
  }
}
