/** The reasons why a sale's figures stand still or can't be relied on, as the public read says them: part of public JSON. */
export const FEED_FAULTS = {
  unreadable: "The sale's contract can't be read at the moment.",
  late: "Reading the sale's contract takes longer than usual.",
  noIndexer: "The sale's contract isn't being read at the moment.",
  unreachable: "The sale's figures can't be brought up to date at the moment.",
  different: "The accepted amounts don't add up to the total that the sale's contract says.",
} as const;

export type FeedFaultName = keyof typeof FEED_FAULTS;

/** Returns the name of a reason; undefined for a sentence of a later version. */
export function feedFaultNamed(sentence: string): FeedFaultName | undefined {
  return (Object.keys(FEED_FAULTS) as FeedFaultName[]).find((name) => FEED_FAULTS[name] === sentence);
}
