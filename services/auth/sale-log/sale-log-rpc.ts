import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { listSaleEvents } from "./list-sale-events.ts";
import { recordSaleChange } from "./record-sale-change.ts";

/** The methods of `MembershipService` for the activity log of a sale. */
export function saleLogMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof MembershipService>, "listSaleEvents" | "recordSaleChange"> {
  return { listSaleEvents: listSaleEvents(context), recordSaleChange: recordSaleChange(context) };
}
