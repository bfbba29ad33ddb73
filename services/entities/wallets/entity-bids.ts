import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { isWallet, readWallet, walletKey } from "../../../common/chains/wallet.ts";
import { passingRefusals } from "../../../common/platform/rpc/upstream-refusal.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { commitmentIdOf } from "../base/entity.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { findSaleEntityOf } from "../entities/sale-entities-store.ts";
import type { EntityBids } from "./binding.ts";

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
  const { sale } = await passingRefusals(sales.getSale({ saleUuid }));
  const commitmentId = await findCommitmentId(database, saleUuid, entityUuid);
  const { records } = await passingRefusals(
    commitments.getCommitmentRecords({ saleUuid, commitmentIds: [commitmentId] }),
  );
  const blockTime = sale?.feedState?.asOf?.blockTime;
  return {
    wallets: new Set(records.flatMap((record) => walletKeys(record, kind))),
    completeUntilMs: blockTime && BigInt(timestampMs(blockTime)),
  };
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
