import type { ConnectRouter } from "@connectrpc/connect";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { beginEmailChange } from "./accounts/begin-email-change.ts";
import { beginSignIn } from "./accounts/begin-sign-in.ts";
import { completeEmailChange } from "./accounts/complete-email-change.ts";
import { completeSignIn } from "./accounts/complete-sign-in.ts";
import { deleteAccount } from "./accounts/delete-account.ts";
import { getSession } from "./accounts/get-session.ts";
import { beginAuthorization } from "./authorization/begin-authorization-rpc.ts";
import { continueAuthorization } from "./authorization/continue-authorization-rpc.ts";
import { decideConsent } from "./authorization/decide-consent-rpc.ts";
import { listConsents } from "./authorization/list-consents.ts";
import { withdrawConsent } from "./authorization/withdraw-consent.ts";
import type { AuthMetrics } from "./base/auth-metrics.ts";
import { countedSignIn, countedTokens } from "./call-metrics.ts";
import { admitOpening } from "./clients/admit-opening.ts";
import { checkOrigin } from "./clients/check-origin.ts";
import { createClient } from "./clients/create-client.ts";
import { disableClient } from "./clients/disable-client.ts";
import { enableClient } from "./clients/enable-client.ts";
import { getClient } from "./clients/get-client.ts";
import { getLogo } from "./clients/get-logo.ts";
import { listClients } from "./clients/list-clients.ts";
import { setLogo } from "./clients/set-logo.ts";
import { updateClient } from "./clients/update-client.ts";
import type { AuthDependencies } from "./dependencies.ts";
import { getJwks } from "./keys/get-jwks.ts";
import { listKeys } from "./keys/list-keys.ts";
import { rotateKeys } from "./keys/rotate-keys.ts";
import { getRole } from "./memberships/get-role.ts";
import { inviteFounder } from "./memberships/invite-founder.ts";
import { listMembers } from "./memberships/list-members.ts";
import { listMemberships } from "./memberships/list-memberships.ts";
import { listSaleEvents } from "./memberships/list-sale-events.ts";
import { recordSaleChange } from "./memberships/record-sale-change.ts";
import { registerSale } from "./memberships/register-sale.ts";
import { removeMember } from "./memberships/remove-member.ts";
import { setMember } from "./memberships/set-member.ts";
import { endSession } from "./sessions/end-session.ts";
import { issueActorToken } from "./sessions/issue-actor-token.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { signOut } from "./sessions/sign-out.ts";
import { batchIssueTokens } from "./tokens/batch-issue-tokens.ts";
import { getUserInfo } from "./tokens/get-user-info.ts";
import { introspectToken } from "./tokens/introspect-token.ts";
import { issueTokens } from "./tokens/issue-tokens.ts";
import { revokeToken } from "./tokens/revoke-token-rpc.ts";

/** The services whose RPCs these are. */
export const AUTH_SERVICES = [AccountService, AuthorizationService, ClientService, MembershipService, KeyService];

/** The RPCs of the auth service. */
export function authRoutes(dependencies: AuthDependencies, metrics: AuthMetrics): (router: ConnectRouter) => void {
  const issue = countedTokens(issueTokens(dependencies), metrics);
  return (router) => {
    router.service(AccountService, {
      beginSignIn: beginSignIn(dependencies),
      completeSignIn: countedSignIn(completeSignIn(dependencies), metrics),
      getSession: getSession(dependencies),
      signOut: signOut(dependencies),
      issueActorToken: issueActorToken(dependencies),
      listSessions: listSessions(dependencies),
      endSession: endSession(dependencies),
      listConsents: listConsents(dependencies),
      withdrawConsent: withdrawConsent(dependencies),
      beginEmailChange: beginEmailChange(dependencies),
      completeEmailChange: completeEmailChange(dependencies),
      deleteAccount: deleteAccount(dependencies),
    });
    router.service(AuthorizationService, {
      beginAuthorization: beginAuthorization(dependencies),
      continueAuthorization: continueAuthorization(dependencies),
      decideConsent: decideConsent(dependencies),
      issueTokens: issue,
      batchIssueTokens: batchIssueTokens(issue, dependencies),
      revokeToken: revokeToken(dependencies),
      getUserInfo: getUserInfo(dependencies),
      introspectToken: introspectToken(dependencies),
      getJwks: getJwks(dependencies),
      checkOrigin: checkOrigin(dependencies),
    });
    router.service(ClientService, {
      createClient: createClient(dependencies),
      getClient: getClient(dependencies),
      listClients: listClients(dependencies),
      updateClient: updateClient(dependencies),
      setLogo: setLogo(dependencies),
      disableClient: disableClient(dependencies),
      enableClient: enableClient(dependencies),
      getLogo: getLogo(dependencies),
    });
    router.service(MembershipService, {
      listMembers: listMembers(dependencies),
      setMember: setMember(dependencies),
      removeMember: removeMember(dependencies),
      listMemberships: listMemberships(dependencies),
      listSaleEvents: listSaleEvents(dependencies),
      inviteFounder: inviteFounder(dependencies),
      registerSale: registerSale(dependencies),
      getRole: getRole(dependencies),
      admitOpening: admitOpening(dependencies),
      recordSaleChange: recordSaleChange(dependencies),
    });
    router.service(KeyService, {
      listKeys: listKeys(dependencies),
      rotateKeys: rotateKeys(dependencies),
    });
  };
}
