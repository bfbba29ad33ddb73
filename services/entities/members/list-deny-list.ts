import type { ServiceImpl } from "@connectrpc/connect";
import { ADDRESSES } from "../../../common/chains/addresses.ts";
import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readDeniedPage } from "./denied-wallets-store.ts";
import { walletText } from "./wallet-text.ts";

const ADDRESS_LENGTHS = CHAIN_FAMILIES.map((family) => ADDRESSES[family].byteLength);

export function listDenyList(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["listDenyList"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const limit = pageSize(request.pageSize);
    const after = startOf(request.pageToken);
    const wallets = await dependencies.database.read((query) => readDeniedPage(query, saleUuid, { after, limit }));
    return { wallets: wallets.map(walletText), nextPageToken: nextPageToken(wallets, limit, hexOfBytes) };
  };
}

/** @throws ServiceError `invalid_argument` */
function startOf(token: string): string {
  const { length } = Buffer.from(token, "base64url");
  return pageStart(token, 2 * (ADDRESS_LENGTHS.includes(length) ? length : Math.max(...ADDRESS_LENGTHS)));
}
