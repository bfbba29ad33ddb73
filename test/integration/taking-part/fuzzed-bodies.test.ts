import fc from "fast-check";
import { expect, it } from "vitest";
import { OPERATIONS, pathsOf } from "../../../gateway/public-calls/operations.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";

const RUNS = 200;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** The same requests in each run. */
const SEED = 20_261_125;
const PATHS = OPERATIONS.flatMap((operation) => pathsOf(operation, "svc"));
const FIELDS = [
  "SaleUUID",
  "EntityID",
  "WalletAddress",
  "PurchasingWalletAddress",
  "code",
  "code_verifier",
  "redirect_uri",
  "refresh_token",
  "__proto__",
  "constructor",
] as const;

/** Values near right ones, and any others; strings hold lone surrogates, control and direction-changing characters, too. */
const value = (sale: string, entity: string) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(sale, sale.toUpperCase(), entity, `{${sale}}`, `${entity}\n`), weight: 4 },
    fc.stringMatching(/^0x[0-9a-fA-F]{38,42}$/),
    fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/),
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom("\u202e", "\0", "%00", "' OR 1=1 --", "🏦".repeat(40)),
    fc.jsonValue({ maxDepth: 3 }),
  );

const rightBody = (SaleUUID: string, EntityID: string) => ({
  SaleUUID,
  EntityID,
  WalletAddress: WALLET,
  PurchasingWalletAddress: WALLET,
});

const bodyOf = (sale: string, entity: string) =>
  fc.oneof(
    {
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...FIELDS), value(sale, entity)), { maxLength: 6 })
        .map(
          (members) => `{${members.map(([name, held]) => `${JSON.stringify(name)}:${JSON.stringify(held)}`).join()}}`,
        ),
      weight: 6,
    },
    {
      // Right requests, of which a field or two are changed.
      arbitrary: fc
        .record({ name: fc.constantFrom(...FIELDS), held: value(sale, entity) })
        .map(({ name, held }) => JSON.stringify({ ...rightBody(sale, entity), [name]: held })),
      weight: 6,
    },
    fc.json(),
    fc.string({ maxLength: 40 }),
    fc.constantFrom("", "null", "[[[[", `{"a":${"[".repeat(5_000)}`, `{"SaleUUID":1e999}`, "\ufeff{}"),
  );

describeOneParticipationWeb("fuzzed bodies", (web) => {
  it(`have documented answers below 500 in ${RUNS} requests at every path, with a valid token and without`, async () => {
    const { saleUuid } = await web().openSale();
    const user = await web().user(saleUuid);
    await web().createEntity(user);
    const { body: profile } = await web().call("/externalapi.MyProfile", {}, user.accessToken);
    const statuses = new Set<number>();
    const request = fc.record({
      path: fc.constantFrom(...PATHS),
      body: bodyOf(saleUuid, profile.EntityID),
      token: fc.constantFrom(user.accessToken, user.accessToken, user.accessToken, "a", "%"),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, body, token }) => {
        const { status } = await web().call(path, body, token);
        statuses.add(status);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    // The requests reach further than the gateway's own checks.
    for (const status of [200, 400, 401, 403]) expect(statuses).toContain(status);
    expect(JSON.stringify(web().log)).not.toContain(user.accessToken);
    expect(web().log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
