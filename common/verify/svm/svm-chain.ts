import { REFERENCE_PROGRAM, type SvmChain } from "../../chains/base/chain.ts";

/** Requests at once to a node, which may be a public one that limits them. */
const MAX_CONCURRENCY = 4;
/** Time for one answer, in milliseconds. Lists of accounts take long. */
const REQUEST_TIMEOUT_MS = 60_000;

/** A Solana chain that is read once, from nodes of which the first is asked as long as it answers. */
export function svmChain(urls: readonly string[], program: string = REFERENCE_PROGRAM): SvmChain {
  return {
    family: "svm",
    name: "solana",
    program,
    urls,
    commitment: "confirmed",
    pollIntervalMs: 0,
    maxConcurrency: MAX_CONCURRENCY,
    maxHeadLag: 0,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  };
}
