import { createClient, type Transport } from "@connectrpc/connect";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { TIME_HEADER } from "../time-header.ts";

/** The time for an answer. A slower one says nothing about a clock. */
const TIMEOUT_MS = 2_000;

/**
 * Returns a function that reads the time of a service: milliseconds since 1970. It throws if the service doesn't answer, or
 * answers without its time as older versions do.
 */
export function serviceTime(transport: Transport): () => Promise<number> {
  const health = createClient(Health, transport);
  return async () => {
    let text: string | null = null;
    const onHeader = (headers: Headers) => {
      text = headers.get(TIME_HEADER);
    };
    await health.check({}, { timeoutMs: TIMEOUT_MS, onHeader });
    if (text !== null && /^\d{1,15}$/.test(text)) return Number(text);
    throw new Error("the service doesn't say its time");
  };
}
