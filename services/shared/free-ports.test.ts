import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { requireFreePorts } from "./free-ports.ts";

async function listening() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    await once(server, "close");
  };
  return { port, close };
}

it("takes free ports, and leaves them free", async () => {
  const { port, close } = await listening();
  await close();
  await requireFreePorts("127.0.0.1", { ADMIN_PORT: port, RPC_PORT: 0, OTHER_PORT: 0 });
  await requireFreePorts("127.0.0.1", { ADMIN_PORT: port });
});

it("names the variable of a port that is taken, or given twice", async () => {
  const other = await listening();
  const refused = requireFreePorts("127.0.0.1", { RPC_PORT: 0, ADMIN_PORT: other.port });
  await expect(refused).rejects.toThrow(`ADMIN_PORT: expected a free port, 127.0.0.1:${other.port} is in use`);
  await other.close();
  const twice = requireFreePorts("127.0.0.1", { RPC_PORT: other.port, ADMIN_PORT: other.port });
  await expect(twice).rejects.toThrow(`ADMIN_PORT: expected a free port`);
});
