import type { DescEnum } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Account, Consent, Session } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import {
  EntityTypeSchema,
  IdentityProviderSchema,
  type IssuedPermitSummary,
  type LinkedWallet,
  SetupStateSchema,
  WalletKindSchema,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { ExportAccountResponse, ExportedEntity } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { enumName } from "../../services/shared/encoding/enum-name.ts";
import { hexOfBytes } from "../../services/shared/encoding/hex.ts";
import { utcTime } from "../../services/shared/encoding/utc-time.ts";

/** The data that is stored about a person, as the services answer it. */
export interface PersonalData {
  readonly account: Account;
  readonly sessions: readonly Session[];
  readonly consents: readonly Consent[];
  /** Undefined where nobody takes part through this gateway. */
  readonly participation: ExportAccountResponse | undefined;
}

/** Returns the file of a person's data: JSON, whose names and times are written as in the public calls. */
export function accountDataJson({ account, sessions, consents, participation }: PersonalData): string {
  const { uuid, email, createdAt } = account;
  const data = {
    Account: { AccountUUID: uuid, Email: email, CreatedAt: timeOf(createdAt) },
    Sessions: sessions.map(sessionData),
    Applications: consents.map(consentData),
    Entities: participation?.entities.map(entityData),
    Permits: participation?.permits.map(permitData),
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

function entityData({ entity, wallets, sales }: ExportedEntity) {
  if (entity === undefined) throw new TypeError("ExportedEntity is incomplete");
  return {
    EntityUUID: entity.uuid,
    EntityType: nameOf(EntityTypeSchema, entity.type),
    Label: entity.label,
    Country: entity.country === "" ? undefined : entity.country,
    SetupState: nameOf(SetupStateSchema, entity.setupState),
    SetupReason: entity.setupReason === "" ? undefined : entity.setupReason,
    ApprovedBy: nameOf(IdentityProviderSchema, entity.approvedBy),
    ApprovalExpiresAt: timeOf(entity.approvalExpiresAt),
    CreatedAt: timeOf(entity.createdAt),
    Wallets: wallets.map(walletData),
    Sales: sales.map(({ saleUuid, entityUuid, saleSpecificEntityId }) => ({
      SaleUUID: saleUuid,
      EntityID: entityUuid,
      SaleSpecificEntityID: `0x${hexOfBytes(saleSpecificEntityId)}`,
    })),
  };
}

function walletData({ kind, address, linkedAt, boundSaleUuids }: LinkedWallet) {
  return {
    Kind: nameOf(WalletKindSchema, kind),
    Address: address,
    LinkedAt: timeOf(linkedAt),
    BoundSaleUUIDs: boundSaleUuids,
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

function timeOf(timestamp: Timestamp | undefined): string | undefined {
  return timestamp && utcTime(timestampDate(timestamp));
}
