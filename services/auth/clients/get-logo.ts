import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { ClientDependencies } from "./dependencies.ts";
import { findLogo } from "./logos-store.ts";

/** Logos are public: the pages of an authorization show them to anybody. */
export function getLogo({
  database,
}: Pick<ClientDependencies, "database">): ServiceImpl<typeof ClientService>["getLogo"] {
  return async ({ logo }) => {
    const stored = await findLogo(database, logo);
    if (stored === undefined) throw new ServiceError("not_found", `there is no logo ${logo}`);
    return { mediaType: stored.mediaType, image: new Uint8Array(stored.bytes) };
  };
}
