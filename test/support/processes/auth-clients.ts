import type { Transport } from "@connectrpc/connect";
import { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { type ClientsOf, clientsOf } from "./service-process.ts";

const SERVICES = {
  accounts: AccountService,
  authorization: AuthorizationService,
  clients: ClientService,
  memberships: MembershipService,
  keys: KeyService,
  secrets: SecretService,
};

/** RPC clients of every service of auth. */
export type AuthClients = ClientsOf<typeof SERVICES>;

export function authClients(transport: Transport): AuthClients {
  return clientsOf(SERVICES, transport);
}
