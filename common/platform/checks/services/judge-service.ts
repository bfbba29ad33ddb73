import type { DescMethodUnary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { callerRefusal } from "../../rpc/identity/caller-refusal.ts";
import { failureWords } from "../failure-words.ts";
import { failed, ok, type ProbeFinding, warning } from "../finding.ts";

export interface AskedService {
  readonly name: string;
  /** The setting with its URLs. */
  readonly variable: string;
  /** Whether no connection could be opened. */
  readonly isAbsent: boolean;
}

/**
 * Judges the failure of the first, anonymous call. Nobody's connection is only a warning: services name each other, so that at a first
 * start the others aren't there.
 */
export function judgeHealthFailure(words: string, { name, variable, isAbsent }: AskedService): ProbeFinding {
  if (isAbsent) return warning(words, `start the ${name} service, or correct ${variable}`);
  return failed(
    `what answers isn't reached as the ${name} service: ${words}`,
    `look whether ${variable} is its address`,
  );
}

/** Codes by which a service that takes no calls now, or nobody, answers: they say nothing about the token. */
const UNANSWERED: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Internal]);

/**
 * Judges the answer to a call by this process's token: a service decides on the caller before it reads the message.
 *
 * @param error undefined for an answer
 * @param method the method that this process may call; undefined if the one called is the operator's
 */
export function judgeAnswer(error: unknown, name: string, method: DescMethodUnary | undefined): ProbeFinding {
  const refusal = callerRefusal(error);
  if (refusal === "token") {
    return failed(
      `the service refuses this process's caller token: ${failureWords(error)}`,
      `compare CALLER_NAME and CALLER_KEY with CALLER_KEYS of the ${name} service, or CALLER_TOKEN_DIR with its CALLER_TOKEN_ISSUER and CALLER_SUBJECTS`,
    );
  }
  if (refusal === "token_time") {
    return failed(
      `the service refuses this process's caller token for its times: ${failureWords(error)}`,
      "keep all clocks right by NTP, and look whether the token in CALLER_TOKEN_DIR is renewed",
    );
  }
  if (refusal === "method" && method !== undefined) {
    return failed(
      `the service takes this process for another caller: ${failureWords(error)}`,
      `correct CALLER_NAME, or this process's entry in CALLER_SUBJECTS of the ${name} service`,
    );
  }
  if (error !== undefined && (!(error instanceof ConnectError) || UNANSWERED.has(error.code))) {
    return warning(`doesn't say whether it accepts this process's caller token: ${failureWords(error)}`, "check again");
  }
  if (error instanceof ConnectError && error.code === Code.Unimplemented) {
    return warning("doesn't say whether it accepts this process's caller token", "update it to this version");
  }
  return ok("accepts this process's caller token");
}
