import { AlertReason as ReasonMessage } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { ALERT_REASONS, type AlertReason } from "./alert.ts";
import type { SaleReasons } from "./alerts-store.ts";

const MESSAGES: Readonly<Record<AlertReason, ReasonMessage>> = {
  position: ReasonMessage.POSITION,
  closing: ReasonMessage.CLOSING,
  settled: ReasonMessage.SETTLED,
};

/** Converts what a person has asked for in a sale. */
export function saleAlertsMessage({ saleUuid, reasons }: SaleReasons) {
  return { saleUuid, reasons: reasons.map((reason) => MESSAGES[reason]) };
}

/** Returns the reasons of a request, each once. */
export function reasonsOfMessage(messages: readonly ReasonMessage[]): readonly AlertReason[] {
  return ALERT_REASONS.filter((reason) => messages.includes(MESSAGES[reason]));
}
