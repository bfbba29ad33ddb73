import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ADDRESSES } from "../../../common/chains/addresses.ts";
import { CHAIN_FAMILIES, type ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { isWallet, readWallet } from "../../../common/chains/wallet.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type {
  ChangeDenyListRequest,
  EligibilityService,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { addToCount, readParticipantCounts } from "../rules/participant-counts-store.ts";
import { deleteDenied, insertDenied, readDenied, readDeniedPage } from "./denied-wallets-store.ts";
import { readListedSale } from "./listed-sale.ts";
import { walletText } from "./member-message.ts";
import type { RowProblem } from "./read-member.ts";
import { recordParticipants } from "./record-participants.ts";

/** The most wallets on the deny list of one sale. */
const MAX_DENIED = 1_000_000n;

export function changeDenyList(
  dependencies: EntitiesContext,
): ServiceImpl<typeof EligibilityService>["changeDenyList"] {
  const { database } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRole(dependencies, context, saleUuid, "editor");
    const { kind } = await readListedSale(dependencies, saleUuid);
    const { wallets, problems } = checkedWallets(request.wallets, kind);
    const { denied: before } = await database.read((query) => readParticipantCounts(query, saleUuid));
    const changing = await database.read((query) => changingWallets(query, saleUuid, wallets, request.remove));
    const answer = { changed: changing.length, unchanged: wallets.length - changing.length, problems };
    if (request.dryRun || changing.length === 0) return answer;
    const action = request.remove ? "removal" : "import";
    await recordParticipants(dependencies, principal, saleUuid, { field: "Deny list", action, before });
    await store(dependencies, saleUuid, wallets, request);
    return answer;
  };
}

function checkedWallets(texts: readonly string[], kind: ChainFamily | undefined) {
  const wallets = new Map<string, Buffer>();
  const problems = texts.flatMap((text, row): (RowProblem & { row: number })[] => {
    const wallet = kind && readWallet(kind, text);
    if (wallet === undefined) return [{ row, field: "wallet", message: "the sale has no contract, and so no wallets" }];
    if (!isWallet(wallet)) return [{ row, field: "wallet", message: wallet.message }];
    const bytes = Buffer.from(wallet.bytes);
    const key = hexOfBytes(bytes);
    if (wallets.has(key)) return [{ row, field: "wallet", message: "is the wallet of an earlier row, too" }];
    wallets.set(key, bytes);
    return [];
  });
  return { wallets: [...wallets.values()], problems };
}

/** Returns the wallets that a change adds or removes. */
async function changingWallets(
  query: Parameters<typeof readDenied>[0],
  saleUuid: string,
  wallets: readonly Buffer[],
  remove: boolean,
): Promise<readonly Buffer[]> {
  if (wallets.length === 0) return [];
  const denied = await readDenied(query, saleUuid, wallets);
  return wallets.filter((wallet) => denied.has(hexOfBytes(wallet)) === remove);
}

async function store(
  { database }: EntitiesContext,
  saleUuid: string,
  wallets: readonly Buffer[],
  { remove }: Pick<ChangeDenyListRequest, "remove">,
): Promise<void> {
  const { dialect } = database;
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, dialect, saleUuid);
    const changing = await changingWallets(transaction, saleUuid, wallets, remove);
    if (changing.length === 0) return;
    if (remove) await deleteDenied(transaction, saleUuid, changing);
    else await add(transaction, saleUuid, changing);
    await addToCount(transaction, dialect, saleUuid, "denied", remove ? -changing.length : changing.length);
  });
}

/** @throws ServiceError `failed_precondition` */
async function add(transaction: Transaction<EntitiesSchema>, saleUuid: string, wallets: readonly Buffer[]) {
  const { denied } = await readParticipantCounts(transaction, saleUuid);
  if (denied + BigInt(wallets.length) > MAX_DENIED) {
    throw new ServiceError("failed_precondition", `a deny list can have at most ${MAX_DENIED} wallets`);
  }
  await insertDenied(transaction, saleUuid, wallets);
}

const ADDRESS_LENGTHS = CHAIN_FAMILIES.map((family) => ADDRESSES[family].byteLength);

export function listDenyList(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["listDenyList"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const after = startOf(request.pageToken);
    const { items, nextPageToken } = await readPage(
      request.pageSize,
      (limit) => dependencies.database.read((query) => readDeniedPage(query, saleUuid, { after, limit })),
      (wallet) => tokenOf(hexOfBytes(wallet)),
    );
    return { wallets: items.map(walletText), nextPageToken };
  };
}

/** @throws ServiceError `invalid_argument` */
function startOf(token: string): string {
  const { length } = Buffer.from(token, "base64url");
  return pageStart(token, 2 * (ADDRESS_LENGTHS.includes(length) ? length : Math.max(...ADDRESS_LENGTHS)));
}
