import { FeedFault, type Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedFaultName } from "./feed-fault.ts";

/** A reason why a sale's figures stand still, in the words of everybody who reads about it. */
export interface SourceFaultWords {
  /** Name of the sentence for visitors, which is part of public JSON. */
  readonly publicName: KnownFaultName;
  /** A word or two for a table. */
  readonly summary: string;
  /** A sentence for members of the sale and for operators. */
  readonly sentence: string;
  /** The advice for members of the sale; empty for none. */
  readonly adviceForMembers: string;
  /** The advice for operators; empty for none. */
  readonly adviceForOperators: string;
}

/** The names of the faults that have words. */
type KnownFaultName = Extract<FeedFaultName, "noIndexer" | "unreadable" | "late">;

/** The faults that have words: a service of a later version may have more. */
type KnownFault = Exclude<(typeof FeedFault)[keyof typeof FeedFault], typeof FeedFault.UNSPECIFIED>;

const WORDS: Readonly<Record<KnownFault, SourceFaultWords>> = {
  [FeedFault.NO_INDEXER]: {
    publicName: "noIndexer",
    summary: "no reader",
    sentence: "Nobody reads the contract at the moment.",
    adviceForMembers: "Please tell the operator of this installation.",
    adviceForOperators: "Check that an indexer is running and has the sale’s chain.",
  },
  [FeedFault.UNREADABLE]: {
    publicName: "unreadable",
    summary: "fault",
    sentence: "The contract can’t be read at the moment.",
    adviceForMembers: "",
    adviceForOperators: "",
  },
  [FeedFault.LATE]: {
    publicName: "late",
    summary: "late",
    sentence: "No read of the contract has come to its end lately.",
    adviceForMembers: "The chain’s nodes may be slow or away.",
    adviceForOperators: "See the indexer’s log and the chain’s nodes.",
  },
};

/** The sentences for members of a sale, with their advice. The section `sourceFault` of the pages has them in each language. */
export const SOURCE_FAULT_SENTENCES = {
  noIndexer: forMembers(WORDS[FeedFault.NO_INDEXER]),
  unreadable: forMembers(WORDS[FeedFault.UNREADABLE]),
  late: forMembers(WORDS[FeedFault.LATE]),
} as const;

function forMembers({ sentence, adviceForMembers }: SourceFaultWords): string {
  return `${sentence} ${adviceForMembers}`.trim();
}

/** Returns the words of a reason; undefined for none, and for one of a later version. */
export function sourceFaultWords(fault: FeedFault | undefined): SourceFaultWords | undefined {
  const words: Readonly<Partial<Record<FeedFault, SourceFaultWords>>> = WORDS;
  return fault === undefined ? undefined : words[fault];
}

/** A reason in the words of this table, or as the contract's reader has reported it. */
export type SourceFault = { readonly words: SourceFaultWords } | { readonly reported: string };

/**
 * Returns why a sale's figures stand still; undefined where they don't. What the reader reported says more than the table does,
 * but for a reader that is gone: its last report is an old one.
 */
export function sourceFault({
  sourceStatus,
  feedState,
}: Pick<Sale, "sourceStatus" | "feedState">): SourceFault | undefined {
  const words = sourceFaultWords(feedState?.fault);
  const reported = sourceStatus?.fault ?? "";
  if (reported !== "" && feedState?.fault !== FeedFault.NO_INDEXER) return { reported };
  return words && { words };
}
