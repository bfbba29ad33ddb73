import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { Logos } from "./logos.ts";

const hash = (digit: string) => digit.repeat(64);
const PNG = { mediaType: "image/png", image: new Uint8Array([1]) };

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
    expect(await logos.get(hash("a"))).toMatchObject(PNG);
    expect((await logos.get(hash("b")))?.mediaType).toBe("image/webp");
  }
  expect(world.calls).toEqual(["applications", "applications", "sales"]);
});

it("asks nobody about what is no hash, and once in five seconds about a hash that nobody has", async () => {
  const { world, logos } = logosOf();
  for (const text of ["", "123", hash("A"), `${hash("a")}/`]) expect(await logos.get(text)).toBeUndefined();
  expect(world.calls).toEqual([]);
  expect(await logos.get(hash("c"))).toBeUndefined();
  world.sales.set(hash("c"), PNG);
  world.now = 4_999;
  expect(await logos.get(hash("c"))).toBeUndefined();
  expect(world.calls).toEqual(["applications", "sales"]);
  world.now = 5_000;
  expect(await logos.get(hash("c"))).toMatchObject(PNG);
});

it("keeps its logos while others are asked for that nobody has", async () => {
  const { world, logos } = logosOf();
  world.sales.set(hash("a"), PNG);
  await logos.get(hash("a"));
  await Promise.allSettled(Array.from({ length: 100 }, (_, number) => logos.get(`${number}`.padStart(64, "0"))));
  world.calls.length = 0;
  expect(await logos.get(hash("a"))).toMatchObject(PNG);
  expect(world.calls).toEqual([]);
});

it("loads 16 at once, whatever is asked for", async () => {
  const { world, logos } = logosOf({ hasAuth: false });
  const { promise, resolve } = Promise.withResolvers<void>();
  world.gate = promise;
  const hashes = Array.from({ length: 40 }, (_, number) => `${number}`.padStart(64, "0"));
  const answers = hashes.map((each) => logos.get(each).catch(({ code }) => code));
  expect(await answers[16]).toBe("unavailable");
  resolve();
  expect(await Promise.all(answers)).toEqual(hashes.map((_, number) => (number < 16 ? undefined : "unavailable")));
  expect(world.calls).toHaveLength(16);
});

it("has those of sales where there is no auth service, or one of the two fails", async () => {
  const alone = logosOf({ hasAuth: false });
  alone.world.sales.set(hash("b"), PNG);
  expect(await alone.logos.get(hash("b"))).toMatchObject(PNG);
  const { world, logos } = logosOf();
  world.failures.applications = Code.Unavailable;
  world.sales.set(hash("b"), PNG);
  expect(await logos.get(hash("b"))).toMatchObject(PNG);
  // The service that fails may have it.
  await expect(logos.get(hash("c"))).rejects.toMatchObject({ code: Code.Unavailable });
  world.failures = { sales: Code.Unimplemented };
  expect(await logos.get(hash("d"))).toBeUndefined();
});

it("refuses an image that could be something else than an image", async () => {
  const { world, logos } = logosOf();
  world.sales.set(hash("e"), { ...PNG, mediaType: "image/svg+xml" });
  await expect(logos.get(hash("e"))).rejects.toThrow("image/svg+xml");
});
