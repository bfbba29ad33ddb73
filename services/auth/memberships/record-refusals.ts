import type { HandlerContext } from "@connectrpc/connect";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthContext } from "../base/context.ts";
import { isWithinLimit } from "../base/rate-limit.ts";
import { type RoleInSale, refusalOfRole, saleNotFound } from "./check-role.ts";
import type { Role } from "./membership.ts";
import { type RefusedAttempt, RoleRefusal } from "./require-role.ts";

type Handler = (request: never, call: HandlerContext) => unknown;

/**
 * Makes methods record each attempt that they refuse for want of a role, after the transaction of the attempt was rolled
 * back.
 */
export function recordingRefusals<Methods extends object>(context: AuthContext, methods: Methods): Methods {
  const recording = (handler: Handler): Handler => {
    return async (request, call) => {
      try {
        return await handler(request, call);
      } catch (error) {
        if (error instanceof RoleRefusal) await recordRefusal(context, error.attempt);
        throw error;
      }
    };
  };
  const entries = Object.entries(methods).map(([name, handler]) => [name, recording(handler)]);
  return Object.fromEntries(entries) as Methods;
}

/**
 * Records a refused attempt in the audit table, within the limits of the rate. It does the same for a sale that doesn't
 * exist, so that its time reveals nothing. A row that can't be written is logged: the attempt is refused all the same.
 */
export async function recordRefusal(
  context: AuthContext,
  { accountUuid, saleUuid, role, needed, passkeyMissing = false }: RefusedAttempt,
): Promise<void> {
  const { database, clock, logger } = context;
  try {
    const attempt = `${accountUuid} ${saleUuid} ${needed}`;
    if (!(await isWithinLimit(context, "same_refusal_account", attempt))) return;
    if (!(await isWithinLimit(context, "refusal_account", accountUuid))) return;
    const details = { needed, role: role ?? "none", ...(passkeyMissing && { passkey: "missing" }) };
    await recordEvent(database.query, { event: "sale.access_refused", accountUuid, saleUuid, details }, clock());
  } catch (error) {
    logger.warn({ err: error }, "a refused attempt couldn't be recorded");
  }
}

/** An attempt of a person at another service. */
interface RoleAttempt {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Undefined for a person who is no member. */
  readonly membership: RoleInSale | undefined;
  readonly method: AuthenticationMethod;
}

/**
 * Records an attempt that the person's role doesn't allow; the service that asks refuses it. Where only the passkey is missing,
 * which that service doesn't know of, this refuses it.
 *
 * @throws RoleRefusal `failed_precondition`
 */
export async function judgeAttempt(
  context: AuthContext,
  { accountUuid, saleUuid, membership, method }: RoleAttempt,
  needed: Role,
): Promise<void> {
  const refusal = refusalOfRole(membership, needed, method, saleNotFound(saleUuid));
  if (refusal === undefined) return;
  const attempt = { accountUuid, saleUuid, role: membership?.role, needed };
  if (refusal.code === "failed_precondition") throw new RoleRefusal(refusal, { ...attempt, passkeyMissing: true });
  await recordRefusal(context, attempt);
}
