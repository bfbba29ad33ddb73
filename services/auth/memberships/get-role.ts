import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import { roleMessage } from "./member-message.ts";
import { roleOf } from "./members-store.ts";

export function getRole({
  database,
}: Pick<MembershipDependencies, "database">): ServiceImpl<typeof MembershipService>["getRole"] {
  return async ({ saleUuid, accountUuid }) => {
    const role = await database.read((query) => roleOf(query, saleUuid.toLowerCase(), accountUuid.toLowerCase()));
    return { role: roleMessage(role) };
  };
}
