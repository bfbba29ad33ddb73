import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsCertificate } from "../processes/tls-certificate.ts";

/** Hosts of an application: its callback's, and the one where its users end. */
export const APPLICATION_HOST = "app.example";
export const ARRIVAL_HOST = "www.arrival.example";

/** An application whose callbacks take nothing down, but send the browser on to another origin, as many do. */
export interface ApplicationSite {
  readonly callback: string;
  /** Address to which `callback` redirects, with the query that it got. */
  readonly arrival: string;
  /** The same as of a developer's own machine, without TLS. */
  readonly loopbackCallback: string;
  readonly loopbackArrival: string;
  close(): Promise<void>;
}

/** @param certificate for both hosts */
export async function serveApplication(certificate: TlsCertificate): Promise<ApplicationSite> {
  const secure = await listen(createTlsServer(certificate));
  const loopback = await listen(createServer());
  const arrival = `https://${ARRIVAL_HOST}:${secure.port}/arrived`;
  const loopbackArrival = `http://localhost:${loopback.port}/arrived`;
  secure.server.on("request", leadingOn(arrival));
  loopback.server.on("request", leadingOn(loopbackArrival));
  return {
    callback: `https://${APPLICATION_HOST}:${secure.port}/callback`,
    arrival,
    loopbackCallback: `http://127.0.0.1:${loopback.port}/callback`,
    loopbackArrival,
    close: async () => {
      await Promise.all([close(secure.server), close(loopback.server)]);
    },
  };
}

function leadingOn(arrival: string): RequestListener {
  return ({ url = "/" }, response) => {
    const { pathname, search } = new URL(url, arrival);
    if (pathname === "/callback") response.writeHead(302, { location: arrival + search });
    else response.setHeader("content-type", "text/html");
    // Without an icon of its own the browser would ask for one.
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Arrived</title>');
  };
}

async function listen(server: Server): Promise<{ server: Server; port: number }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
