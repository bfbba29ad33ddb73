import type { ConnectRouter } from "@connectrpc/connect";
import { secretMethods } from "../../common/platform/rewrap/rewrap-rpc.ts";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { accountMethods } from "./accounts/accounts-rpc.ts";
import { clientMethods, openingMethods, originMethods } from "./applications/applications-rpc.ts";
import { authorizationMethods } from "./authorization/authorization-rpc.ts";
import type { AuthMetrics } from "./base/auth-metrics.ts";
import { consentMethods } from "./consents/consents-rpc.ts";
import { jwksMethods, keyMethods } from "./keys/keys-rpc.ts";
import { wrappedKeys } from "./keys/wrapped-keys-store.ts";
import { logoutMethods } from "./logout/logout-rpc.ts";
import { membershipMethods } from "./memberships/memberships-rpc.ts";
import { recordingRefusals } from "./memberships/record-refusals.ts";
import { passkeyMethods } from "./passkeys/passkeys-rpc.ts";
import { recoveryMethods } from "./recovery/recovery-rpc.ts";
import { saleLogMethods } from "./sale-log/sale-log-rpc.ts";
import { sessionMethods } from "./sessions/sessions-rpc.ts";
import { tokenMethods } from "./tokens/tokens-rpc.ts";
import type { WiredContext } from "./wired-context.ts";

/** The services that `authRoutes` serves. */
export const AUTH_SERVICES = [
  AccountService,
  AuthorizationService,
  ClientService,
  MembershipService,
  KeyService,
  SecretService,
];

/** The RPCs of the auth service: each service gets its methods from the subjects that own them. */
export function authRoutes(context: WiredContext, metrics: AuthMetrics): (router: ConnectRouter) => void {
  return (router) => {
    router.service(AccountService, {
      ...accountMethods(context, metrics),
      ...sessionMethods(context),
      ...passkeyMethods(context, metrics),
      ...consentMethods(context),
      ...recoveryMethods(context),
    });
    router.service(AuthorizationService, {
      ...authorizationMethods(context),
      ...logoutMethods(context),
      ...tokenMethods(context, metrics),
      ...jwksMethods(context),
      ...originMethods(context),
    });
    router.service(ClientService, recordingRefusals(context, clientMethods(context)));
    const memberships = { ...membershipMethods(context), ...saleLogMethods(context), ...openingMethods(context) };
    router.service(MembershipService, recordingRefusals(context, memberships));
    router.service(KeyService, keyMethods(context, metrics));
    router.service(SecretService, secretMethods({ keyId: context.keyEncryptionKeyId, kinds: wrappedKeys(context) }));
  };
}
