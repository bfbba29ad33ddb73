import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireSession } from "../sessions/require-session.ts";
import { listConsentedClients } from "./consented-applications-store.ts";
import { withdrawConsent } from "./withdraw-consent.ts";

/** The methods of `AccountService` for the consents that a person has given. */
export function consentMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof AccountService>, "listConsents" | "withdrawConsent"> {
  return {
    withdrawConsent: withdrawConsent(context),

    async listConsents({ sessionToken }) {
      const { accountUuid } = await requireSession(context, sessionToken);
      const clients = await context.database.read((query) => listConsentedClients(query, accountUuid));
      return {
        consents: clients.map(({ granted, declined, updatedAtMs, squareLogo = "", ...client }) => ({
          ...client,
          grantedScopes: [...granted],
          declinedScopes: [...declined],
          updatedAt: timestampOf(updatedAtMs),
          squareLogo,
        })),
      };
    },
  };
}
