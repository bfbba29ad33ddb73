import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { CHART, helm, KUBERNETES, valuesFile } from "../support/repository/chart.ts";

describe("the notes of an installation", () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await cp(CHART, folder.path, { recursive: true });
    // Helm renders notes only with a cluster.
    await cp(join(CHART, "templates/NOTES.txt"), join(folder.path, "files/NOTES.txt"));
    const template = `{{ dict "text" (tpl (.Files.Get "files/NOTES.txt") .) | toJson }}`;
    await writeFile(join(folder.path, "templates/notes.yaml"), template);
  });
  afterAll(() => folder?.remove());

  async function notes(...args: readonly string[]): Promise<string> {
    const only = ["--show-only", "templates/notes.yaml", "--kube-version", KUBERNETES];
    const { stdout, stderr } = await helm("template", "t", folder.path, "--namespace", "shop", ...only, ...args);
    expect(stderr).toBe("");
    return parse(stdout).text;
  }

  const evaluation = ["--set", "evaluation.enabled=true"];
  const forward = (text: string) => /^ {2}kubectl .* port-forward (.*)$/m.exec(text)?.[1];

  it("say how an evaluation's pages, mails and demo are reached, each at a port that is forwarded", async () => {
    const text = await notes(...evaluation);
    expect(forward(text)).toBe("deployment/t-tidemark-evaluation 8080 3000 8025");
    expect(text.match(/http:\/\/localhost:\d+\S*/g)).toEqual([
      "http://localhost:8080/account",
      "http://localhost:8025",
      "http://localhost:3000",
    ]);
  });

  it.each([
    [["--set", "evaluation.demo=false"], "8080 8025"],
    [["--set", "evaluation.settings.DEMO=off"], "8080 8025"],
    [["--set", "evaluation.settings.SMTP_URL_FILE=/mail/url"], "8080 3000"],
    [["--set", "evaluation.settings.MAIL_PAGE_PORT=9025,evaluation.settings.DEMO_APP_PORT=9000"], "8080 9000 9025"],
  ])("name nothing that isn't there: %j", async (args, ports) => {
    const text = await notes(...evaluation, ...args);
    expect(forward(text)).toBe(`deployment/t-tidemark-evaluation ${ports}`);
    for (const [, port = ""] of text.matchAll(/http:\/\/localhost:(\d+)/g)) expect(ports.split(" ")).toContain(port);
  });

  it("name no page of mails of an installation that isn't an evaluation", async () => {
    const text = await notes("--values", valuesFile("default"));
    expect(forward(text)).toBe("service/t-tidemark-gateway 8080:80");
    expect(text).not.toContain("mails");
  });
});
