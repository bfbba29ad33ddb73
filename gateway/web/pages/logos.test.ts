import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { Logos } from "./logos.ts";

const hash = (digit: string) => digit.repeat(64);
const PNG = { mediaType: "image/png", image: new Uint8Array([1]) };

const HERE = "192.0.2.1";

/** Both services, each with logos by their hash, that fail on command. */
function logosOf({ hasAuth = true } = {}) {
  const world = {
    sales: new Map<string, typeof PNG>(),
    applications: new Map<string, typeof PNG>(),
    failures: {} as { sales?: Code; applications?: Code },
    calls: [] as string[],
    now: 0,
    gate: Promise.resolve(),
  };
  const answer = async (name: "sales" | "applications", logo: string) => {
    world.calls.push(name);
    await world.gate;
    const code = world.failures[name] ?? (world[name].has(logo) ? undefined : Code.NotFound);
    if (code !== undefined) throw new ConnectError("scripted", code);
    return world[name].get(logo) ?? PNG;
  };
  const transport = createRouterTransport(({ service }) => {
    service(CommitmentService, { getSaleLogo: ({ logo }) => answer("sales", logo) });
    service(ClientService, { getLogo: ({ logo }) => answer("applications", logo) });
  });
  const clients = hasAuth ? createClient(ClientService, transport) : undefined;
  const commitments = createClient(CommitmentService, transport);
  return { world, logos: new Logos({ commitments, clients, timeoutMs: 1_000, now: () => world.now }) };
}

it("has the logos of applications and of sales, each loaded once", async () => {
  const { world, logos } = logosOf();
  world.applications.set(hash("a"), PNG);
  world.sales.set(hash("b"), { ...PNG, mediaType: "image/webp" });
  for (let i = 0; i < 2; i++) {
    expect(await logos.get(hash("a"), HERE)).toMatchObject(PNG);
    expect((await logos.get(hash("b"), HERE))?.mediaType).toBe("image/webp");
  }
  expect(world.calls).toEqual(["applications", "applications", "sales"]);
});

it("asks nobody about what is no hash, and once in five seconds about a hash that nobody has", async () => {
  const { world, logos } = logosOf();
  for (const text of ["", "123", hash("A"), `${hash("a")}/`]) expect(await logos.get(text, HERE)).toBeUndefined();
  expect(world.calls).toEqual([]);
  expect(await logos.get(hash("c"), HERE)).toBeUndefined();
  world.sales.set(hash("c"), PNG);
  world.now = 4_999;
  expect(await logos.get(hash("c"), HERE)).toBeUndefined();
  expect(world.calls).toEqual(["applications", "sales"]);
  world.now = 5_000;
  expect(await logos.get(hash("c"), HERE)).toMatchObject(PNG);
});

it("keeps its logos while others are asked for that nobody has", async () => {
  const { world, logos } = logosOf();
  world.sales.set(hash("a"), PNG);
  await logos.get(hash("a"), HERE);
  await Promise.allSettled(
    Array.from({ length: 100 }, (_, number) => logos.get(`${number}`.padStart(64, "0"), `192.0.2.${number}`)),
  );
  world.calls.length = 0;
  expect(await logos.get(hash("a"), HERE)).toMatchObject(PNG);
  expect(world.calls).toEqual([]);
});

it("loads 32 at once and 12 for one address, whatever is asked for, and joins those who ask for the same", async () => {
  const { world, logos } = logosOf({ hasAuth: false });
  world.sales.set(hash("a"), PNG);
  await logos.get(hash("a"), HERE);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.gate = promise;
  world.calls.length = 0;
  const unknown = (number: number) => `${number}`.padStart(64, "0");
  const ask = (number: number, address: string) => logos.get(unknown(number), address).catch(({ code }) => code);
  const own = Array.from({ length: 13 }, (_, number) => ask(number, HERE));
  expect(await own[12]).toBe("unavailable");
  expect(await logos.get(hash("a"), HERE)).toMatchObject(PNG);
  const others = Array.from({ length: 21 }, (_, number) => ask(100 + number, `198.51.100.${number}`));
  expect(await others[20]).toBe("unavailable");
  const joined = ask(100, HERE);
  resolve();
  expect(await Promise.all([...own.slice(0, 12), ...others.slice(0, 20), joined])).toEqual(Array(33).fill(undefined));
  expect(world.calls).toHaveLength(32);
  // There is room again.
  world.gate = Promise.resolve();
  expect(await Promise.all(Array.from({ length: 12 }, (_, number) => ask(200 + number, HERE)))).toEqual(
    Array(12).fill(undefined),
  );
});

it("has those of sales where there is no auth service, or one of the two fails", async () => {
  const alone = logosOf({ hasAuth: false });
  alone.world.sales.set(hash("b"), PNG);
  expect(await alone.logos.get(hash("b"), HERE)).toMatchObject(PNG);
  const { world, logos } = logosOf();
  world.failures.applications = Code.Unavailable;
  world.sales.set(hash("b"), PNG);
  expect(await logos.get(hash("b"), HERE)).toMatchObject(PNG);
  // The service that fails may have it.
  await expect(logos.get(hash("c"), HERE)).rejects.toMatchObject({ code: Code.Unavailable });
  world.failures = { sales: Code.Unimplemented };
  expect(await logos.get(hash("d"), HERE)).toBeUndefined();
});

it("refuses an image that could be something else than an image", async () => {
  const { world, logos } = logosOf();
  world.sales.set(hash("e"), { ...PNG, mediaType: "image/svg+xml" });
  await expect(logos.get(hash("e"), HERE)).rejects.toThrow("image/svg+xml");
});
