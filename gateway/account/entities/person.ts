import { type CallOptions, Code } from "@connectrpc/connect";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { ServiceErrorCode } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { DisputedWallet, Entity, LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../../web/pages/account-link.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import type { Sender } from "../../web/sessions/browser-cookies.ts";
import { type CurrentSession, requireRecentSession, requireSession } from "../../web/sessions/session.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";

/** A signed-in person. */
export interface Person extends CurrentSession {
  /** Options of calls of the entities service on this person's behalf. */
  readonly options: CallOptions;
  /** The authorization or link that brought the person here; undefined where none is known. */
  readonly sender: Sender | undefined;
}

/** An entity of the signed-in person. */
export interface OwnEntity {
  readonly person: Person;
  readonly entity: Entity;
  readonly wallets: readonly LinkedWallet[];
  /** Wallets that another entity wants in an open sale, too. */
  readonly disputedWallets: readonly DisputedWallet[];
}

/**
 * Returns the signed-in person.
 *
 * @param isRecent whether the sign-in must be recent
 * @throws SignInRequired, which leads back to the page
 */
export async function personOf(c: AuthContext, dependencies: EntityDependencies, isRecent = false): Promise<Person> {
  const next = c.req.path;
  const current = await (isRecent ? requireRecentSession : requireSession)(c, dependencies, next);
  const sender = dependencies.cookies.sender(c);
  return { ...current, sender, options: await atEntities(current, dependencies, next) };
}

/** Returns the entity that the page's path names. @throws PageError 404 for anybody else's; SignInRequired */
export async function ownEntityOf(
  c: AuthContext,
  dependencies: EntityDependencies,
  isRecent = false,
): Promise<OwnEntity> {
  const person = await personOf(c, dependencies, isRecent);
  const entityUuid = parseUuid(c.req.param("entity") ?? "");
  if (entityUuid === undefined) throw entityMissing();
  try {
    const response = await dependencies.entitiesUpstream.entities.getEntity({ entityUuid }, person.options);
    if (response.entity === undefined) throw new TypeError("GetEntityResponse is incomplete");
    const { entity, wallets, disputedWallets } = response;
    return { person, entity, wallets, disputedWallets };
  } catch (error) {
    throw isRefused(error, Code.NotFound) ? entityMissing() : error;
  }
}

function entityMissing(): PageError {
  return new PageError(
    404,
    ({ entity }) => entity.missingTitle,
    ({ entity }) => entity.missingText,
    { link: ACCOUNT_LINK },
  );
}

const SHOWN: ReadonlySet<ServiceErrorCode> = new Set([
  "invalid_argument",
  "failed_precondition",
  "already_exists",
  "aborted",
  "not_found",
  "resource_exhausted",
]);

/** Returns the result of a call, or the service's refusal as a sentence, in English. One that passes with time is thrown. */
export async function orRefusal<Result>(
  call: () => Promise<Result>,
): Promise<{ readonly done: Result } | { readonly refusal: string }> {
  try {
    return { done: await call() };
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal === undefined || !SHOWN.has(refusal.code) || refusal.retryAfterSeconds !== undefined) throw error;
    const [violation] = refusal.violations;
    const text = violation === undefined ? refusal.message : `the ${fieldName(violation.field)} ${violation.message}`;
    return { refusal: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
  }
}

function fieldName(field: string): string {
  return field === "label" ? "name" : field.replaceAll("_", " ");
}
