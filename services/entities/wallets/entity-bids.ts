import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { formatWallet, isWallet, readWallet, type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError, type ServiceErrorCode } from "../../../common/platform/errors/service-error.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { commitmentIdOf } from "../base/entity.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { findSaleEntityOf } from "../entities/sale-entities-store.ts";
import type { EntityBids, WalletBids } from "./binding.ts";

type BidsContext = Pick<EntitiesContext, "database" | "sales" | "commitments">;

/**
 * Asks the commitments service with which wallets an entity has bid in a sale, and up to which time that is known.
 *
 * @throws ServiceError `unavailable` if it doesn't answer
 */
export async function readEntityBids(
  { sales, commitments, database }: BidsContext,
  saleUuid: string,
  entityUuid: string,
  kind: ChainFamily,
): Promise<EntityBids> {
  // Before the records: they may be newer than this says, never older.
  const { sale } = await asking(sales.getSale({ saleUuid }));
  const commitmentId = await findCommitmentId(database, saleUuid, entityUuid);
  const { records } = await askingOfKnown(
    commitments.getCommitmentRecords({ saleUuid, commitmentIds: [commitmentId] }),
  );
  return {
    wallets: new Set(records.flatMap((record) => walletKeys(record, kind))),
    completeUntilMs: readUntil(sale),
  };
}

/**
 * Asks the commitments service whose bids a sale's contract has with a wallet. Of more than a hundred commitments the first hundred
 * count; contracts that take permits have one.
 *
 * @param saleSpecificId the ID of the entity in question; undefined if it has none in the sale
 * @throws ServiceError `unavailable` if it doesn't answer
 */
export async function readWalletBids(
  { sales, commitments }: Pick<BidsContext, "sales" | "commitments">,
  saleUuid: string,
  saleSpecificId: Uint8Array | undefined,
  wallet: Wallet,
): Promise<WalletBids> {
  // Before the commitments: they may be newer than this says, never older.
  const { sale } = await asking(sales.getSale({ saleUuid }));
  const position = await askingOfKnown(commitments.getPosition({ saleUuid, wallet: formatWallet(wallet) }));
  const bidders = new Set(position.commitments.map(({ commitment }) => hexOfBytes(commitment?.entityId ?? NO_ID)));
  const hasOwn = saleSpecificId !== undefined && bidders.has(hexOfBytes(saleSpecificId));
  const hasOther = bidders.size > (hasOwn ? 1 : 0);
  return { bidder: bidderOf(hasOwn, hasOther), completeUntilMs: readUntil(sale) };
}

/** The codes of a commitments service that can't be asked now. One of an earlier version may not let this service ask yet. */
const AWAY: readonly ServiceErrorCode[] = ["unavailable", "deadline_exceeded", "permission_denied"];

/**
 * Asks about a sale that has just been found: one whose bids aren't found was withdrawn meanwhile, which the next attempt knows. It exists,
 * so nobody may be told that it doesn't.
 *
 * @throws ServiceError as `asking`
 */
function askingOfKnown<Response>(call: Promise<Response>): Promise<Response> {
  return asking(call, [...AWAY, "not_found"]);
}

/** @throws ServiceError `unavailable` if the commitments service can't be asked now, and its other refusals */
async function asking<Response>(call: Promise<Response>, away = AWAY): Promise<Response> {
  try {
    return await passingRefusals(call);
  } catch (error) {
    if (!(error instanceof ServiceError && away.includes(error.code))) throw error;
    throw new ServiceError("unavailable", "whose bids the contract has isn't known now; retry", { cause: error });
  }
}

const NO_ID = new Uint8Array();

function bidderOf(hasOwn: boolean, hasOther: boolean): WalletBids["bidder"] {
  if (hasOwn) return hasOther ? "both" : "own";
  return hasOther ? "other" : "nobody";
}

/** Returns the time of the block up to which a sale's contract was read; undefined if it isn't known. */
function readUntil(sale: Sale | undefined): bigint | undefined {
  const blockTime = sale?.feedState?.asOf?.blockTime;
  return blockTime && BigInt(timestampMs(blockTime));
}

/** @throws Error for an entity without IDs in the sale */
async function findCommitmentId(
  database: EntitiesDatabase,
  saleUuid: string,
  entityUuid: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const saleEntity = await database.read((query) => findSaleEntityOf(query, saleUuid, entityUuid));
  if (saleEntity === undefined) throw new Error("an entity with a wallet in a sale has no IDs in it");
  return commitmentIdOf(saleEntity.saleSpecificId);
}

/** The wallets of a record. One whose amount is zero by now counts too: the contract ties it to the entity for good. */
function walletKeys({ amounts }: CommitmentRecord, kind: ChainFamily): readonly string[] {
  return amounts
    .map(({ wallet }) => readWallet(kind, wallet.startsWith("0x") ? wallet.toLowerCase() : wallet))
    .filter(isWallet)
    .map(walletKey);
}
