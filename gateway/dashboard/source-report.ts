import type { Sale } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SourceCheck } from "./check-source.ts";
import { sentence } from "./form-errors.ts";

/** Returns the state of an opened sale's contract, as the indexer reported it last. */
export function sourceReport({ sourceStatus, hasSnapshot }: Sale): SourceCheck {
  const { fault = "", warning = "", behind = 0n } = sourceStatus ?? {};
  if (fault !== "") return { state: "bad", text: [sentence(fault), "The figures stay as they were."] };
  if (sourceStatus === undefined) return { state: "unknown", text: ["It hasn’t been read yet."] };
  if (!hasSnapshot) return { state: "unknown", text: ["It is being read for the first time."] };
  const lag = behind > 0n ? `${behind} behind the chain` : "up to date";
  if (warning !== "") return { state: "bad", text: [`Read and shown, ${lag}.`, sentence(warning)] };
  return { state: "good", text: [`Read and shown, ${lag}.`] };
}
