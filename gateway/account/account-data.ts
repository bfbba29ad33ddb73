import type { DescEnum } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "../../common/platform/encoding/enum-name.ts";
import { hexOfBytes } from "../../common/platform/encoding/hex.ts";
import { utcTime } from "../../common/platform/encoding/utc-time.ts";
import type {
  Account,
  AccountEvent,
  Consent,
  GetSignInRulesResponse,
  Passkey,
  Recovery,
  Session,
} from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AlertReasonSchema } from "../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import {
  EntityTypeSchema,
  IdentityProviderSchema,
  type IssuedPermitSummary,
  type LinkedWallet,
  SetupStateSchema,
  WalletKindSchema,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  type EntityDecision,
  type ExportAccountResponse,
  type ExportedEntity,
  ReviewEntryKindSchema,
} from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";

/** The data that is stored about a person, as the services answer it. */
export interface PersonalData {
  readonly account: Account;
  readonly sessions: readonly Session[];
  readonly passkeys: readonly Passkey[];
  /** Undefined where the auth service is of a version without such rules. */
  readonly rules: GetSignInRulesResponse | undefined;
  readonly consents: readonly Consent[];
  readonly events: readonly AccountEvent[];
  /** Undefined where nobody takes part through this gateway. */
  readonly entityExport: ExportAccountResponse | undefined;
}

/** Returns the file of a person's data: JSON, whose names and times are written as in the public calls. */
export function accountDataJson({
  account,
  sessions,
  passkeys,
  rules,
  consents,
  events,
  entityExport,
}: PersonalData): string {
  const { uuid, email, createdAt } = account;
  const data = {
    Account: { AccountUUID: uuid, Email: email, CreatedAt: timeOf(createdAt) },
    Sessions: sessions.map(sessionData),
    Passkeys: passkeys.map(passkeyData),
    PasskeyRequired: rules?.passkeyRequired,
    Recovery: rules?.recovery && recoveryData(rules.recovery),
    Applications: consents.map(consentData),
    Entities: entityExport?.entities.map(entityData),
    HiddenEntities: entityExport?.hiddenEntities.map(({ clientUuid, entityUuid }) => ({
      ClientUUID: clientUuid,
      EntityUUID: entityUuid,
    })),
    Decisions: entityExport?.decisions.map(decisionData),
    Permits: entityExport?.permits.map(permitData),
    Alerts: entityExport?.alerts.map(({ saleUuid, reasons }) => ({
      SaleUUID: saleUuid,
      Reasons: reasons.map((reason) => nameOf(AlertReasonSchema, reason)),
    })),
    Events: events.map(eventData),
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

function sessionData({ uuid, userAgent, authenticatedAt, lastSeenAt, expiresAt, current }: Session) {
  return {
    SessionUUID: uuid,
    Browser: userAgent,
    SignedInAt: timeOf(authenticatedAt),
    LastSeenAt: timeOf(lastSeenAt),
    ExpiresAt: timeOf(expiresAt),
    Current: current,
  };
}

function recoveryData({ begunAt, readyAt, expiresAt }: Recovery) {
  return { BegunAt: timeOf(begunAt), ReadyAt: timeOf(readyAt), ExpiresAt: timeOf(expiresAt) };
}

function passkeyData({ createdAt, lastUsedAt, ...passkey }: Passkey) {
  return {
    PasskeyUUID: passkey.uuid,
    Name: passkey.name,
    CredentialID: passkey.credentialId,
    AuthenticatorModel: passkey.aaguid,
    Transports: passkey.transports,
    BackupEligible: passkey.backupEligible,
    BackedUp: passkey.backedUp,
    Counter: passkey.counter,
    AddedAt: timeOf(createdAt),
    LastUsedAt: timeOf(lastUsedAt),
  };
}

function consentData({ clientUuid, clientName, saleUuid, grantedScopes, declinedScopes, updatedAt }: Consent) {
  return {
    ClientUUID: clientUuid,
    Name: clientName,
    SaleUUID: saleUuid,
    GrantedScopes: grantedScopes,
    DeclinedScopes: declinedScopes,
    UpdatedAt: timeOf(updatedAt),
  };
}

function eventData({ at, event, clientUuid, saleUuid, address }: AccountEvent) {
  return {
    At: timeOf(at),
    Event: event,
    ClientUUID: textOf(clientUuid),
    SaleUUID: textOf(saleUuid),
    Address: textOf(address),
  };
}

function decisionData({ entityUuid, decidedAt, approved, asked, approvalExpiresAt, final }: EntityDecision) {
  // A question is none yet: neither an approval nor a refusal.
  if (asked) return { EntityUUID: entityUuid, DecidedAt: timeOf(decidedAt), Asked: true };
  return {
    EntityUUID: entityUuid,
    DecidedAt: timeOf(decidedAt),
    Approved: approved,
    ApprovalExpiresAt: timeOf(approvalExpiresAt),
    Final: approved ? undefined : final,
  };
}

function entityData({ entity, wallets, sales, questions }: ExportedEntity) {
  if (entity === undefined) throw new TypeError("ExportedEntity is incomplete");
  return {
    EntityUUID: entity.uuid,
    EntityType: nameOf(EntityTypeSchema, entity.type),
    Label: entity.label,
    Country: textOf(entity.country),
    SetupState: nameOf(SetupStateSchema, entity.setupState),
    SetupReason: textOf(entity.setupReason),
    OpenQuestion: textOf(entity.openQuestion),
    ApprovedBy: nameOf(IdentityProviderSchema, entity.approvedBy),
    ApprovalExpiresAt: timeOf(entity.approvalExpiresAt),
    CreatedAt: timeOf(entity.createdAt),
    Wallets: wallets.map(walletData),
    Sales: sales.map(({ saleUuid, entityUuid, saleSpecificEntityId, presenceProvedAt }) => ({
      SaleUUID: saleUuid,
      EntityID: entityUuid,
      SaleSpecificEntityID: `0x${hexOfBytes(saleSpecificEntityId)}`,
      PresenceProvedAt: timeOf(presenceProvedAt),
    })),
    Questions: questions.map(({ kind, text, at }) => ({
      Kind: nameOf(ReviewEntryKindSchema, kind),
      Text: text,
      At: timeOf(at),
    })),
  };
}

function walletData({ kind, address, linkedAt, boundSaleUuids, countsEverywhere, chainIds }: LinkedWallet) {
  return {
    Kind: nameOf(WalletKindSchema, kind),
    Address: address,
    LinkedAt: timeOf(linkedAt),
    BoundSaleUUIDs: boundSaleUuids,
    CountsEverywhere: countsEverywhere,
    ChainIDs: chainIds.map(String),
  };
}

function permitData({ saleUuid, entityUuid, wallet, clientUuid, issuedAt, expiresAt }: IssuedPermitSummary) {
  return {
    SaleUUID: saleUuid,
    EntityUUID: entityUuid,
    Wallet: wallet,
    ClientUUID: clientUuid,
    IssuedAt: timeOf(issuedAt),
    ExpiresAt: timeOf(expiresAt),
  };
}

/** The name of an enum value; undefined for the unspecified one. A service of a later version may have values without a name here. */
function nameOf(schema: DescEnum, number: number): string | undefined {
  return number === 0 ? undefined : (enumName(schema, number) ?? `unknown_${number}`);
}

function textOf(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function timeOf(timestamp: Timestamp | undefined): string | undefined {
  return timestamp && utcTime(timestampDate(timestamp));
}
