import { toServiceError } from "../errors.ts";
import { callerRefusal } from "../identity/caller-refusal.ts";

/** Passes refusals of a called service on. A refusal of this service itself is a mistake in the configuration. */
export async function passingRefusals<Response>(call: Promise<Response>): Promise<Response> {
  try {
    return await call;
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal === undefined || callerRefusal(error) !== undefined) throw error;
    if (refusal.code === "unauthenticated" || refusal.code === "invalid_argument") throw error;
    throw refusal;
  }
}
