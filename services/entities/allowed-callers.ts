import type { AllowedCallers } from "../../common/platform/rpc/identity/allowed-callers.ts";
import { STATUS_CALLERS } from "../../common/platform/rpc/server/status.ts";
import { AlertService } from "../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { EligibilityService } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { WalletService } from "../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { SecretService } from "../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";

/** The gateway calls for people who are signed in, and for applications with their users' tokens. */
const GATEWAY = ["gateway"];
/** Callers that act for founders and reviewers: the gateway with an actor token, or an operator. */
const FOUNDERS = ["gateway", "operator"];

/** The callers that may use each method. */
export const ALLOWED_CALLERS: AllowedCallers = {
  [EntityService.typeName]: {
    CreateEntity: GATEWAY,
    ListEntities: GATEWAY,
    GetEntity: FOUNDERS,
    UpdateEntity: GATEWAY,
    DeleteEntity: GATEWAY,
    BeginSetup: GATEWAY,
    ReportSetup: GATEWAY,
    ChooseDemoSetup: GATEWAY,
    ListReviews: FOUNDERS,
    DecideReview: FOUNDERS,
    AddReviewNote: FOUNDERS,
    ConfirmLiveness: GATEWAY,
    GetSetupPolicy: FOUNDERS,
    ImportEntityIds: ["operator"],
    ChangeHiddenEntities: GATEWAY,
    GetHiddenEntities: GATEWAY,
    GetProfile: GATEWAY,
    ListAvailableEntities: GATEWAY,
    ReadAvailableEntity: GATEWAY,
    ListInvestments: GATEWAY,
    CloseAccount: ["auth"],
    EraseAccount: ["auth"],
    ExportAccount: GATEWAY,
  },
  [WalletService.typeName]: {
    BeginWalletLink: GATEWAY,
    CompleteWalletLink: GATEWAY,
    UnlinkWallet: GATEWAY,
    // Nobody: `GetEntity` returns them.
    ListWallets: [],
  },
  [EligibilityService.typeName]: {
    GetRules: FOUNDERS,
    UpdateRules: FOUNDERS,
    ImportMembers: FOUNDERS,
    ListMembers: FOUNDERS,
    RemoveMembers: FOUNDERS,
    ExportMembers: FOUNDERS,
    ChangeDenyList: FOUNDERS,
    ListDenyList: FOUNDERS,
    SetFreeze: FOUNDERS,
    ListFreezes: FOUNDERS,
    CheckEligibility: GATEWAY,
    GetLimits: GATEWAY,
    GetPublicRules: GATEWAY,
  },
  [PermitService.typeName]: {
    CreateKey: FOUNDERS,
    ActivateKey: FOUNDERS,
    RetireKey: FOUNDERS,
    ListKeys: FOUNDERS,
    GetSigner: FOUNDERS,
    IssuePermit: GATEWAY,
    ListPermits: FOUNDERS,
    CountPermits: FOUNDERS,
    CountSaleDays: FOUNDERS,
    ListPermitSummaries: FOUNDERS,
    ListOpeningProblems: FOUNDERS,
    AdmitOpening: ["commitments"],
    StopPermits: ["commitments"],
    EraseSale: ["commitments"],
  },
  [AlertService.typeName]: {
    ListAlerts: GATEWAY,
    SetAlerts: GATEWAY,
    StopAlerts: GATEWAY,
  },
  [SecretService.typeName]: { RewrapSecrets: ["operator"] },
  ...STATUS_CALLERS,
};
