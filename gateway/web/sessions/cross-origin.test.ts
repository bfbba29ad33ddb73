import { describe, expect, it } from "vitest";
import { silentLogger } from "../../testing/gateway-parts.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { registeredOrigins } from "./cross-origin.ts";

const APP = "https://app.example";

/** The middleware before an auth service that counts what it is asked. */
function setUp() {
  const world = { now: 0, registered: new Set([APP]), asked: [] as string[] };
  const checkOrigin = async ({ origin }: { origin: string }) => {
    world.asked.push(origin);
    return { registered: world.registered.has(origin) };
  };
  const middleware = registeredOrigins({
    clients: { authorization: { checkOrigin } },
    config: { authUrl: "https://auth.example" },
    now: () => world.now,
    logger: silentLogger,
  } as unknown as AuthDependencies);
  const mayRead = async (origin: string) => {
    const res = new Response();
    await middleware({ req: { header: () => origin }, res } as never, async () => {});
    return res.headers.get("access-control-allow-origin") === origin;
  };
  return { world, mayRead };
}

describe("registeredOrigins", () => {
  it("keeps the registered origins while strangers are asked about, each once in 30 seconds", async () => {
    const { world, mayRead } = setUp();
    expect(await mayRead(APP)).toBe(true);
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 1_100; number++) expect(await mayRead(`https://${number}.example`)).toBe(false);
    }
    expect(await mayRead(APP)).toBe(true);
    expect(world.asked).toHaveLength(1_101);
  });

  it("lets an origin in, or out, 30 seconds after it was registered or removed", async () => {
    const { world, mayRead } = setUp();
    const other = "https://other.example";
    expect([await mayRead(APP), await mayRead(other)]).toEqual([true, false]);
    world.registered = new Set([other]);
    world.now = 29_999;
    expect([await mayRead(APP), await mayRead(other)]).toEqual([true, false]);
    world.now = 30_000;
    expect([await mayRead(APP), await mayRead(other)]).toEqual([false, true]);
  });
});
