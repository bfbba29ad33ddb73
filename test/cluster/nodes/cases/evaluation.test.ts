import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PageBrowser } from "../../../../gateway/testing/page-browser.ts";
import { signInByMail } from "../../../support/pages/page-sign-in.ts";
import { SOON, untilDefined } from "../../../support/repository/polling.ts";
import { readRepository } from "../../../support/repository/repository.ts";
import { objectsIn } from "../../support/namespaces.ts";
import { commandsBelow } from "../../support/page-sections.ts";
import { CaseNamespace } from "../case-namespace.ts";

const ABSENT_SALE = "/svc/v1/public/sales/00000000-0000-4000-8000-000000000000/commitment-data";

describe("the evaluation in one pod, as docs/kubernetes.md installs it", () => {
  let namespace: CaseNamespace;
  beforeAll(async () => {
    namespace = await CaseNamespace.create(inject("nodes"), "evaluation");
    await namespace.createVolume("node-0");
  });
  afterAll(() => namespace?.close());

  it("is ready, and passes the chart's own test from a pod", async () => {
    const [install = ""] = commandsBelow(readRepository("docs/kubernetes.md"));
    await namespace.run(`${install} --wait --timeout 10m`);
    await namespace.run("helm test tidemark --timeout 10m");
  });

  it("answers the public read by its Service's address", async () => {
    const { spec } = await namespace.api.get("/api/v1/namespaces/evaluation/services/tidemark-evaluation");
    const answer = await fetch(`http://${spec.clusterIP}${ABSENT_SALE}`);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
  });

  it("signs a person of the demo application in, by a mail that only who forwards its ports can read", async () => {
    const [, forward = ""] = commandsBelow(readRepository("docs/kubernetes.md"));
    const forwarding = await namespace.start(forward, /Forwarding from 127\.0\.0\.1:8025/);
    try {
      const application = new PageBrowser("http://localhost:3000");
      const { html } = await application.open("/");
      const authorizeUrl = /<a class="button primary" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const email = "ann@example.com";
      const readMail = async () => {
        const mails = (await (await fetch("http://localhost:8025")).text()).split("<article>");
        return mails.find((mail) => mail.includes(`To ${email}`));
      };
      const callback = await signInByMail({ authorizeUrl, email, readMail: () => untilDefined(readMail) });
      const { html: home } = await application.open(callback.pathname + callback.search);
      expect(home).toContain("From sign-in to a bid");
    } finally {
      await forwarding.kill();
    }
  });

  it("writes nothing but to its volumes, as another user than root", async () => {
    const code = `
      import { writeFileSync } from "node:fs";
      const written = ["/app/new", "/tmp/new", "/var/lib/tidemark/new", "/new"].filter((path) => {
        try { writeFileSync(path, ""); return true; } catch { return false; }
      });
      console.log(JSON.stringify({ user: process.getuid(), written }));`;
    const out = await namespace.run(
      `kubectl exec deployment/tidemark-evaluation -- /nodejs/bin/node --input-type=module --eval '${code}'`,
    );
    expect(JSON.parse(out)).toEqual({ user: 65_532, written: ["/tmp/new", "/var/lib/tidemark/new"] });
  });

  it("leaves nothing behind when it is uninstalled", async () => {
    await namespace.run("helm uninstall tidemark --wait --timeout 10m");
    await expect.poll(() => objectsIn(namespace.api, namespace.name), SOON).toEqual([]);
  });
});
