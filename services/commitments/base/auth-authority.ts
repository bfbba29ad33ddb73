import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { memberSales, personOf, requireSaleRole } from "../../../common/internal-api/sale-role.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { boundedChanges } from "../../../common/sale/words/setting-change.ts";
import {
  type MembershipService,
  Removal,
  SaleChange,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { SaleAuthority } from "./sale-authority.ts";

/** The RPCs of auth that the commitments service calls. */
export type MembershipsClient = Pick<
  Client<typeof MembershipService>,
  | "registerSale"
  | "checkRegistration"
  | "getRole"
  | "getRoles"
  | "admitOpening"
  | "recordSaleChange"
  | "admitRemoval"
  | "completeRemoval"
>;

const REMOVALS = { withdrawal: Removal.WITHDRAWAL, deletion: Removal.DELETION } as const;
const CHANGES = {
  definition: SaleChange.DEFINITION,
  settlement: SaleChange.SETTLEMENT,
  webhooks: SaleChange.WEBHOOKS,
  commitments: SaleChange.COMMITMENTS,
} as const;

/** Permits operators everything, and people what their role in a sale permits; auth knows the roles. */
export function authAuthority(memberships: MembershipsClient): SaleAuthority {
  return {
    ownerOf,
    registerSale: async (saleUuid, ownerAccountUuid) => {
      await passingRefusals(memberships.registerSale({ saleUuid, ownerAccountUuid }));
    },
    checkRegistration: async (saleUuid, ownerAccountUuid) => {
      // An auth service of the version before has no such check: there `registerSale` refuses.
      const skipped = (error: unknown) => {
        if (ConnectError.from(error).code !== Code.Unimplemented) throw error;
      };
      await passingRefusals(memberships.checkRegistration({ saleUuid, ownerAccountUuid }).catch(skipped));
    },
    requireRole: async (principal, saleUuid, role) => {
      await requireSaleRole(memberships, principal, saleUuid, role);
    },
    visibleSales: (principal, saleUuids) => memberSales(memberships, principal, saleUuids),
    admitOpening: async (principal, saleUuid, checkOverridden) => {
      await passingRefusals(memberships.admitOpening({ saleUuid, ...personOf(principal), checkOverridden }));
    },
    admitRemoval: async (principal, { saleUuid, saleName, removal }) => {
      await passingRefusals(
        memberships.admitRemoval({ saleUuid, ...personOf(principal), removal: REMOVALS[removal], saleName }),
      );
    },
    completeRemoval: async (saleUuid) => {
      // Auth completes every admitted removal by itself.
      await memberships.completeRemoval({ saleUuid }).catch(() => {});
    },
    recordChange: async (principal, saleUuid, change, settings = [], checkOverridden = false) => {
      const recorded = { change: CHANGES[change], changes: boundedChanges(settings), checkOverridden };
      await passingRefusals(memberships.recordSaleChange({ saleUuid, ...personOf(principal), ...recorded }));
    },
  };
}

function ownerOf(principal: Principal, named: string): string {
  if (principal.kind === "operator") return named;
  if (named === "" || named === principal.accountUuid) return principal.accountUuid;
  throw new ServiceError("permission_denied", "a sale belongs to the person who creates it");
}
