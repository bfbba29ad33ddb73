import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { DURATION_UNITS, parseQuantity } from "../../shared/config/quantity.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { grouped } from "../output/grouped-digits.ts";
import { write } from "../output/write.ts";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

export const outboxReplay: Command = {
  name: "outbox replay",
  positionals: [],
  summary: "republish all revisions since a given time",
  details: `For consumers that have lost events. Events keep their IDs, so that consumers recognise those that they have seen.
Events older than OUTBOX_RETENTION are gone. If the bus has lost its store, it gets its events again without this command.`,
  options: {
    since: {
      type: "string",
      value: "TIME",
      help: "a time such as 2026-01-31T12:00:00Z, or a duration before now: 30m, 2h, 1d",
    },
  },
  async run(input, { commitments, output, signal }) {
    const since = timestampFromMs(sinceMillis(input.text("since"), Date.now()));
    const { revisions } = await commitments.replayOutbox({ since }, { signal });
    await write(output, `${grouped(revisions)} revisions will be republished\n`);
  },
};

/** @throws UsageError for anything but a time in UTC or a duration. */
export function sinceMillis(text: string | undefined, nowMillis: number): number {
  if (text === undefined) throw new UsageError("--since is missing");
  const age = parseQuantity(text, DURATION_UNITS);
  const time = age === undefined ? timeOf(text) : nowMillis - age;
  if (time >= 0) return time;
  throw new UsageError(
    `--since ${JSON.stringify(text)} is neither a time such as 2026-01-31T12:00:00Z nor a duration such as 2h`,
  );
}

function timeOf(text: string): number {
  return TIME.test(text) ? Date.parse(text) : Number.NaN;
}
