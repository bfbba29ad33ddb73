import { Gauge, type Registry } from "prom-client";
import { sharedRead } from "../../../common/platform/metrics/shared-read.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readNoticeBacklog } from "./notices-store.ts";

/** Exports the mails that wait for auth, of all processes on the database. They are read when Prometheus scrapes. */
export function exportNotices(
  { database, clock }: Pick<EntitiesContext, "database" | "clock">,
  registry: Registry,
): void {
  const read = sharedRead(() => database.read(readNoticeBacklog).catch(() => undefined));
  new Gauge({
    name: "tidemark_entities_notices_waiting",
    help: "Mails about identity checks and sales that the auth service hasn't taken yet.",
    registers: [registry],
    async collect() {
      this.set((await read())?.notices ?? Number.NaN);
    },
  });
  new Gauge({
    name: "tidemark_entities_notice_lag_seconds",
    help: "Age of the oldest of them; 0 if there is none.",
    registers: [registry],
    async collect() {
      const backlog = await read();
      this.set(backlog === undefined ? Number.NaN : ageSeconds(backlog.oldestMs, clock()));
    },
  });
}

function ageSeconds(sinceMs: bigint | undefined, nowMs: bigint): number {
  return sinceMs === undefined ? 0 : Math.max(0, Number(nowMs - sinceMs)) / 1_000;
}
