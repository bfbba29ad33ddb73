import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { registerSale as registerStored } from "./register-sale-transaction.ts";
import { readSale } from "./sale-facts.ts";

type Needed = Pick<Dependencies, "database" | "clock" | "config" | "sales">;

export function registerSale(dependencies: Needed): ServiceImpl<typeof MembershipService>["registerSale"] {
  const { database, clock, config } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const existing = await readSale(dependencies, saleUuid, context);
    await registerStored(database, {
      saleUuid,
      owner: request.ownerAccountUuid.toLowerCase(),
      existingOwner: existing?.ownerAccountUuid,
      onlyFounders: config.founders === "invited",
      nowMs: clock(),
    });
    return {};
  };
}
