import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../support/processes/program.ts";
import { CHART, helmProgram, ofKind, podsOf, renderChart } from "../support/repository/chart.ts";
import { ContainerImage } from "../support/repository/container-image.ts";
import { ConfinedContainer } from "./confined-container.ts";

/** Why this machine can't confine a container. */
function lacking(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux can";
  const absent = ["runc", "unshare", "nsenter"].find((name) => findProgram(name) === undefined);
  if (absent !== undefined) return `${absent} is not installed`;
  if (helmProgram() === undefined) return "helm is not installed";
  try {
    execFileSync("unshare", ["--mount", "--net", "--pid", "--fork", "--mount-proc", "true"], { stdio: "ignore" });
  } catch {
    return "this machine gives no namespaces";
  }
  return undefined;
}

const reason = lacking();

describe.skipIf(reason !== undefined)(`the evaluation as a confined container${reason ? ` (${reason})` : ""}`, () => {
  let image: ContainerImage;
  let container: ConfinedContainer;
  let probe: { path: string; port: number };
  beforeAll(async () => {
    const objects = await renderChart("--values", join(CHART, "values-evaluation.yaml"));
    const [pod] = podsOf(objects).filter(({ owner }) => owner === "Deployment evaluation");
    if (pod === undefined) throw new Error("the evaluation has no Deployment");
    const [{ ports, readinessProbe }] = pod.spec["containers"];
    const { path, port } = readinessProbe.httpGet;
    probe = { path, port: ports.find(({ name }: { name: string }) => name === port).containerPort };
    const settings = ofKind(objects, "ConfigMap").get("evaluation")?.["data"];
    image = await ContainerImage.create();
    container = await ConfinedContainer.start(image, pod, settings, /Tidemark is running/);
  });
  afterAll(async () => {
    await container?.process.kill();
    await image?.remove();
  });

  it("is ready by its probe", async () => {
    const status = `fetch("http://127.0.0.1:${probe.port}${probe.path}").then(({ status }) => console.log(status))`;
    await expect.poll(() => container.evaluate(status), { timeout: 240_000 }).toBe("200");
  });

  it("shows mails and the demo application at localhost, where kubectl port-forward leads", async () => {
    // A pod has the name in its /etc/hosts, which kubelet writes.
    const statuses = `
      const { get } = require("node:http");
      const status = (port) => new Promise((resolve, reject) => {
        const options = { host: "127.0.0.1", port, headers: { host: "localhost:" + port } };
        get(options, ({ statusCode }) => resolve(statusCode)).once("error", reject);
      });
      Promise.all([3000, 8025].map(status)).then((all) => { console.log(all.join(" ")); process.exit(); });`;
    expect(await container.evaluate(statuses)).toBe("200 200");
  });

  it("has no rights, and can write to its volumes only", async () => {
    const script = `
      const { mkdirSync, readdirSync, readFileSync } = require("node:fs");
      const written = (path) => { try { mkdirSync(path + "/probe"); return "written"; } catch ({ code }) { return code; } };
      const status = readFileSync("/proc/self/status", "utf8");
      const of = (name) => new RegExp("^" + name + ":\\\\s*(.*)$", "m").exec(status)[1];
      console.log(JSON.stringify({
        user: process.getuid(), group: process.getgid(),
        capabilities: ["CapEff", "CapPrm", "CapBnd"].map(of), noNewPrivileges: of("NoNewPrivs"),
        volumes: ["/tmp", process.env.DATA_DIR].map(written),
        others: ["/", "/app", "/nodejs", "/var/lib", "/usr/lib"].map(written),
      }));`;
    expect(JSON.parse(await container.evaluate(script))).toEqual({
      user: image.description.user,
      group: image.description.group,
      capabilities: ["0000000000000000", "0000000000000000", "0000000000000000"],
      noNewPrivileges: "1",
      volumes: ["written", "written"],
      others: ["EROFS", "EROFS", "EROFS", "EROFS", "EROFS"],
    });
  });

  it("ends cleanly at SIGTERM", async () => {
    await container.terminate();
    expect(await container.process.exited).toEqual({ code: 0, signal: null });
  });
});
