import { Buffer } from "node:buffer";
import type { ServiceImpl } from "@connectrpc/connect";
import { type ListPage, readPage, unknownPageToken } from "../../../common/platform/rpc/server/page-token.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { allocationMessage, saleAllocationsMessage } from "../base/allocation-message.ts";
import { type AllocationKey, allocationOf, selectAllocations } from "../base/allocation-rows.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { shownAllocations } from "../base/domain/shown-allocations.ts";
import { generationNumber } from "../base/generation.ts";
import { readWholeRows } from "../base/read-sale.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

export function listAllocationsRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listAllocations"] {
  return async (request) => {
    const after = keyOfToken(request.pageToken);
    const { sale, state, page } = await listAllocations(
      store.database,
      request.saleUuid.toLowerCase(),
      after,
      request.pageSize,
    );
    const saleAllocations = saleAllocationsMessage(sale.definition, state);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      allocations: page.items.map(allocationMessage),
      nextPageToken: page.nextPageToken,
      ...(saleAllocations && { saleAllocations }),
    };
  };
}

type Key = Pick<Allocation, "entityId" | "wallet" | "token">;

/** Entity, wallet and token. */
const KEY = /^([0-9a-f]{32})\/([0-9a-zA-Z]{1,44})\/([0-9a-zA-Z]{1,44})$/;

/** Returns the token of the page that begins after an allocation. */
function allocationToken({ entityId, wallet, token }: Key): string {
  return Buffer.from(`${entityId}/${wallet}/${token}`).toString("base64url");
}

/**
 * Returns the allocation after which a page begins; undefined for the first page.
 *
 * @throws ServiceError `invalid_argument` for text that `allocationToken` never makes
 */
function keyOfToken(text: string): Key | undefined {
  if (text === "") return undefined;
  const [, entityId, wallet, token] = KEY.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (entityId !== undefined && wallet !== undefined && token !== undefined) {
    const key = { entityId, wallet, token };
    if (allocationToken(key) === text) return key;
  }
  throw unknownPageToken();
}

/** A page of a sale's allocations, at one revision. */
interface AllocationPage extends SaleWithState {
  /** By entity, wallet and token ascending. */
  readonly page: ListPage<Allocation>;
}

/**
 * Lists the allocations of a sale; none as long as they aren't known.
 *
 * @param after the allocation after which the page begins; undefined for the first page
 * @param size the `page_size` of the request
 * @throws ServiceError `not_found`, `unavailable`.
 */
export async function listAllocations(
  database: CommitmentsDatabase,
  saleUuid: string,
  after: AllocationKey | undefined,
  size: number,
): Promise<AllocationPage> {
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    const shown = shownAllocations(state);
    if (shown === undefined) return { sale, state, page: { items: [], nextPageToken: "" } };
    const { version } = shown;
    const read = async (limit: number) => {
      const query = selectAllocations(database.dialect, { saleUuid, version }, after, limit);
      return (await transaction.executeQuery(query)).rows.map(allocationOf);
    };
    return { sale, state, page: await readPage(size, read, allocationToken) };
  });
}
