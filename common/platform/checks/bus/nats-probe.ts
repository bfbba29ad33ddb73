import type { NatsConfig } from "../../bus/config.ts";
import { ok } from "../finding.ts";
import type { Probe } from "../run-probes.ts";
import type { NatsUse } from "./judge-nats.ts";

/**
 * A check of NATS: reach, credentials, JetStream, the rights of the account and the stream.
 *
 * @param read the settings; undefined without NATS. @throws ConfigError
 */
export function natsProbe(read: () => NatsConfig | undefined, use: NatsUse): Probe {
  return {
    subject: "NATS",
    async run({ signal }) {
      const config = read();
      if (config === undefined) return [ok("isn't used, as NATS_URL isn't set")];
      // A start, which asks nothing, needs no client of NATS.
      const { askNats } = await import("./ask-nats.ts");
      return askNats(config, use, signal);
    },
  };
}
