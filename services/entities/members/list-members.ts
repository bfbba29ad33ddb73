import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { MemberDependencies } from "./dependencies.ts";
import { memberKeyMac } from "./member-key.ts";
import { memberMessage } from "./member-message.ts";
import { memberOfRow } from "./member-rows.ts";
import { readMemberRows } from "./members-store.ts";
import { searchedKeys } from "./searched-keys.ts";

const UUID_HEX_DIGITS = 32;

export function listMembers(dependencies: MemberDependencies): ServiceImpl<typeof EligibilityService>["listMembers"] {
  const { database, derivedKeys } = dependencies;
  return async ({ search, groupUuid, ...request }, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const limit = pageSize(request.pageSize);
    const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
    const keys = search === "" ? undefined : searchedKeys(search);
    if (keys?.length === 0) return {};
    const rows = await database.read((query) =>
      readMemberRows(query, saleUuid, {
        after,
        limit,
        groupUuid: groupUuid === "" ? undefined : groupUuid,
        keyMacs: keys?.map((key) => memberKeyMac(derivedKeys, saleUuid, key)),
      }),
    );
    const members = rows.map((row) => memberOfRow(derivedKeys, row));
    return { members: members.map(memberMessage), nextPageToken: nextPageToken(members, limit, ({ uuid }) => uuid) };
  };
}
