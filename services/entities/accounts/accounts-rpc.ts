import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntityDependencies } from "../entities/dependencies.ts";
import { closeAccount } from "./close-account.ts";
import { eraseAccount } from "./erase-account.ts";
import { exportAccount } from "./export-account.ts";

/** The methods of `EntityService` for the deletion and the export of accounts. */
export function accountMethods(
  dependencies: EntityDependencies,
): Pick<ServiceImpl<typeof EntityService>, "closeAccount" | "eraseAccount" | "exportAccount"> {
  return {
    closeAccount: closeAccount(dependencies),
    eraseAccount: eraseAccount(dependencies),
    exportAccount: exportAccount(dependencies),
  };
}
