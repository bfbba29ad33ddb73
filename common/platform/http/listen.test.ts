import { createServer } from "node:http";
import { createServer as createNetServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { listen } from "./listen.ts";

describe("listen", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  function listenOn(address: { host?: string; port?: number }, server: Server = createNetServer()) {
    servers.push(server);
    return listen(server, { host: "127.0.0.1", port: 0, variable: "TEST_PORT", ...address });
  }

  it.each([
    ["a net server", createNetServer()],
    ["an http server", createServer()],
  ])("answers the port that %s has got", async (_, server) => {
    const { port } = await listenOn({}, server);
    expect(server.address()).toMatchObject({ address: "127.0.0.1", port });
  });

  it("names variable and address where the port is in use", async () => {
    const { port } = await listenOn({});
    const failure = listenOn({ port });
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow(`TEST_PORT: expected a free port, 127.0.0.1:${port} is in use (EADDRINUSE)`);
  });

  it("names HOST where it is no address of this machine", async () => {
    // 192.0.2.0/24 is kept for documentation (RFC 5737).
    const failure = listenOn({ host: "192.0.2.1" });
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow('HOST: expected an address of this machine, got "192.0.2.1"');
  });

  it.each([
    ["EACCES", "TEST_PORT: expected a port that this process may use, 127.0.0.1:80 is not (EACCES)"],
    ["ENOTFOUND", 'HOST: expected an address of this machine, got "127.0.0.1"'],
    ["EAI_AGAIN", 'HOST: expected an address of this machine, got "127.0.0.1"'],
    ["EMFILE", "the server's own words"],
  ])("explains %s", async (code, message) => {
    const server = createNetServer();
    server.listen = () => {
      server.emit("error", Object.assign(new Error("the server's own words"), { code }));
      return server;
    };
    await expect(listenOn({ port: 80 }, server)).rejects.toThrow(message);
  });

  it("gives the server's own error where no variable is to blame", async () => {
    const { port } = await listenOn({});
    const server = createNetServer();
    await expect(listen(server, { host: "127.0.0.1", port })).rejects.toMatchObject({ code: "EADDRINUSE", port });
  });

  it("leaves errors after that to others", async () => {
    const server = createNetServer();
    await listenOn({}, server);
    expect(server.listenerCount("error")).toBe(0);
  });
});
