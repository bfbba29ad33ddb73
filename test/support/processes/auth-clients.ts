import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";

/** RPC clients of every service of auth. */
export interface AuthClients {
  readonly accounts: Client<typeof AccountService>;
  readonly authorization: Client<typeof AuthorizationService>;
  readonly clients: Client<typeof ClientService>;
  readonly memberships: Client<typeof MembershipService>;
  readonly keys: Client<typeof KeyService>;
  readonly secrets: Client<typeof SecretService>;
}

export function authClients(transport: Transport): AuthClients {
  return {
    accounts: createClient(AccountService, transport),
    authorization: createClient(AuthorizationService, transport),
    clients: createClient(ClientService, transport),
    memberships: createClient(MembershipService, transport),
    keys: createClient(KeyService, transport),
    secrets: createClient(SecretService, transport),
  };
}
