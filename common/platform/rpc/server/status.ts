import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { StatusService } from "../../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { readProcessStatus, type StatusSource } from "../../status/process-status.ts";
import type { AllowedCallers } from "../identity/allowed-callers.ts";

/** Who may ask a process for its status. */
export const STATUS_CALLERS: AllowedCallers = { [StatusService.typeName]: { GetStatus: ["operator"] } };

/** Serves the status of this process. */
export function serveStatus(router: ConnectRouter, source: StatusSource): void {
  router.service(StatusService, {
    getStatus: async () => {
      const { startedAtMs, notReady, measurements, ...names } = await readProcessStatus(source);
      return {
        ...names,
        startedAt: timestampFromMs(Math.round(startedAtMs)),
        notReady: [...notReady],
        measurements: measurements.map(({ metric, labels, value }) => ({ metric, labels: { ...labels }, value })),
      };
    },
  });
}
