import { setTimeout as wait } from "node:timers/promises";
import { backoffMs } from "../../platform/concurrency/backoff.ts";
import { untilAborted } from "../../platform/concurrency/until-aborted.ts";
import type { EvmChain } from "../base/chain.ts";
import { UrlBackoff } from "../nodes/url-backoff.ts";
import { controlCall, saysFailed } from "./control-call.ts";
import type { NodeTime } from "./node-time.ts";
import { RpcFault } from "./rpc-fault.ts";
import { RpcUrl } from "./rpc-url.ts";

import type { UrlAbilities } from "./url-probe.ts";

/** Rounds over all URLs before a request fails. */
const ROUNDS = 3;
const ROUND_BACKOFF = { firstMs: 150, longestMs: 600, factor: 4 };
/** Longest wait for a node that asks for one. Beyond it the request fails, and the caller tries again later. */
const LONGEST_WAIT_MS = 2000;

export interface EndpointOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Sends requests to nodes; the runtime's own `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Waits between tries. */
  readonly delay?: (millis: number, signal: AbortSignal) => Promise<void>;
  /** Gets a text for the operator when a URL turns out to be unfit, or to refuse a method again and again. */
  readonly warn?: (problem: string) => void;
}

export interface Answer {
  readonly result: unknown;
  /** The URL that answered. */
  readonly url: RpcUrl;
  /** Its abilities, as of the request. */
  readonly abilities: UrlAbilities;
}

/** Parameters of a request, or a function for those that depend on what a URL is able to. */
export type RpcParams = readonly unknown[] | ((abilities: UrlAbilities) => readonly unknown[]);

export interface AskOptions {
  /** The only URL to ask. */
  readonly only?: RpcUrl;
  /** Whether the answer may be large. If it is too large, or takes too long, the caller asks for less instead of again. */
  readonly heavy?: boolean;
  /** Whether it may travel in a batch with other requests of the moment (see `CallBatches`). */
  readonly small?: boolean;
  /** Name under which its failures are counted. By default that of the method. */
  readonly countedAs?: string;
  /** URLs to ask after the others, because their answers to this request were unusable. */
  readonly last?: ReadonlySet<RpcUrl>;
  /** Rounds over all URLs. Default: 3. */
  readonly rounds?: number;
  /** Limit for each URL, if it is shorter than that of its requests. One that it is over for has failed, and the next one is asked. */
  readonly limitMs?: number;
  /** The contract that it is about, where the request itself doesn't name it. */
  readonly about?: string;
  /** Measures the time that nodes take, without waits in this process. */
  readonly nodeTime?: NodeTime;
  /** Gets the URL that says that the contract refuses, and whether a control call has shown it too. */
  readonly onRevert?: (url: RpcUrl, isShown: boolean) => void;
}

interface Member {
  readonly url: RpcUrl;
  readonly backoff: UrlBackoff;
  /** Whether it is far behind the others (see `HeadComparison`). */
  isUnhealthy: boolean;
}

/** The nodes of a chain. Requests go to the first URL that works; the others are its fallbacks. */
export class EvmEndpoint {
  /** The symbol of the chain's own coin; undefined where nobody says it. */
  readonly coinSymbol: string | undefined;
  readonly #members: readonly Member[];
  readonly #now: () => number;
  readonly #delay: (millis: number, signal: AbortSignal) => Promise<void>;
  readonly #warn: (problem: string) => void;

