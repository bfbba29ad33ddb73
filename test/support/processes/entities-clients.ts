import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";

/** RPC clients of every service of entities. */
export interface EntitiesClients {
  readonly entities: Client<typeof EntityService>;
  readonly wallets: Client<typeof WalletService>;
  readonly eligibility: Client<typeof EligibilityService>;
  readonly permits: Client<typeof PermitService>;
  readonly secrets: Client<typeof SecretService>;
}

export function entitiesClients(transport: Transport): EntitiesClients {
  return {
    entities: createClient(EntityService, transport),
    wallets: createClient(WalletService, transport),
    eligibility: createClient(EligibilityService, transport),
    permits: createClient(PermitService, transport),
    secrets: createClient(SecretService, transport),
  };
}
