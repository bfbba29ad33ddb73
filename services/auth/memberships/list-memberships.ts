import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { nextPageToken, pageSize, pageStart } from "../../shared/rpc/server/page-token.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import { roleMessage } from "./member-message.ts";
import { readMemberships } from "./members-store.ts";
import { requiredPerson } from "./required-role.ts";

const UUID_HEX_DIGITS = 32;

export function listMemberships({
  database,
}: Pick<MembershipDependencies, "database">): ServiceImpl<typeof MembershipService>["listMemberships"] {
  return async (request, context) => {
    const { accountUuid } = requiredPerson(context);
    const limit = pageSize(request.pageSize);
    const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
    const page = await database.read((query) => readMemberships(query, accountUuid, { after, limit }));
    return {
      memberships: page.map(({ saleUuid, role }) => ({ saleUuid, role: roleMessage(role) })),
      nextPageToken: nextPageToken(page, limit, ({ saleUuid }) => saleUuid),
    };
  };
}
