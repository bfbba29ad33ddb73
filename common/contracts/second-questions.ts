/**
 * Numbers of second questions about logs, by their reason: a block's `bloom` has logs that an answer lacks; a `range` is too long for
 * blooms; the `overlap` with the read before.
 */
export type SecondQuestions = Record<"bloom" | "range" | "overlap", number>;

export function noSecondQuestions(): SecondQuestions {
  return { bloom: 0, range: 0, overlap: 0 };
}
