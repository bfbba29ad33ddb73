import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { listAllowedClients } from "../store/allowed-clients.ts";
import { timestampOf } from "./account-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { requiredSession } from "./required-session.ts";

export function listConsents(dependencies: Dependencies): ServiceImpl<typeof AccountService>["listConsents"] {
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
