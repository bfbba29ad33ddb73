import type { Finding, FindingLevel } from "../../../common/platform/checks/finding.ts";
import { findingText } from "../../../common/platform/checks/finding-lines.ts";
import type { CliOutput, CliStreams } from "../base/cli-context.ts";
import { CommandFailure, NoAnswer } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { paintFor, type Style } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { type ComponentFindings, checkComponent, checkTemplates } from "./cluster-checks.ts";
import { type Kubectl, openKubectl } from "./kubectl.ts";

const STYLES: Readonly<Record<FindingLevel, Style>> = { ok: "green", warning: "yellow", failed: "red" };

export const doctor: Command = {
  name: "doctor",
  positionals: [],
  summary: "check in a Kubernetes cluster all that the components need, and show what is wrong",
  details: `Runs kubectl on this machine, with your configuration and your rights: it makes a Job of each component's check in the chart, waits for
it, shows its answer and deletes it. It needs no key. Exit code 0: nothing has failed; 1: something has; 2: there is nothing to check, or
the cluster gives no answer.`,
  options: {
    release: { type: "string", value: "NAME", help: "the Helm release; by default all of the namespace" },
    namespace: { type: "string", value: "NAME", help: "its namespace; by default that of kubectl" },
    context: { type: "string", value: "NAME", help: "the context of kubectl, by default its current one" },
    json: { type: "boolean", help: "as JSON for programs: a list of component, level, subject, text and remedy" },
  },
  runWithoutServices(input, streams) {
    const options = ["namespace", "context"].flatMap((name) => {
      const value = input.text(name);
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    return examine(input, streams, openKubectl(options, streams.signal), openKubectl(options, undefined));
  },
  async run() {
    throw new TypeError("this command calls no service");
  },
};

/**
 * Runs all checks side by side and shows them.
 *
 * @param cleanUp as `kubectl`, also once the command is interrupted
 * @throws NoAnswer, CommandFailure by what they found
 */
export async function examine(
  input: Pick<CommandInput, "text" | "flag">,
  { output }: Pick<CliStreams, "output">,
  kubectl: Kubectl,
  cleanUp: Kubectl,
): Promise<void> {
  const templates = await checkTemplates(kubectl, input.text("release"));
  if (templates.length === 0) {
    throw new NoAnswer("no checks are installed there: name the --namespace of a release of the chart");
  }
  const checks = templates.map((template) => checkComponent(kubectl, cleanUp, template));
  // Not before each has deleted its Job: the process ends with the first error.
  await Promise.allSettled(checks);
  const found = await Promise.all(checks);
  await write(output, `${input.flag("json") ? json(found) : table(found, output)}\n`);
  const failures = found.flatMap(({ findings }) => findings).filter(({ level }) => level === "failed").length;
  if (failures > 0)
    throw new CommandFailure(failures === 1 ? "one check has failed" : `${failures} checks have failed`);
}

function json(found: readonly ComponentFindings[]): string {
  const all = found.flatMap(({ component, findings }) => findings.map((finding) => ({ component, ...finding })));
  return JSON.stringify(all, null, 2);
}

function table(found: readonly ComponentFindings[], output: CliOutput): string {
  const paint = paintFor(output);
  const row = (component: string, { level, subject, ...rest }: Finding) => [
    paint(STYLES[level], level),
    terminalText(component),
    terminalText(subject),
    terminalText(findingText(rest)),
  ];
  const rows = found.flatMap(({ component, findings }) => findings.map((finding) => row(component, finding)));
  return alignColumns([["STATE", "COMPONENT", "OF", "WHAT"], ...rows]);
}
