import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Finding, FindingLevel } from "../../../common/platform/checks/finding.ts";
import { findingsJson } from "../../../common/platform/checks/finding-lines.ts";
import { temporaryFolder } from "../../../test/support/processes/temporary-folder.ts";
import { CommandFailure, NoAnswer } from "../base/cli-error.ts";
import { runCli } from "../cli.ts";
import { examine } from "./doctor.ts";
import { type Kubectl, openKubectl } from "./kubectl.ts";

function template(component: string) {
  const labels = { "tidemark-check": component, "app.kubernetes.io/instance": "sale" };
  const container = { name: "check", args: [`services/${component}/main.ts`, "--check", "--retry"] };
  const spec = { backoffLimit: 0, template: { metadata: { labels }, spec: { containers: [container] } } };
  return { metadata: { name: `sale-${component}-check`, labels }, spec: { jobTemplate: { spec } } };
}

const OK: Finding = { level: "ok", subject: "settings", text: "all can be read" };
const FAILED: Finding = { level: "failed", subject: "database", text: "nobody \u001b[31mthere", remedy: "start it" };

/** A pod's container that waits, as the kubelet reports it. */
const WAITING = { reason: "CreateContainerConfigError", message: 'secret "database" not found' };

/**
 * A cluster whose Jobs print the given findings, or stay without a pod that runs, where there are none.
 *
 * @param stuck objects of such a Job: its pods, and what their events say, from the oldest
 */
function cluster(
  components: Readonly<Record<string, readonly Finding[] | undefined>>,
  stuck: Readonly<Record<string, readonly object[]>> = { pods: [podOf({ waiting: WAITING })] },
) {
  const calls: string[] = [];
  const made: { metadata: { name: string }; spec: ReturnType<typeof template>["spec"]["jobTemplate"]["spec"] }[] = [];
  const componentOf = (text: string) =>
    Object.keys(components).find((name) => text.includes(`sale-${name}-check`)) ?? "";
  const kubectl: Kubectl = async (args, input) => {
    calls.push(args.join(" "));
    const [verb, subject = ""] = args;
    if (verb === "get" && subject === "cronjobs")
      return JSON.stringify({ items: Object.keys(components).map(template) });
    if (verb === "create") made.push(JSON.parse(input ?? ""));
    const found = components[componentOf(args.join(" "))];
    if (verb === "wait" && found === undefined) throw new CommandFailure("timed out waiting");
    if (verb === "logs") return `(node:1) Warning: text\n${findingsJson(found ?? [])}[more]\n`;
    if (verb === "get") return JSON.stringify({ items: stuck[subject] ?? [] });
    return "";
  };
  return { kubectl, calls, made };
}

function podOf(state: object) {
  const conditions = [{ reason: "ContainersNotReady", message: "containers with unready status: [check]" }];
  return { metadata: { name: "pod-1" }, status: { conditions, containerStatuses: [{ state }] } };
}

async function examined(kubectl: Kubectl, options: Readonly<Record<string, string>> = {}, cleanUp = kubectl) {
  let text = "";
  const output = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  const input = { text: (name: string) => options[name], flag: (name: string) => name in options };
  const failure = await examine(input, { output }, kubectl, cleanUp).then(
    () => undefined,
    (error: Error) => error,
  );
  return { text, failure };
}

it("makes a Job of each template, with JSON, shows the findings and deletes the Jobs", async () => {
  const { kubectl, calls, made } = cluster({ auth: [OK], gateway: [OK] });
  const { text, failure } = await examined(kubectl, { release: "sale" });
  expect(failure).toBeUndefined();
  expect(text).toMatch(/^ok +auth +settings +all can be read$/m);
  expect(text).toMatch(/^ok +gateway +settings +all can be read$/m);
  expect(calls[0]).toBe("get cronjobs --selector tidemark-check,app.kubernetes.io/instance=sale --output json");
  expect(made.map(({ spec }) => spec.template.spec.containers[0]?.args)).toEqual([
    ["services/auth/main.ts", "--check", "--retry", "--json"],
    ["services/gateway/main.ts", "--check", "--retry", "--json"],
  ]);
  for (const { metadata } of made) {
    expect(metadata.name).toMatch(/^sale-(auth|gateway)-check-[0-9a-f]{8}$/);
    expect(calls).toContain(`delete job/${metadata.name} --wait=false --ignore-not-found --request-timeout=10s`);
  }
});

it("fails where something has failed, and shows no control characters of others", async () => {
  const { kubectl } = cluster({ auth: [OK, FAILED] });
  const { text, failure } = await examined(kubectl);
  expect(failure).toBeInstanceOf(CommandFailure);
  expect(failure?.message).toBe("one check has failed");
  expect(text).toMatch(/^failed +auth +database +nobody .*there\. To do: start it$/m);
  expect(text).not.toContain("\u001b[31m");
  const asJson = await examined(kubectl, { json: "" });
  expect(JSON.parse(asJson.text)).toEqual([
    { component: "auth", ...OK },
    { component: "auth", ...FAILED },
  ]);
});

