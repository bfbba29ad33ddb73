import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ChainFamily } from "../chains/base/chain-family.ts";
import { SourceFault } from "../chains/base/source-fault.ts";
import type { SourcePosition } from "../chains/base/source-position.ts";
import { CannotVerify } from "./compare/cannot-verify.ts";
import { beginChecks } from "./compare/compare-contract.ts";
import { OtherBlock } from "./compare/other-block.ts";
import { requiredPosition, type ShownSale } from "./compare/shown-sale.ts";
import { compareWithEvm } from "./compare-with-evm.ts";
import { compareWithSvm } from "./compare-with-svm.ts";
import type { Compared } from "./compared.ts";
import { MovedOn } from "./shown/moved-on.ts";
import { Unreachable } from "./shown/unreachable.ts";
import type { Verdict } from "./verdict.ts";
import type { VerifyOptions, WaitingOptions } from "./verify-options.ts";

/** Attempts before a difference, or a failure that may pass, is final. */
const ATTEMPTS = 3;
/** Time between attempts, in milliseconds: enough for caches of the public read, and for most re-organisations. */
const PAUSE_MS = 2_000;
const PASSING_CODES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted]);

/**
 * Compares a sale as Tidemark shows it with what its contract says.
 *
 * @throws CannotVerify if nothing can be said; what `readShown` throws; the signal's reason
 */
export async function verifySale(options: VerifyOptions): Promise<Verdict> {
  try {
    return await verdictOfAttempts({ wait: delayed, ...options });
  } catch (error) {
    const isExplained = error instanceof SourceFault || error instanceof MovedOn || error instanceof Unreachable;
    if (!isExplained) throw error;
    throw new CannotVerify(error.message, { cause: error });
  }
}

async function verdictOfAttempts(options: WaitingOptions): Promise<Verdict> {
  const { signal, wait } = options;
  const states = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS;
    try {
      const compared = await attemptOnce(options, isLast);
      states.add(compared.shown.state);
      if (isFinal(compared)) return verdictOf(compared);
      if (isLast) return verdictOf(states.size === ATTEMPTS ? await atLastChange(compared, options) : compared);
    } catch (error) {
      signal.throwIfAborted();
      if (isLast || !mayPass(error)) throw error;
    }
    await wait(PAUSE_MS, signal);
  }
}

/** The public read answers from caches, so that figures may be a moment older than their block; RPCs answer at one revision. */
function isFinal({ shown, checks }: Compared): boolean {
  return checks.differences === 0 || shown.rows !== undefined;
}

async function attemptOnce(options: WaitingOptions, isLast: boolean): Promise<Compared> {
  const shown = await options.readShown(options.signal);
  return COMPARISONS[shown.source.kind](shown, options, isLast);
}

type Comparison = (shown: ShownSale, options: WaitingOptions, isLast: boolean) => Promise<Compared>;

const COMPARISONS: Readonly<Record<ChainFamily, Comparison>> = { evm: compareAtBlock, svm: compareWithSvm };

async function compareAtBlock(shown: ShownSale, options: WaitingOptions, isLast: boolean): Promise<Compared> {
  const figuresAt = requiredPosition(shown);
  try {
    return await compareWithEvm(shown, figuresAt, options);
  } catch (error) {
    if (!(error instanceof OtherBlock) || !isLast) throw error;
    return withOtherBlock(shown, figuresAt, error, options);
  }
}

/**
 * Compares figures that were new in each attempt with the block of their last change: a sale that changes with every block may
 * never be read at the block up to which it is current. Returns the first comparison if that differs too.
 */
async function atLastChange(compared: Compared, options: VerifyOptions): Promise<Compared> {
  const { shown, figuresAt } = compared;
  const { changedAt } = shown;
  if (changedAt === undefined || shown.source.kind !== "evm" || changedAt.hash === figuresAt.hash) return compared;
  const other = await compareWithEvm(shown, changedAt, options);
  if (other.checks.differences > 0) return compared;
  const remark = "the figures changed with each attempt, so they were compared at the block of their last change";
  return { ...other, remarks: [remark, ...other.remarks] };
}

/** The outcome where the chain doesn't have the block of the figures. */
function withOtherBlock(
  shown: ShownSale,
  figuresAt: SourcePosition,
  { shown: block, actualHash }: OtherBlock,
  options: VerifyOptions,
): Compared {
  const checks = beginChecks(shown, options);
  checks.differs("block", `block ${block.height}`, `0x${block.hash}`, `0x${actualHash}`);
  return {
    shown,
    figuresAt,
    checks,
    remarks: ["nothing else was compared: the chain doesn't have the block of the figures"],
  };
}

function verdictOf({ shown, checks, ...how }: Compared): Verdict {
  const { saleUuid, name, state, source, rows } = shown;
  const { outcomes, differences, findings } = checks;
  const covers = rows === undefined ? "public_figures" : "all_commitments";
  return { saleUuid, name, state, source, covers, ...how, checks: outcomes, differences, findings };
}

function mayPass(error: unknown): boolean {
  if (error instanceof MovedOn || error instanceof OtherBlock || error instanceof Unreachable) return true;
  if (error instanceof SourceFault) return error.remedy === "wait";
  return error instanceof ConnectError && PASSING_CODES.has(error.code);
}

function delayed(millis: number, signal: AbortSignal): Promise<unknown> {
  return delay(millis, undefined, { signal });
}
