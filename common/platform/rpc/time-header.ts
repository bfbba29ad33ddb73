/** The response header of `Health.Check` with the time of the answer: milliseconds since 1970. */
export const TIME_HEADER = "tidemark-time";