it("says what keeps a pod from running, and deletes its Job, too", async () => {
  const { kubectl, calls } = cluster({ auth: undefined, gateway: [OK] });
  const { text, failure } = await examined(kubectl);
  expect(text).toContain('it printed nothing: CreateContainerConfigError: secret "database" not found');
  expect(failure?.message).toBe("one check has failed");
  expect(calls.filter((call) => call.startsWith("delete "))).toHaveLength(2);
});

it.each([
  ["a pod whose Secret is missing", [podOf({ waiting: { reason: "ContainerCreating" } })], "pod-1"],
  ["a Job whose pod isn't let in", [], "sale-auth-check-[0-9a-f]{8}"],
])("says what the latest warning of %s is", async (_, pods, name) => {
  const events = [
    { reason: "FailedScheduling", message: "no room" },
    { reason: "FailedMount", message: 'secret "mail" not found' },
  ];
  const { kubectl, calls } = cluster({ auth: undefined }, { pods, events });
  const { text } = await examined(kubectl);
  expect(text).toContain('it printed nothing: FailedMount: secret "mail" not found');
  const selector = new RegExp(`^get events --field-selector type=Warning,involvedObject.name=${name} `);
  expect(calls.filter((call) => selector.test(call))).toHaveLength(1);
});

it("says what a pod's conditions are where its events can't be read", async () => {
  const { kubectl } = cluster({ auth: undefined }, { pods: [podOf({ waiting: { reason: "ContainerCreating" } })] });
  const { text } = await examined(async (args, input) => {
    if (args[1] === "events") throw new CommandFailure("no rights");
    return kubectl(args, input);
  });
  expect(text).toContain("it printed nothing: ContainersNotReady: containers with unready status: [check]");
});

it("has a Job that can't be made as a failure, beside the findings of the others", async () => {
  const { kubectl, calls } = cluster({ auth: [OK], gateway: [OK] });
  const { text, failure } = await examined(async (args, input) => {
    if (args[0] === "create" && input?.includes("sale-auth-check")) throw new CommandFailure("exceeded quota");
    return kubectl(args, input);
  });
  expect(text).toMatch(/^failed +auth +check +it couldn't be started: exceeded quota\. To do: /m);
  expect(text).toMatch(/^ok +gateway +settings/m);
  expect(failure).toEqual(new CommandFailure("one check has failed"));
  expect(calls.filter((call) => call.startsWith("delete "))).toHaveLength(2);
});

it("deletes all Jobs by calls of their own before it ends, when it is interrupted", async () => {
  const { kubectl, calls } = cluster({ auth: [OK], gateway: [OK] });
  const interrupted = new AbortController();
  const { failure } = await examined(
    async (args, input) => {
      if (args[0] === "wait") interrupted.abort();
      interrupted.signal.throwIfAborted();
      return kubectl(args, input);
    },
    {},
    async (args) => {
      await setImmediate();
      return kubectl(args);
    },
  );
  expect(failure).toBe(interrupted.signal.reason);
  expect(calls.filter((call) => call.startsWith("delete "))).toHaveLength(2);
});

it("counts a level that it doesn't know as failed", async () => {
  const unknown = { ...OK, level: "critical" as FindingLevel };
  const { text, failure } = await examined(cluster({ auth: [unknown] }).kubectl);
  expect(text).toMatch(/^failed +auth +settings/m);
  expect(failure?.message).toBe("one check has failed");
});

it("has no answer where the cluster gives none", async () => {
  const { failure } = await examined(async () => {
    throw new CommandFailure("connection refused");
  });
  expect(failure).toEqual(new NoAnswer("connection refused"));
});

it("says that there is nothing to check, and that kubectl is missing", async () => {
  const { failure } = await examined(cluster({}).kubectl);
  expect(failure?.message).toMatch(/^no checks are installed there/);
  const missing = openKubectl([], new AbortController().signal, "/nowhere/kubectl");
  expect((await examined(missing)).failure?.message).toMatch(/^\/nowhere\/kubectl can't be run: .*ENOENT/);
});

it("passes options, input and failures to and from the program", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const program = join(folder.path, "kubectl");
  await writeFile(
    program,
    `#!/bin/sh\necho "$@" > ${folder.path}/args\n[ "$3" = fail ] && { echo no rights >&2; exit 1; }\ncat\n`,
  );
  await chmod(program, 0o755);
  const kubectl = openKubectl(["--namespace=shop"], new AbortController().signal, program);
  expect(await kubectl(["create", "--filename", "-"], "a Job")).toBe("a Job");
  expect(await readFile(join(folder.path, "args"), "utf8")).toBe("--namespace=shop create --filename -\n");
  await expect(kubectl(["get", "fail"])).rejects.toThrow("no rights");
});

it("needs no key and no service", async () => {
  const sink = () => new Writable({ write: (_, __, done) => done() });
  const streams = { output: sink(), errors: sink(), signal: AbortSignal.abort() };
  const code = await runCli({ args: ["doctor"], variables: {}, ...streams });
  expect(code).toBe(130);
});
