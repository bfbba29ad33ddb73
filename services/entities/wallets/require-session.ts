import type { HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requirePerson } from "../authority/person.ts";
import type { ChallengeHolder } from "./link-challenges-store.ts";

/** Returns the person for whom a call is made, with the session. @throws ServiceError `unauthenticated` where there is none */
export function requireSession(context: Pick<HandlerContext, "values">): ChallengeHolder {
  const { accountUuid, sessionUuid } = requirePerson(context);
  if (sessionUuid !== undefined) return { accountUuid, sessionUuid };
  throw new ServiceError("unauthenticated", "the call must name the session in which it is made");
}
