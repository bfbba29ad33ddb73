import type { AllowedCallers } from "../../common/platform/rpc/identity/allowed-callers.ts";
import { STATUS_CALLERS } from "../../common/platform/rpc/server/status.ts";
import { AccountService } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { KeyService } from "../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { MembershipService } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";

/** The gateway calls for browsers and applications. */
const GATEWAY = ["gateway"];
/** Callers that act for founders: the gateway with an actor token, or an operator. */
const FOUNDERS = ["gateway", "operator"];
/** Callers that verify actor tokens, or access tokens by their keys. A `resource-server` is a service that the deployment adds. */
const VERIFIERS = ["commitments", "entities", "feeder", "operator", "resource-server"];

/** The callers that may use each method. */
export const ALLOWED_CALLERS: AllowedCallers = {
  [AccountService.typeName]: {
    BeginSignIn: GATEWAY,
    GetSignIn: GATEWAY,
    CompleteSignIn: GATEWAY,
    GetSession: GATEWAY,
    SignOut: GATEWAY,
    IssueActorToken: GATEWAY,
    ListSessions: GATEWAY,
    EndSession: GATEWAY,
    EndOtherSessions: GATEWAY,
    ListConsents: GATEWAY,
    WithdrawConsent: GATEWAY,
    BeginEmailChange: GATEWAY,
    CompleteEmailChange: GATEWAY,
    DeleteAccount: GATEWAY,
    GetAccounts: ["entities"],
    NotifyAccount: ["entities"],
    NotifyReviewer: ["entities"],
    ListAccountEvents: GATEWAY,
    BeginPasskeySignIn: GATEWAY,
    CompletePasskeySignIn: GATEWAY,
    BeginPasskeyAddition: GATEWAY,
    CompletePasskeyAddition: GATEWAY,
    ListPasskeys: GATEWAY,
    RenamePasskey: GATEWAY,
    RemovePasskey: GATEWAY,
    GetSignInRules: GATEWAY,
    BeginRecovery: GATEWAY,
    StopRecovery: GATEWAY,
    CompleteRecovery: GATEWAY,
    SetPasskeyRequired: GATEWAY,
    RecoverAccount: ["operator"],
  },
  [AuthorizationService.typeName]: {
    PushAuthorizationRequest: GATEWAY,
    BeginAuthorization: GATEWAY,
    ContinueAuthorization: GATEWAY,
    DecideConsent: GATEWAY,
    ChooseAccount: GATEWAY,
    BeginLogout: GATEWAY,
    CompleteLogout: GATEWAY,
    IssueTokens: GATEWAY,
    BatchIssueTokens: GATEWAY,
    RevokeToken: GATEWAY,
    GetUserInfo: GATEWAY,
    IntrospectToken: ["feeder", "operator", "resource-server"],
    IntrospectOwnToken: GATEWAY,
    CheckAccess: ["entities"],
    GetDpopNonce: GATEWAY,
    GetJwks: ["gateway", ...VERIFIERS],
    CheckOrigin: GATEWAY,
  },
  [ClientService.typeName]: Object.fromEntries(ClientService.methods.map(({ name }) => [name, FOUNDERS])),
  [MembershipService.typeName]: {
    ListMembers: FOUNDERS,
    SetMember: FOUNDERS,
    RemoveMember: FOUNDERS,
    SetSalePasskeyRule: FOUNDERS,
    ListMemberships: GATEWAY,
    ListSaleEvents: FOUNDERS,
    InviteFounder: ["operator"],
    RegisterSale: ["commitments"],
    GetRole: ["commitments", "entities"],
    GetRoles: ["commitments", "entities"],
    CheckRole: GATEWAY,
    AdmitOpening: ["commitments"],
    RecordSaleChange: ["commitments", "entities"],
    CheckRegistration: ["commitments"],
    AdmitRemoval: ["commitments"],
    CompleteRemoval: ["commitments"],
  },
  [KeyService.typeName]: {
    ListKeys: ["operator"],
    RotateKeys: ["operator"],
    RemoveKeys: ["operator"],
  },
  [SecretService.typeName]: { RewrapSecrets: ["operator"] },
  ...STATUS_CALLERS,
};
