import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requiredSession } from "../sessions/required-session.ts";
import { listAllowedClients } from "./allowed-clients-store.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";

export function listConsents(
  dependencies: AuthorizationDependencies,
): ServiceImpl<typeof AccountService>["listConsents"] {
  return async ({ sessionToken }) => {
    const { accountUuid } = await requiredSession(dependencies, sessionToken);
    const clients = await dependencies.database.read((query) => listAllowedClients(query, accountUuid));
    return {
      consents: clients.map(({ granted, declined, updatedAtMs, squareLogo = "", ...client }) => ({
        ...client,
        grantedScopes: [...granted],
        declinedScopes: [...declined],
        updatedAt: timestampOf(updatedAtMs),
        squareLogo,
      })),
    };
  };
}
