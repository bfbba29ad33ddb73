// client/commitment-data.ts without types, made by `npm run generate`.

export function withDifference(data, { Removed, Upserted, Totals }) {
  const gone = new Set([...Removed, ...Upserted.map(({ Commitment }) => Commitment.CommitmentID)]);
  const Commitments = data.Commitments.filter(({ CommitmentID }) => !gone.has(CommitmentID));
  for (const { Index, Commitment } of Upserted) Commitments.splice(Index, 0, Commitment);
  return { Commitments, ...Totals };
}

const STATE_ID = /^([0-9a-f]{16})-(\d+)/;

export function isOlder(id, other) {
  const [, generation, revision = ""] = STATE_ID.exec(id) ?? [];
  const [, otherGeneration, otherRevision = ""] = STATE_ID.exec(other) ?? [];
  return generation !== undefined && generation === otherGeneration && BigInt(revision) < BigInt(otherRevision);
}
