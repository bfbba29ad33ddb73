import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { changeDenyList } from "./change-deny-list.ts";
import { exportMembers } from "./export-members.ts";
import { importMembers } from "./import-members.ts";
import { listDenyList } from "./list-deny-list.ts";
import { listMembers } from "./list-members.ts";
import { removeMembers } from "./remove-members.ts";

/** The methods of `EligibilityService` for the members and the deny list of a sale. */
export function memberMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EligibilityService>,
  "importMembers" | "listMembers" | "removeMembers" | "exportMembers" | "changeDenyList" | "listDenyList"
> {
  return {
    importMembers: importMembers(dependencies),
    listMembers: listMembers(dependencies),
    removeMembers: removeMembers(dependencies),
    exportMembers: exportMembers(dependencies),
    changeDenyList: changeDenyList(dependencies),
    listDenyList: listDenyList(dependencies),
  };
}
