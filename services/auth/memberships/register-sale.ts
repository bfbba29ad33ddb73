import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import { registerSale as registerStored } from "./register-sale-transaction.ts";
import { readSale } from "./sale-facts.ts";

export function registerSale(
  dependencies: MembershipDependencies,
): ServiceImpl<typeof MembershipService>["registerSale"] {
  const { database, clock, onlyFounders } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const existing = await readSale(dependencies, saleUuid, context);
    await registerStored(database, {
      saleUuid,
      owner: request.ownerAccountUuid.toLowerCase(),
      existingOwner: existing?.ownerAccountUuid,
      onlyFounders,
      nowMs: clock(),
    });
    return {};
  };
}
