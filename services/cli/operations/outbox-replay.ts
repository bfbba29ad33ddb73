import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { countText } from "../../../common/sale/words/number-text.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { pointInTime } from "../input/point-in-time.ts";
import { write } from "../output/write.ts";

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
    await write(output, `${countText(revisions)} revisions will be republished\n`);
  },
};

/** @throws UsageError for anything but a time in UTC or a duration. */
export function sinceMillis(text: string | undefined, nowMillis: number): number {
  if (text === undefined) throw new UsageError("--since is missing");
  return pointInTime("since", text, (age) => nowMillis - age);
}
