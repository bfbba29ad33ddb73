/**
 * Waits for all of them, also after one has failed; then throws the first failure. For statements of one transaction,
 * none of which may still be under way when it is rolled back.
 */
export async function together<Results extends readonly unknown[]>(
  ...work: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return Promise.all(work) as Promise<unknown> as Promise<Results>;
}
