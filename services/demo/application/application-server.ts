import { getRequestListener } from "@hono/node-server";
import { openLoopbackServer } from "../../../common/platform/http/loopback-server.ts";
import { type ApplicationOptions, CALLBACK_PATH, createApplication } from "./application.ts";

export interface ApplicationServerOptions extends Omit<ApplicationOptions, "origin"> {
  /** `DEMO_APP_PORT`; 0: any free port. */
  readonly port: number;
}

/** The demo's application, or only its address if another program has the port. */
export interface ApplicationServer {
  readonly origin: string;
  readonly redirectUri: string;
  readonly isRunning: boolean;
  stop(deadline: AbortSignal): Promise<void>;
}

/** Serves the application to browsers of this machine at `localhost`. */
export async function startApplicationServer({
  port,
  ...options
}: ApplicationServerOptions): Promise<ApplicationServer> {
  const server = await openLoopbackServer(port);
  const origin = `http://localhost:${server.port}`;
  const app = createApplication({ ...options, origin });
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  server.serve((request, response) => void listener(request, response));
  const { isRunning, stop } = server;
  return { origin, redirectUri: origin + CALLBACK_PATH, isRunning, stop };
}
