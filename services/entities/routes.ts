import type { ConnectRouter } from "@connectrpc/connect";
import { secretMethods } from "../../common/platform/rewrap/rewrap-rpc.ts";
import { keyEncryptionKeyId } from "../../common/platform/secrets/key-id.ts";
import { AlertService } from "../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { EligibilityService } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { WalletService } from "../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { accountMethods } from "./accounts/accounts-rpc.ts";
import { alertMethods } from "./alerts/alerts-rpc.ts";
import { applicationMethods } from "./applications/applications-rpc.ts";
import { eligibilityMethods } from "./eligibility/eligibility-rpc.ts";
import { entityMethods } from "./entities/entities-rpc.ts";
import { memberMethods } from "./members/members-rpc.ts";
import { keyMethods } from "./permit-keys/keys-rpc.ts";
import { barrierMethods } from "./permits/barriers-rpc.ts";
import { permitMethods } from "./permits/permits-rpc.ts";
import { dayMethods } from "./permits/sale-days-rpc.ts";
import { rulesMethods } from "./rules/rules-rpc.ts";
import { setupMethods } from "./setup/setup-rpc.ts";
import { walletMethods } from "./wallets/wallets-rpc.ts";
import type { WiredContext } from "./wired-context.ts";
import { wrappedSecrets } from "./wrapped-secrets-store.ts";

/** The services that `entitiesRoutes` serves. */
export const ENTITIES_SERVICES = [
  EntityService,
  WalletService,
  EligibilityService,
  PermitService,
  AlertService,
  SecretService,
];

/** The RPCs of the entities service: each service gets its methods from the subjects that own them. */
export function entitiesRoutes(dependencies: WiredContext): (router: ConnectRouter) => void {
  return (router) => {
    router.service(EntityService, {
      ...entityMethods(dependencies),
      ...setupMethods(dependencies),
      ...applicationMethods(dependencies),
      ...accountMethods(dependencies),
    });
    router.service(WalletService, walletMethods(dependencies));
    router.service(EligibilityService, {
      ...rulesMethods(dependencies),
      ...memberMethods(dependencies),
      ...eligibilityMethods(dependencies),
    });
    router.service(PermitService, {
      ...keyMethods(dependencies),
      ...permitMethods(dependencies),
      ...barrierMethods(dependencies),
      ...dayMethods(dependencies),
    });
    router.service(AlertService, alertMethods(dependencies));
    const keyId = keyEncryptionKeyId(dependencies.config.keyEncryptionKey);
    router.service(SecretService, secretMethods({ keyId, kinds: wrappedSecrets(dependencies) }));
  };
}
