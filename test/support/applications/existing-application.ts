import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "rolldown";
import { REPOSITORY_ROOT } from "../repository/repository.ts";

const PAGE = join(REPOSITORY_ROOT, "test/browser/existing-client/page.js");

/** The settings of an application, as it gives them to `SonarProvider`, and its sale. */
export interface ApplicationSettings {
  readonly apiURL: string;
  readonly frontendURL: string;
  readonly clientUUID: string;
  readonly redirectURI: string;
  readonly saleUUID: string;
}

/** An application that is written with the packages of the existing service, on an origin of its own. */
export interface ExistingApplication {
  /** `http://localhost:<port>` */
  readonly origin: string;
  /** Answers with the page from now on. */
  configure(settings: ApplicationSettings): void;
  close(): Promise<void>;
}

/** Bundles the application's page and serves it at every path but that of its script. */
export async function serveExistingApplication(): Promise<ExistingApplication> {
  const script = await bundlePage();
  let page = "";
  const server = createServer(({ url = "/" }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : page);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    configure: (settings) => {
      page = pageOf(settings);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function bundlePage(): Promise<string> {
  const define = { "process.env.NODE_ENV": '"production"' };
  const { output } = await build({ input: PAGE, platform: "browser", write: false, transform: { define } });
  return output[0].code;
}

function pageOf(settings: ApplicationSettings): string {
  // Without an icon of its own the browser would ask for one.
  return `<!doctype html><link rel="icon" href="data:,"><title>Application</title><div id="root"></div>
<script type="application/json" id="settings">${JSON.stringify(settings)}</script>
<script type="module" src="/page.js"></script>`;
}
