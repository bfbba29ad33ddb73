import type { Env } from "../../common/platform/config/env.ts";

/** Bounds of the streams of a process. */
export interface StreamConfig {
  /** `STREAM_MAX`, 15,000: streams at once. */
  readonly maxStreams: number;
  /** `STREAM_MAX_PER_ADDRESS`, 1,000: streams at once from one address, or one IPv6 /64. */
  readonly maxPerAddress: number;
  /**
   * `STREAM_MAX_BUFFER`, 256 KiB: bytes beside a body that may be waiting for a reader; with more its stream is cut.
   */
  readonly maxBufferBytes: number;
}

/** @throws ConfigError naming the variable */
export function streamConfig(env: Env): StreamConfig {
  return Object.freeze({
    maxStreams: env.integer("STREAM_MAX", { default: 15_000, min: 0, max: 1_000_000 }),
    maxPerAddress: env.integer("STREAM_MAX_PER_ADDRESS", { default: 1_000, min: 1, max: 1_000_000 }),
    maxBufferBytes: env.bytes("STREAM_MAX_BUFFER", { default: "256KiB", min: "16KiB", max: "64MiB" }),
  });
}
