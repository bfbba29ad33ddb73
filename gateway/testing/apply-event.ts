import type { StreamPart } from "./stream-reader.ts";

export interface PublicCommitment {
  readonly CommitmentID: string;
}

export interface PublicSaleBody {
  readonly Commitments: readonly PublicCommitment[];
  readonly [field: string]: unknown;
}

interface Difference {
  readonly Removed: readonly string[];
  readonly Upserted: readonly { readonly Index: number; readonly Commitment: PublicCommitment }[];
  readonly Totals: Readonly<Record<string, unknown>>;
}

/** Returns the body after an event, by the steps in docs/public-read.md. */
export function applyEvent(body: PublicSaleBody | undefined, { event, data = "" }: StreamPart): PublicSaleBody {
  if (event === "body") return JSON.parse(data);
  if (body === undefined) throw new Error("a difference came before any body");
  return applyDifference(body, data);
}

export function applyDifference({ Commitments }: PublicSaleBody, json: string): PublicSaleBody {
  const { Removed, Upserted, Totals }: Difference = JSON.parse(json);
  const gone = new Set([...Removed, ...Upserted.map(({ Commitment }) => Commitment.CommitmentID)]);
  const list = Commitments.filter(({ CommitmentID }) => !gone.has(CommitmentID));
  for (const { Index, Commitment } of Upserted) list.splice(Index, 0, Commitment);
  return { Commitments: list, ...Totals };
}
