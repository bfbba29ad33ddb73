import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";

/** A member as `ImportMembers` takes it. */
export type MemberInit = MessageInitShape<typeof GroupMemberSchema>;
