import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import {
  type MembershipService,
  Removal,
  Role,
  SaleChange,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { toServiceError } from "../../shared/rpc/errors.ts";
import type { Principal } from "../../shared/rpc/identity/principal.ts";
import { boundedChanges } from "../../shared/sale-definition/setting-change.ts";
import type { SaleAuthority, SaleRole } from "./sale-authority.ts";

/** The RPCs of auth that the commitments service calls. */
export type MembershipsClient = Pick<
  Client<typeof MembershipService>,
  | "registerSale"
  | "checkRegistration"
  | "getRole"
  | "admitOpening"
  | "recordSaleChange"
  | "admitRemoval"
  | "completeRemoval"
>;

/** A higher role permits more. */
const RANKS: readonly Role[] = [Role.VIEWER, Role.EDITOR, Role.OWNER];
const REMOVALS = { withdrawal: Removal.WITHDRAWAL, deletion: Removal.DELETION } as const;
const CHANGES = { definition: SaleChange.DEFINITION, settlement: SaleChange.SETTLEMENT } as const;
const ROLES: Readonly<Record<SaleRole, Role>> = { viewer: Role.VIEWER, editor: Role.EDITOR, owner: Role.OWNER };

/** Permits operators everything, and people what their role in a sale permits; auth knows the roles. */
export function authAuthority(memberships: MembershipsClient): SaleAuthority {
  return {
    ownerOf,
    registerSale: async (saleUuid, ownerAccountUuid) => {
      await asked(memberships.registerSale({ saleUuid, ownerAccountUuid }));
    },
    checkRegistration: async (saleUuid, ownerAccountUuid) => {
      // An auth service of the version before has no such check: there `registerSale` refuses.
      const skipped = (error: unknown) => {
        if (ConnectError.from(error).code !== Code.Unimplemented) throw error;
      };
      await asked(memberships.checkRegistration({ saleUuid, ownerAccountUuid }).catch(skipped));
    },
    requireRole: async (principal, saleUuid, role) => {
      if (principal.kind === "operator") return;
      const { accountUuid } = principal;
      const found = await asked(memberships.getRole({ saleUuid, accountUuid, neededRole: ROLES[role] }));
      requireRank(RANKS.indexOf(found.role), saleUuid, role);
    },
    admitOpening: async (principal, saleUuid, checkOverridden) => {
      await asked(memberships.admitOpening({ saleUuid, ...person(principal), checkOverridden }));
    },
    admitRemoval: async (principal, { saleUuid, saleName, removal }) => {
      await asked(memberships.admitRemoval({ saleUuid, ...person(principal), removal: REMOVALS[removal], saleName }));
    },
    completeRemoval: async (saleUuid) => {
      // Auth completes every admitted removal by itself.
      await memberships.completeRemoval({ saleUuid }).catch(() => {});
    },
    recordChange: async (principal, saleUuid, change, settings = [], checkOverridden = false) => {
      const recorded = { change: CHANGES[change], changes: boundedChanges(settings), checkOverridden };
      await asked(memberships.recordSaleChange({ saleUuid, ...person(principal), ...recorded }));
    },
  };
}

function ownerOf(principal: Principal, wanted: string): string {
  if (principal.kind === "operator") return wanted;
  if (wanted === "" || wanted === principal.accountUuid) return principal.accountUuid;
  throw new ServiceError("permission_denied", "a sale belongs to the person who creates it");
}

function requireRank(rank: number, saleUuid: string, role: SaleRole): void {
  // Strangers must not learn whether the sale exists.
  if (rank < 0) throw new ServiceError("not_found", `there is no sale ${saleUuid}`);
  if (rank < RANKS.indexOf(ROLES[role]))
    throw new ServiceError("permission_denied", `this requires the role ${role} in the sale`);
}

/** The person of a call, with the time of the sign-in, as auth's requests name both. */
function person(principal: Principal) {
  if (principal.kind === "operator") return {};
  const authenticatedAt = timestampFromMs(Number(principal.authenticatedAtMs));
  return { accountUuid: principal.accountUuid, authenticatedAt };
}

/** Passes refusals of auth on. A refusal of this service itself is a mistake in the configuration. */
async function asked<Response>(call: Promise<Response>): Promise<Response> {
  try {
    return await call;
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal === undefined || refusal.code === "unauthenticated" || refusal.code === "invalid_argument") throw error;
    throw refusal;
  }
}
