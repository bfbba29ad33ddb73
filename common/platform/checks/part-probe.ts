import type { Probe } from "./run-probes.ts";

/** Returns the check of one part of a process: the part's name precedes each subject. */
export function partProbe(part: string, probe: Probe): Probe {
  const subjectOf = (subject: string) => `${part}: ${subject}`;
  return {
    subject: subjectOf(probe.subject),
    async run(context) {
      const findings = await probe.run(context);
      return findings.map(({ subject = probe.subject, ...finding }) => ({ ...finding, subject: subjectOf(subject) }));
    },
  };
}
