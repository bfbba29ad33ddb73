import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/processes/free-port.ts";
import { podsOf, renderChart, valuesFile } from "../support/repository/chart.ts";
import { readRepository } from "../support/repository/repository.ts";

const NOT_FOUND = JSON.stringify({ code: "not_found", message: "there is no such sale" });
const found = (response: ServerResponse) => response.writeHead(404).end(NOT_FOUND);
const away = (response: ServerResponse) => response.writeHead(503).end("{}");
const lost = (response: ServerResponse) => response.destroy();

describe("the pod of helm test", () => {
  let args: readonly string[];
  let annotations: Record<string, string>;
  beforeAll(async () => {
    const pods = podsOf(await renderChart("--values", valuesFile("default")));
    const pod = pods.find(({ owner }) => owner === "Pod test");
    args = pod?.spec["containers"][0].args;
    annotations = pod?.metadata["annotations"];
  });

  /** Runs the pod's command, for `seconds` and with `url` in place of the rendered ones. */
  async function run(url: string, seconds: number): Promise<{ readonly code: number; readonly output: string }> {
    const own = [...args.slice(0, -2), url, String(seconds)];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, own, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }

  /** Starts a server that gives each answer once, and the last one from then on. */
  async function serving(...answers: ((response: ServerResponse) => void)[]): Promise<string> {
    const server = createServer((_, response) => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response);
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("tries for a minute, in which policies come to hold for it", async () => {
    expect(args.at(-1)).toBe("60");
    const { code, output } = await run(await serving(away, found), 60);
    expect([code, output]).toEqual([0, "the public read answers\n"]);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ["no connection", async () => `http://127.0.0.1:${await freePort()}`, /ECONNREFUSED/],
    ["a broken connection", () => serving(lost), /ECONNRESET|UND_ERR_SOCKET/],
    ["another answer", () => serving(away), /: 503 \{\}/],
  ])("says after that what it got: %s", async (_, url, reason) => {
    const { code, output } = await run(await url(), 0);
    expect([code, output]).toEqual([1, expect.stringMatching(reason)]);
  });

  it("outlives no uninstallation: Helm prints its log and removes it, whether it succeeds or fails", () => {
    expect(annotations).toMatchObject({
      "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded,hook-failed",
      "helm.sh/hook-output-log-policy": "hook-failed",
    });
  });
});

it("the image exposes the ports of all pods", async () => {
  const pods = podsOf(await renderChart("--values", valuesFile("everything")));
  const ports = pods.flatMap(({ spec }) => spec["containers"].flatMap(({ ports = [] }) => ports));
  const [, exposed = ""] = /^EXPOSE (.*)$/m.exec(readRepository("deploy/Dockerfile")) ?? [];
  const used = new Set(ports.map(({ containerPort }: { containerPort: number }) => containerPort));
  expect(exposed.split(" ").map(Number)).toEqual([...used].toSorted((a, b) => a - b));
});
