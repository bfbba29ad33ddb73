import type { ConnectRouter } from "@connectrpc/connect";
import { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthMetrics } from "../auth-metrics.ts";
import { admitOpening } from "./admit-opening.ts";
import { batchIssueTokens } from "./batch-issue-tokens.ts";
import { beginAuthorization } from "./begin-authorization.ts";
import { beginEmailChange } from "./begin-email-change.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { checkOrigin } from "./check-origin.ts";
import { completeEmailChange } from "./complete-email-change.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { continueAuthorization } from "./continue-authorization.ts";
import { countedSignIn, countedTokens } from "./counted.ts";
import { createClient } from "./create-client.ts";
import { decideConsent } from "./decide-consent.ts";
import { deleteAccount } from "./delete-account.ts";
import type { Dependencies } from "./dependencies.ts";
import { disableClient } from "./disable-client.ts";
import { enableClient } from "./enable-client.ts";
import { endSession } from "./end-session.ts";
import { getClient } from "./get-client.ts";
import { getJwks } from "./get-jwks.ts";
import { getLogo } from "./get-logo.ts";
import { getRole } from "./get-role.ts";
import { getSession } from "./get-session.ts";
import { getUserInfo } from "./get-user-info.ts";
import { introspectToken } from "./introspect-token.ts";
import { inviteFounder } from "./invite-founder.ts";
import { issueActorToken } from "./issue-actor-token.ts";
import { issueTokens } from "./issue-tokens.ts";
import { listClients } from "./list-clients.ts";
import { listConsents } from "./list-consents.ts";
import { listKeys } from "./list-keys.ts";
import { listMembers } from "./list-members.ts";
import { listMemberships } from "./list-memberships.ts";
import { listSaleEvents } from "./list-sale-events.ts";
import { listSessions } from "./list-sessions.ts";
import { noteSaleChange } from "./note-sale-change.ts";
import { registerSale } from "./register-sale.ts";
import { removeMember } from "./remove-member.ts";
import { revokeToken } from "./revoke-token.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { setLogo } from "./set-logo.ts";
import { setMember } from "./set-member.ts";
import { signOut } from "./sign-out.ts";
import { updateClient } from "./update-client.ts";
import { withdrawConsent } from "./withdraw-consent.ts";

/** The services whose RPCs these are. */
export const AUTH_SERVICES = [AccountService, AuthorizationService, ClientService, MembershipService, KeyService];

/** The RPCs of the auth service. */
export function authRoutes(dependencies: Dependencies, metrics: AuthMetrics): (router: ConnectRouter) => void {
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
      noteSaleChange: noteSaleChange(dependencies),
    });
    router.service(KeyService, {
      listKeys: listKeys(dependencies),
      rotateKeys: rotateKeys(dependencies),
    });
  };
}
