/** A judgement: `warning` for what works and should be changed, `failed` for what a process can't work with. */
export type FindingLevel = "ok" | "warning" | "failed";

/** One fact that a check has found, with its judgement. No text contains a secret. */
export interface Finding {
  readonly level: FindingLevel;
  /** The part that was checked, such as `database rights`. */
  readonly subject: string;
  /** The fact, and why it matters. */
  readonly text: string;
  /** The advice what to do. Absent if there is nothing to do. */
  readonly remedy?: string;
}

/** A finding of a probe, which gives it its subject unless it has one of its own. */
export type ProbeFinding = Omit<Finding, "subject"> & Partial<Pick<Finding, "subject">>;

export function ok(text: string): ProbeFinding {
  return { level: "ok", text };
}

export function warning(text: string, remedy: string): ProbeFinding {
  return { level: "warning", text, remedy };
}

export function failed(text: string, remedy?: string): ProbeFinding {
  return { level: "failed", text, ...(remedy !== undefined && { remedy }) };
}

/** Gives findings a subject. */
export function about(subject: string, findings: readonly ProbeFinding[]): readonly ProbeFinding[] {
  return findings.map((finding) => ({ subject, ...finding }));
}
