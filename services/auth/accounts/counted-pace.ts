import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { SendPace } from "../mailed-codes/send-pace.ts";

/** Counts the sends that are imitated: codes that nobody receives. */
export function countedPace(
  pace: Pick<SendPace, "send" | "imitate">,
  { codesWithheld }: Pick<AuthMetrics, "codesWithheld">,
): Pick<SendPace, "send" | "imitate"> {
  return {
    send: (work) => pace.send(work),
    imitate: () => {
      codesWithheld.inc();
      return pace.imitate();
    },
  };
}
