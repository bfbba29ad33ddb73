import { create } from "@bufbuild/protobuf";
import {
  type Account as AccountMessage,
  AccountSchema,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { Account } from "./accounts-store.ts";

export function accountMessage({ uuid, email, createdAtMs }: Account): AccountMessage {
  return create(AccountSchema, { uuid, email, createdAt: timestampOf(createdAtMs) });
}
