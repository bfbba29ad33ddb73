import { setTimeout as delay } from "node:timers/promises";
import { countText } from "../../../common/sale/words/number-text.ts";
import { type Sale, SaleStatus, type SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, Interrupted } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { required } from "../base/required.ts";
import { RowRate } from "../output/row-rate.ts";
import { StatusLine } from "../output/status-line.ts";
import { write } from "../output/write.ts";
import { pendingRequest, sweepLine, sweepState } from "./sweep-state.ts";

const POLL_MS = 500;

export const backfill: Command = {
  name: "backfill",
  positionals: ["UUID"],
  summary: "read all rows of a sale's contract again, and show the progress",
  details: `Ctrl+C leaves the sweep running. If a sweep was requested already, or is running, its progress is shown and no
other one is requested. The sale's figures stay correct meanwhile.`,
  options: {},
  async run({ positionals: [saleUuid = ""] }, context) {
    try {
      const request = await joinOrRequest(saleUuid, context);
      const rows = await follow(saleUuid, request, context);
      await write(context.output, `done: ${countText(rows)} rows were read\n`);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      throw new Interrupted("the sweep continues; run the same command again to see its progress");
    }
  },
};

/** @returns the number of the request to wait for. */
async function joinOrRequest(saleUuid: string, { sales, commitments, output, signal }: CliContext): Promise<bigint> {
  const sale = required(await sales.getSale({ saleUuid }, { signal }), "sale");
  refuseDraft(sale);
  const pending = pendingRequest(sale.sourceStatus);
  if (pending === undefined) return (await commitments.requestSweep({ saleUuid }, { signal })).sweepRequests;
  await write(output, "a sweep was requested already\n");
  return pending;
}

function refuseDraft({ status }: Sale): void {
  if (status === SaleStatus.DRAFT) throw new CommandFailure("the sale is a draft; it is read once it is open");
}

/** Shows the sweep until it is done. @returns its rows. */
async function follow(saleUuid: string, request: bigint, { sales, output, signal }: CliContext): Promise<bigint> {
  const line = new StatusLine(output);
  const rate = new RowRate();
  try {
    for (;;) {
      const status = required(await sales.getSale({ saleUuid }, { signal }), "sale").sourceStatus;
      const state = sweepState(status, request);
      const now = performance.now();
      await line.show(state.kind, sweepLine(state, progressOf(status, rate, now)), now);
      if (state.kind === "done") return state.rows;
      await delay(POLL_MS, undefined, { signal });
    }
  } finally {
    await line.end();
  }
}

function progressOf(status: SourceStatus | undefined, rate: RowRate, nowMillis: number) {
  const { rowsDone, rowsTotal } = status?.sweep ?? { rowsDone: 0n, rowsTotal: 0n };
  rate.add(rowsDone, nowMillis);
  return { rowsDone, rowsTotal, rowsPerSecond: rate.rowsPerSecond() };
}
