import { ok } from "./finding.ts";
import type { Probe } from "./run-probes.ts";

/** Reads all settings as the start does. @param read throws ConfigError for the first one that is wrong */
export function settingsProbe(read: () => unknown): Probe {
  return {
    subject: "settings",
    async run() {
      read();
      return [ok("all can be read")];
    },
  };
}
