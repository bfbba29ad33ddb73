import { setTimeout as delay } from "node:timers/promises";
import { type Sale, SaleStatus, type SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CommandFailure, Interrupted } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import type { CliContext } from "../base/context.ts";
import { requiredSale } from "../base/required-sale.ts";
import { grouped } from "../output/grouped-digits.ts";
import { RowRate } from "../output/row-rate.ts";
import { StatusLine } from "../output/status-line.ts";
import { pendingRequest, sweepLine, sweepState } from "../output/sweep-state.ts";
import { write } from "../output/write.ts";

const POLL_MS = 500;

export const backfill: Command = {
  name: "backfill",
  positionals: ["UUID"],
  summary: "have a sale's contract read again from its first row to its last, and show how far that is",
  details: `Ctrl+C leaves the sweep running. A sweep that was asked for already, or is running, isn't asked for again:
this shows it. What is shown to readers of the sale stays right meanwhile.`,
  options: {},
  async run({ positionals: [saleUuid = ""] }, context) {
    try {
      const request = await joinOrRequest(saleUuid, context);
      const rows = await follow(saleUuid, request, context);
      await write(context.output, `done: ${grouped(rows)} rows were read\n`);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      throw new Interrupted("the sweep goes on; run the same command again to see it");
    }
  },
};

/** @returns the number of the request that is waited for. */
async function joinOrRequest(saleUuid: string, { sales, commitments, output, signal }: CliContext): Promise<bigint> {
  const sale = requiredSale(await sales.getSale({ saleUuid }, { signal }));
  refuseDraft(sale);
  const pending = pendingRequest(sale.sourceStatus);
  if (pending === undefined) return (await commitments.requestSweep({ saleUuid }, { signal })).sweepRequests;
  await write(output, "a sweep is under way already\n");
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
      const status = requiredSale(await sales.getSale({ saleUuid }, { signal })).sourceStatus;
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
