import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireSession } from "../sessions/require-session.ts";
import { revokeFamiliesOf } from "../tokens/token-families-store.ts";
import { deleteConsents, listConsentedClients } from "./consents-store.ts";

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
        consents: clients.map(({ granted, declined, updatedAtMs, squareLogo = "", origins, ...client }) => ({
          ...client,
          origins: [...origins],
          grantedScopes: [...granted],
          declinedScopes: [...declined],
          updatedAt: timestampOf(updatedAtMs),
          squareLogo,
        })),
      };
    },
  };
}

function withdrawConsent(context: AuthContext): ServiceImpl<typeof AccountService>["withdrawConsent"] {
  const { database, clock } = context;
  return async ({ sessionToken, clientUuid: requested, peer }) => {
    const { accountUuid } = await requireSession(context, sessionToken);
    const key = { accountUuid, clientUuid: requested.toLowerCase() };
    const nowMs = clock();
    await database.write(async (transaction) => {
      // The lock waits for a code that is being issued, so that it is revoked too.
      await lockAccount(transaction, database.dialect, accountUuid);
      if (!(await deleteConsents(transaction, key))) {
        throw new ServiceError("not_found", "the account has granted nothing to this application");
      }
      await revokeFamiliesOf(transaction, key, nowMs);
      const details = { address: peer?.address ?? "" };
      await recordEvent(transaction, { event: "consent.withdrawn", ...key, details }, nowMs);
    });
    return {};
  };
}
