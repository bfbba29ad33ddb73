import type { SpanKind, SpanSettings } from "../tracing/tracing.ts";
import type { Bus, BusEvent } from "./bus.ts";

interface MessagingSpan {
  readonly name: string;
  readonly settings: SpanSettings;
}

const KINDS: Readonly<Record<"publish" | "process", { readonly kind: SpanKind; readonly type: string }>> = {
  publish: { kind: "producer", type: "send" },
  process: { kind: "consumer", type: "process" },
};

/**
 * Returns the name and settings of a span that publishes an event or handles it.
 *
 * @param pattern of the event's subjects (see `Bus.listen`), which names the span
 * @param event its ID is left out where the consumer doesn't get it
 */
export function messagingSpan(
  operation: "publish" | "process",
  { system }: Pick<Bus, "system">,
  pattern: string,
  { subject, id }: Pick<BusEvent, "subject"> & Partial<Pick<BusEvent, "id">>,
): MessagingSpan {
  const { kind, type } = KINDS[operation];
  const attributes = {
    "messaging.system.name": system,
    "messaging.operation.name": operation,
    "messaging.operation.type": type,
    "messaging.destination.name": subject,
    "messaging.destination.template": pattern,
    ...(id !== undefined && { "messaging.message.id": id }),
  };
  return { name: `${operation} ${pattern}`, settings: { kind, attributes } };
}
