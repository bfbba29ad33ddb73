import type { EventStream } from "../../bus/bus.ts";
import type { StreamConfig } from "../../bus/config.ts";
import { failed, ok, type ProbeFinding, warning } from "../finding.ts";

/** Use of NATS by a process. */
export interface NatsUse {
  readonly stream: EventStream;
  /** Whether the process keeps the stream and publishes to it. Others only subscribe. */
  readonly keepsStream: boolean;
  /** Subjects that it publishes to. */
  readonly publishes: readonly string[];
  /** Subjects that it subscribes to. */
  readonly subscribes: readonly string[];
}

/** An operation that the server has refused. */
export interface NatsRefusal {
  readonly operation: string;
  readonly subject: string;
}

/** The stream as the server has it. Times in milliseconds. */
export interface FoundStream {
  readonly subjects: readonly string[];
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly replicas: number;
}

export function rightsFindings(refusals: readonly NatsRefusal[]): readonly ProbeFinding[] {
  if (refusals.length === 0) return [ok("the account may publish and subscribe to all that this process uses")];
  return refusals.map(({ operation, subject }) => {
    const verb = operation === "publish" ? "publish" : "subscribe";
    return failed(`the account may not ${verb} to ${subject}`, `allow its user to ${verb} to ${subject}`);
  });
}

/** @param found undefined if there is no stream yet */
export function streamFindings(
  found: FoundStream | undefined,
  stream: EventStream,
  config: StreamConfig,
): readonly ProbeFinding[] {
  if (found === undefined) return [ok(`the stream ${stream.name} isn't there yet: the start makes it`)];
  const lacking = stream.subjects.filter((subject) => !found.subjects.includes(subject));
  if (lacking.length > 0) {
    const text = `the stream ${stream.name} doesn't keep ${lacking.join(", ")}, so every publish fails`;
    return [failed(text, `give it the subjects ${stream.subjects.join(", ")}, or delete it: the start makes it again`)];
  }
  const other = [
    ...differs("NATS_STREAM_MAX_BYTES", found.maxBytes, config.maxBytes),
    ...differs("NATS_STREAM_MAX_AGE", found.maxAgeMs, config.maxAgeMs),
    ...differs("NATS_STREAM_REPLICAS", found.replicas, config.replicas),
  ];
  if (other.length === 0) return [ok(`the stream ${stream.name} is as configured`)];
  const text = `the stream ${stream.name} has other limits than the settings: ${other.join("; ")}`;
  return [warning(text, "give all processes the same settings: the start changes the stream to its own")];
}

function differs(setting: string, found: number, configured: number): readonly string[] {
  return found === configured ? [] : [`${setting} is ${configured}, the stream has ${found}`];
}
