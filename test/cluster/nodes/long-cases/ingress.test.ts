import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { StreamReader } from "../../../../gateway/testing/stream-reader.ts";
import { codeIn } from "../../../../services/auth/testing/mail-outbox.ts";
import { launchChromium } from "../../../support/pages/browser.ts";
import { openWatchedPage } from "../../../support/pages/watched-page.ts";
import { findProgram } from "../../../support/processes/program.ts";
import { SOON, untilDefined } from "../../../support/repository/polling.ts";
import { givenProgram } from "../../support/programs.ts";
import { DistributedRelease, PUBLIC_HOST } from "../distributed-release.ts";
import { FigureReaders } from "../figure-readers.ts";
import type { HostFront } from "../host-front.ts";
import { CLIENT_ADDRESS, IngressController } from "../ingress-controller.ts";
import { operatorClients } from "../operator-clients.ts";
import { PermitVisitor } from "../permit-visitor.ts";
import { PodSale } from "../pod-sale.ts";

/** Name of the certificate's Secret in docs/kubernetes.md. */
const CERTIFICATE = "sale-tls";
/** Longer than the minute after which common proxies end what is silent, and some end any answer. */
const STREAM_MS = 65_000;

describe.skipIf(givenProgram("traefik") === undefined)("the components behind an ingress controller, Traefik", () => {
  let release: DistributedRelease;
  let controller: IngressController;
  let front: HostFront;
  let sale: PodSale;
  beforeAll(async () => {
    release = await DistributedRelease.prepare(inject("nodes"), "behind");
    controller = await IngressController.start(release.namespace, CERTIFICATE);
    front = await controller.openFront();
    await release.install(["gateway.trustedProxies=1"]);
    sale = await PodSale.open(await operatorClients(release), release.outside);
    await sale.bid();
  });
  afterAll(async () => {
    await front?.stop();
    await controller?.stop();
    await release?.remove();
  });

  /** The number of bids that readers of the sale see at the public host, or the status of another answer. */
  async function readCount(): Promise<number | string> {
    const answer = await fetch(front.origin + sale.path);
    return answer.status === 200 ? (await answer.json()).UniqueCommitmentCount : `status ${answer.status}`;
  }

  it("show a sale's figures under the certificate of the host, and lead there from plain HTTP", async () => {
    await expect.poll(readCount, SOON).toBe(1);
    const { status, location } = await askPlainly(controller.plain, sale.path);
    expect([status, location]).toEqual([301, `https://${PUBLIC_HOST}${sale.path}`]);
  });

  it("hold a stream for longer than a minute, and bring a bid by it", async () => {
    const stream = await StreamReader.open(`${front.origin}${sale.path}/stream`);
    try {
      expect(stream.response.status).toBe(200);
      const begin = performance.now();
      while (performance.now() - begin < STREAM_MS) await stream.feedEvent();
      const bids = await sale.bid();
      await expect.poll(async () => (await stream.event()).data, SOON).toContain(`"UniqueCommitmentCount":${bids}`);
    } finally {
      stream.close();
    }
  });

  it("lose no read and no stream while all gateways are replaced, and bids come in", async () => {
    const replace = async () => {
      await release.namespace.run("kubectl rollout restart deployment/tidemark-gateway");
      await release.untilRolledOut();
    };
    const before = await release.readyPods("gateway");
    const site = { gatewayUrl: async () => front.origin };
    expect(await FigureReaders.during(site, sale, replace)).toEqual([]);
    const replaced = before.map(({ metadata }) => metadata.name);
    expect((await release.podNames()).filter((name) => replaced.includes(name))).toEqual([]);
  });

  it.skipIf(findProgram("chromium") === undefined)(
    "sign a person in, in a browser that complains of nothing",
    async () => {
      const browser = await launchChromium(`--host-resolver-rules=MAP ${PUBLIC_HOST} ${controller.secure}`);
      try {
        const { page, complaints } = await openWatchedPage(browser, { baseURL: `https://${PUBLIC_HOST}` });
        const email = "browser@example.com";
        await page.goto("/account");
        await page.getByLabel("E-mail address").fill(email);
        await page.getByRole("button", { name: "Send me a code", exact: true }).click();
        const { mails } = release.outside.mail;
        const mail = await untilDefined(async () => mails.find(({ recipients }) => recipients.includes(email)));
        await page.getByLabel("Code").fill(codeIn(mail.message.text ?? ""));
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: "Your account", exact: true }).waitFor();
        expect(new URL(page.url()).origin).toBe(`https://${PUBLIC_HOST}`);
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  it("sign a permit for a person, whose address they know whatever the person claims", async () => {
    const visitor = await PermitVisitor.start(release, sale, await controller.openFront());
    try {
      await visitor.signIn();
      await visitor.passReview(await operatorClients(release));
      expect(await visitor.bidOutcome(await visitor.permit(await visitor.grant()))).toEqual(["accepted"]);
    } finally {
      await visitor.stop();
    }
    const event = "SELECT details FROM audit WHERE event = 'sign_in.completed' ORDER BY event_id DESC LIMIT 1";
    const [{ details }] = (await release.outside.query(event)) as [{ readonly details: string }];
    expect(JSON.parse(details).address).toBe(CLIENT_ADDRESS);
  });

  it("show figures and a stream by an HTTPRoute of the Gateway API, without the Ingress", async () => {
    await controller.createGateway("public", CERTIFICATE);
    await release.upgrade("ingress.enabled=false", "httpRoute.enabled=true", "httpRoute.parentRefs[0].name=public");
    const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${release.namespace.name}/httproutes/tidemark-gateway`;
    const states = async () => {
      const { status } = await release.namespace.api.get(path);
      const conditions: readonly { readonly type: string; readonly status: string }[] =
        status?.parents?.[0]?.conditions ?? [];
      return Object.fromEntries(conditions.map(({ type, status: state }) => [type, state]));
    };
    await expect.poll(states, SOON).toMatchObject({ Accepted: "True", ResolvedRefs: "True" });
    const bids = await sale.bid();
    await expect.poll(readCount, SOON).toBe(bids);
    const stream = await StreamReader.open(`${front.origin}${sale.path}/stream`);
    expect((await stream.event()).data).toContain(`"UniqueCommitmentCount":${bids}`);
    stream.close();
  });
});

/** Asks for a path of the public host without TLS. */
function askPlainly(
  target: string,
  path: string,
): Promise<{ readonly status: number | undefined; readonly location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://${target}${path}`, { headers: { host: PUBLIC_HOST }, agent: false }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, location: answer.headers.location });
    });
    sent.on("error", reject).end();
  });
}
