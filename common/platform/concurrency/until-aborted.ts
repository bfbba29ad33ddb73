/** The result of `work`, or the signal's reason if it is aborted before. The work itself goes on. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