  constructor(chain: EvmChain, options: EndpointOptions = {}) {
    const now = options.now ?? (() => performance.now());
    this.#now = now;
    this.coinSymbol = chain.coinSymbol;
    this.#members = chain.urls.map((url) => ({
      url: new RpcUrl(url, { ...chain, fetch: options.fetch }, now),
      backoff: new UrlBackoff(),
      isUnhealthy: false,
    }));
    this.#warn = options.warn ?? (() => undefined);
    this.#delay = options.delay ?? (async (millis, signal) => void (await wait(millis, undefined, { signal })));
  }

  /** The URLs in the operator's order. */
  get urls(): readonly RpcUrl[] {
    return this.#members.map(({ url }) => url);
  }

  /** Marks a URL as unhealthy: then it is asked only if all are. */
  setUnhealthy(url: RpcUrl, isUnhealthy: boolean): void {
    for (const member of this.#members) if (member.url === url) member.isUnhealthy = isUnhealthy;
  }

  /** Whether a URL failed recently with a method, so that others are asked first. */
  isBackingOff(url: RpcUrl, method: string): boolean {
    return this.#members.some((member) => member.url === url && member.backoff.isBackingOff(method, this.#now()));
  }

  /** Whether no URL may be asked for a method now. */
  isBlocked(method: string): boolean {
    return this.#blockedForMs(method, this.#usable()) > 0;
  }

  /** Why URLs aren't used, as their probes have shown, in their order. */
  problems(): readonly (string | undefined)[] {
    return this.#members.map(({ url }) => url.problem);
  }

  /** The methods that the URLs refuse again and again, in the order of the URLs. */
  refusedMethods(): readonly (readonly string[])[] {
    return this.#members.map(({ backoff }) => backoff.refusedMethods().map(({ method }) => method));
  }

  /** Checks all URLs again before their next answers (see `RpcUrl.recheck`). */
  recheck(): void {
    for (const { url } of this.#members) url.recheck();
  }

  /** The result of `answer`, without its URL. */
  async request(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return (await this.answer(method, params, signal)).result;
  }

  /**
   * Asks one URL after the other, for a few rounds, until one answers. A revert counts as an answer, and so does the
   * refusal of a heavy request as too large.
   *
   * @throws RpcFault naming every host that failed; the signal's reason once that is aborted.
   */
  async answer(method: string, params: RpcParams, signal: AbortSignal, options: AskOptions = {}): Promise<Answer> {
    const { only, heavy = false, rounds = ROUNDS, countedAs = method } = options;
    const candidates = only === undefined ? this.#usable() : this.#members.filter(({ url }) => url === only);
    const failures = new Map<Member, RpcFault>();
    for (let round = 1; ; round += 1) {
      for (const member of this.#inOrder(countedAs, candidates, failures, options)) {
        const outcome = await this.#ask(member, method, params, signal, options);
        if (!(outcome instanceof RpcFault)) return outcome;
        failures.set(member, outcome);
      }
      const left = candidates.filter((member) => mayAnswer(failures.get(member), heavy));
      const blockedForMs = this.#blockedForMs(countedAs, left);
      if (round >= rounds || blockedForMs > LONGEST_WAIT_MS) {
        throw combinedFault(countedAs, candidates, failures, blockedForMs);
      }
      await this.#delay(Math.max(blockedForMs, backoffMs(round, ROUND_BACKOFF)), signal);
    }
  }

  /** The healthy URLs, or all if none is healthy. */
  #usable(): readonly Member[] {
    const members = this.#members.filter(({ isUnhealthy }) => !isUnhealthy);
    return members.length === 0 ? this.#members : members;
  }

  async #ask(
    member: Member,
    method: string,
    params: RpcParams,
    signal: AbortSignal,
    { heavy = false, small = false, limitMs, nodeTime, onRevert, about, countedAs = method }: AskOptions,
  ): Promise<Answer | RpcFault> {
    const { url, backoff } = member;
    let sent: readonly unknown[] = [];
    try {
      const abilities = await this.#abilities(url, signal, limitMs);
      sent = typeof params === "function" ? params(abilities) : params;
      const result = await url.call(method, sent, signal, { nodeTime, limitMs, about, isSmall: small });
      backoff.succeeded(countedAs, this.#now());
      return { result, url, abilities };
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      const isShown = method === "eth_call" && error.mayBeOfContract && (await failsWithin(url, sent, signal)) === true;
      if (isShown || error.kind === "reverted") onRevert?.(url, isShown);
      if (isShown) throw failureOfContract(error);
      if (error.kind === "reverted" || (heavy && error.kind === "too_large")) throw error;
      this.#count(member, countedAs, error);
      if (error.kind !== "unsupported" || typeof params !== "function") return error;
      // Parameters that were chosen by its probe: it has changed since.
      url.probeAgain();
      return new RpcFault("unavailable", error.message, { cause: error });
    }
  }

  /**
   * Whether a call to a contract fails if another call at the same block of a URL makes it: that one must work (see `controlCall`).
   *
   * @returns undefined if the URL doesn't say.
   * @throws the signal's reason once that is aborted.
   */
  async failsWithin(url: RpcUrl, params: RpcParams, signal: AbortSignal): Promise<boolean | undefined> {
    try {
      const sent = typeof params === "function" ? params(await this.#abilities(url, signal)) : params;
      return await failsWithin(url, sent, signal);
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      return undefined;
    }
  }

  /** @throws RpcFault of the whole URL, as no method is asked without its probe. */
  async #abilities(url: RpcUrl, signal: AbortSignal, limitMs?: number): Promise<UrlAbilities> {
    const { problem } = url;
    try {
      return await within(limitMs, url, url.abilities(signal), signal);
    } catch (error) {
      if (url.problem !== undefined && url.problem !== problem) this.#warn(url.problem);
      throw error instanceof RpcFault ? error.ofUrl() : error;
    }
  }

  #count(member: Member, method: string, fault: RpcFault): void {
    const { backoff } = member;
    const wasOffered = refusalOf(method, member) === undefined;
    // A node that can't answer this request may well answer others.
    if (fault.kind !== "unsupported" && fault.kind !== "too_large") backoff.failed(method, fault, this.#now());
    else if (fault.refusal !== undefined) backoff.refused(method, fault, this.#now());
    const refusal = refusalOf(method, member);
    if (wasOffered && refusal !== undefined) this.#warn(refusal.message);
  }

  /** The members that may be asked, in the operator's order, but with those that failed recently last. */
  #inOrder(
    method: string,
    candidates: readonly Member[],
    failures: ReadonlyMap<Member, RpcFault>,
    { heavy = false, last = new Set() }: AskOptions,
  ): readonly Member[] {
    const now = this.#now();
    const place = ({ url, backoff }: Member) => 2 * Number(last.has(url)) + Number(backoff.isBackingOff(method, now));
    return candidates
      .filter((member) => member.backoff.blockedForMs(method, now) === 0 && mayAnswer(failures.get(member), heavy))
      .toSorted((a, b) => place(a) - place(b));
  }

  /** Time until the first of them may be asked; infinite for none, and for those that don't offer the method. */
  #blockedForMs(method: string, members: readonly Member[]): number {
    const now = this.#now();
    const offering = members.filter((member) => refusalOf(method, member) === undefined);
    return Math.min(...offering.map(({ backoff }) => backoff.blockedForMs(method, now)));
  }
}

