import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleAuthority } from "./sale-authority.ts";

/** Permits operators everything and other callers nothing; used without an auth service. */
export const operatorsOnly: SaleAuthority = {
  ownerOf: (principal, wanted) => {
    requireOperator(principal);
    return wanted;
  },
  registerSale: async () => {},
  checkRegistration: async () => {},
  requireRole: async (principal) => requireOperator(principal),
  visibleSales: async (principal, saleUuids) => {
    requireOperator(principal);
    return saleUuids;
  },
  admitOpening: async (principal) => requireOperator(principal),
  admitRemoval: async (principal) => requireOperator(principal),
  completeRemoval: async () => {},
  recordChange: async () => {},
};

function requireOperator({ kind }: Principal): void {
  if (kind === "operator") return;
  throw new ServiceError("permission_denied", "without an auth service only an operator may do this");
}