/** The abilities of a URL, whose probe may be under way for longer than a limit. @throws RpcFault once that is over */
async function within(
  limitMs: number | undefined,
  { host }: RpcUrl,
  abilities: Promise<UrlAbilities>,
  signal: AbortSignal,
): Promise<UrlAbilities> {
  if (limitMs === undefined) return abilities;
  const over = new AbortController();
  const timer = setTimeout(
    () => over.abort(new RpcFault("timeout", `${host}: no answer within ${limitMs} ms`)),
    limitMs,
  );
  try {
    return await untilAborted(abilities, AbortSignal.any([signal, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function failureOfContract({ message }: RpcFault): RpcFault {
  return new RpcFault("reverted", `${message} (the contract's own failure: the node executes calls at this block)`);
}

/** Whether a control call at the same block says that a call fails; undefined if it isn't answered. */
async function failsWithin(url: RpcUrl, params: readonly unknown[], signal: AbortSignal): Promise<boolean | undefined> {
  const control = controlCall(params);
  if (control === undefined) return undefined;
  try {
    return saysFailed(await url.call("eth_call", control, signal));
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return undefined;
  }
}

/** Whether a URL that failed may answer the same request the next time. */
function mayAnswer(failure: RpcFault | undefined, heavy: boolean): boolean {
  const kind = failure?.kind ?? "unavailable";
  if (kind === "timeout" || kind === "too_large") return !heavy;
  return kind === "unavailable" || kind === "rate_limited";
}

/** Fault of a URL that isn't asked for a method because it refuses it again and again; undefined for one that it offers. */
function refusalOf(method: string, { url, backoff }: Member): RpcFault | undefined {
  const refusal = backoff.refusalOf(method);
  return refusal === undefined ? undefined : new RpcFault("unsupported", `${url.host}: ${refusal}`);
}

function combinedFault(
  method: string,
  candidates: readonly Member[],
  failures: ReadonlyMap<Member, RpcFault>,
  blockedForMs: number,
): RpcFault {
  const options = blockedForMs > 0 && Number.isFinite(blockedForMs) ? { retryAfterMs: blockedForMs } : {};
  const all = candidates.flatMap((member) => failures.get(member) ?? refusalOf(method, member) ?? []);
  // Faults that only an operator can mend come last.
  const telling = all.find(({ remedy }) => remedy === "wait") ?? all[0];
  if (telling !== undefined) return new RpcFault(telling.kind, all.map(({ message }) => message).join("; "), options);
  const hosts = candidates.map(({ url }) => url.host).join(", ");
  const message = `${hosts}: to be asked for ${method} again in ${Math.ceil(blockedForMs / 1000)} s (rate limit)`;
  return new RpcFault("rate_limited", message, options);
}
