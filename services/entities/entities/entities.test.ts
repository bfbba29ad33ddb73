import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { eraseSale } from "../permits/erase-sale.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { MAX_ENTITIES } from "./create-entity.ts";

let fixture: PeopleFixture;
let ann: Person;
let bob: Person;

beforeEach(async () => {
  fixture = await peopleFixture();
  ann = fixture.person("ann");
  bob = fixture.person("bob");
});

describe("an entity of a person", () => {
  it("is created, listed, renamed and read", async () => {
    const created = await ann.createEntity("  Ann ");
    expect(created).toMatchObject({ type: EntityType.PERSON, label: "Ann", country: "", version: 1n });
    expect(created.setupState).toBe(SetupState.NOT_STARTED);
    fixture.time.advance(1);
    const company = await ann.createEntity("Alpha", EntityType.ORGANIZATION);
    expect((await ann.entities.listEntities({})).entities).toEqual([created, company]);
    const change = { entityUuid: created.uuid.toUpperCase(), label: "Anna", expectedVersion: 1n };
    const { entity } = await ann.entities.updateEntity(change);
    expect(entity).toMatchObject({ label: "Anna", version: 2n });
    expect(await codeOf(ann.entities.updateEntity(change))).toBe("aborted");
    expect((await ann.entities.getEntity({ entityUuid: created.uuid })).entity).toEqual(entity);
  });

  it("is the only person of the account, and one of a bounded number", async () => {
    await ann.createEntity();
    expect(await codeOf(ann.createEntity("Me again"))).toBe("already_exists");
    for (let count = 1; count < MAX_ENTITIES; count += 1) await ann.createEntity(`C${count}`, EntityType.ORGANIZATION);
    expect(await codeOf(ann.createEntity("One more", EntityType.ORGANIZATION))).toBe("failed_precondition");
    expect(await codeOf(bob.createEntity())).toBeUndefined();
  });

  it("is not found by anyone else but an operator", async () => {
    const { uuid: entityUuid } = await ann.createEntity();
    const calls = [
      bob.entities.getEntity({ entityUuid }),
      bob.entities.updateEntity({ entityUuid, label: "Mine", expectedVersion: 1n }),
      bob.entities.deleteEntity({ entityUuid }),
      bob.entities.beginSetup({ entityUuid, country: "DE" }),
      bob.entities.changeHiddenEntities({ clientUuid: randomUUID(), hiddenEntityUuids: [entityUuid] }),
      fixture.as("operator").getEntity({ entityUuid: randomUUID() }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "not_found"));
    expect((await fixture.as("operator").getEntity({ entityUuid })).entity?.uuid).toBe(entityUuid);
    expect(await codeOf(fixture.as("gateway").listEntities({}))).toBe("unauthenticated");
  });

  it("is deleted after a recent sign-in, and may be created again", async () => {
    const { uuid: entityUuid } = await ann.createEntity();
    const earlier = fixture.person("ann", 600_001);
    expect(await codeOf(earlier.entities.deleteEntity({ entityUuid }))).toBe("failed_precondition");
    await ann.entities.deleteEntity({ entityUuid });
    expect((await ann.entities.listEntities({})).entities).toEqual([]);
    expect((await ann.createEntity()).uuid).not.toBe(entityUuid);
  });

  it("is hidden from one application, and shown again", async () => {
    const { uuid } = await ann.createEntity();
    const [clientUuid, other] = [randomUUID(), randomUUID()];
    const hiddenFrom = async (person = ann) =>
      (await person.entities.getHiddenEntities({ clientUuids: [clientUuid, other] })).hiddenEntities;
    await ann.entities.changeHiddenEntities({ clientUuid, hiddenEntityUuids: [uuid] });
    expect(await hiddenFrom()).toMatchObject([{ clientUuid, entityUuid: uuid }]);
    expect(await hiddenFrom(bob)).toEqual([]);
    await ann.entities.changeHiddenEntities({ clientUuid, shownEntityUuids: [uuid] });
    expect(await hiddenFrom()).toEqual([]);
  });

  it("stays hidden or shown where a change, as of another tab, doesn't name it", async () => {
    const { uuid } = await ann.createEntity();
    const { uuid: second } = await ann.createEntity("Harbour", EntityType.ORGANIZATION);
    const clientUuid = randomUUID();
    await ann.entities.changeHiddenEntities({ clientUuid, hiddenEntityUuids: [uuid] });
    await ann.entities.changeHiddenEntities({ clientUuid, hiddenEntityUuids: [second] });
    const { hiddenEntities } = await ann.entities.getHiddenEntities({ clientUuids: [clientUuid] });
    expect(hiddenEntities.map(({ entityUuid }) => entityUuid).sort()).toEqual([uuid, second].sort());
  });

  it("can't be hidden and shown at once", async () => {
    const { uuid } = await ann.createEntity();
    const names = { hiddenEntityUuids: [uuid], shownEntityUuids: [uuid.toUpperCase()] };
    const call = ann.entities.changeHiddenEntities({ clientUuid: randomUUID(), ...names });
    const refusal = await call.then(() => undefined, toServiceError);
    expect(refusal).toMatchObject({ code: "invalid_argument", violations: [{ field: "shown_entity_uuids" }] });
  });
});

describe("the import of IDs", () => {
  const id = (byte: number) => new Uint8Array(16).fill(byte);
  const row = (given: object = {}) => ({
    email: "Ann@Example.com",
    type: EntityType.PERSON,
    entityUuid: randomUUID(),
    saleSpecificEntityId: id(1),
    ...given,
  });

  it("gives people the IDs, once they ask", async () => {
    const saleUuid = fixture.sale();
    const rows = [row(), row({ email: "bob@example.com", saleSpecificEntityId: id(2), entityUuid: "" })];
    const imported = await fixture.as("operator").importEntityIds({ saleUuid, rows });
    expect(imported).toMatchObject({ stored: 2, problems: [] });
    await ann.createEntity();
    await bob.createEntity();
    const list = async (person: Person) =>
      required(
        (await fixture.as("gateway").listAvailableEntities({ saleUuid, access: fixture.access({ person, saleUuid }) }))
          .entities[0],
      );
    expect(await list(ann)).toMatchObject({ entityUuid: rows[0]?.entityUuid, saleSpecificEntityId: id(1) });
    expect((await list(bob)).saleSpecificEntityId).toEqual(id(2));
  });

  it("changes nothing when it is sent again, or as a dry run", async () => {
    const request = {
      saleUuid: fixture.sale(),
      rows: [row(), row({ saleSpecificEntityId: id(2), email: "c@example.com" })],
    };
    const { importEntityIds } = fixture.as("operator");
    const dry = await importEntityIds({ ...request, rows: [...request.rows, ...request.rows], dryRun: true });
    expect(dry).toMatchObject({ stored: 2, problems: [] });
    expect(await importEntityIds(request)).toMatchObject({ stored: 2, problems: [] });
    expect(await importEntityIds(request)).toMatchObject({ stored: 0, problems: [] });
    expect(await importEntityIds({ ...request, dryRun: true })).toMatchObject({ stored: 0, problems: [] });
  });

  it.each([false, true])("refuses rows one by one (dry run: %s)", async (dryRun) => {
    const entityUuid = randomUUID();
    const rows = [
      row({ entityUuid }),
      row({ saleSpecificEntityId: id(3) }),
      row({ email: "b@example.com" }),
      row({ email: "c@example.com", saleSpecificEntityId: id(4), entityUuid }),
      row({ email: "d@example.com", saleSpecificEntityId: id(0) }),
      row({ email: "nobody", saleSpecificEntityId: id(5) }),
      row({ email: "e@example.com", saleSpecificEntityId: id(6), type: EntityType.ORGANIZATION }),
      row({ email: "f@example.com", saleSpecificEntityId: id(7), label: "F" }),
      row({ email: "g@example.com", saleSpecificEntityId: id(8), type: EntityType.ORGANIZATION, label: "G" }),
    ];
    const { stored, problems } = await fixture
      .as("operator")
      .importEntityIds({ saleUuid: fixture.sale(), rows, dryRun });
    expect(stored).toBe(2);
    expect(problems.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const told = problems.map(({ message }) => message).join();
    // The rule for addresses names an example, of a domain that ends the same way.
    expect(told.match(/\b[a-g]@example\.com/)).toBeNull();
  });

  it("holds the sale's lock for 50 rows at a time, and for none of a dry run", async () => {
    const { database } = fixture.dependencies;
    const saleUuid = fixture.sale();
    const number = (at: number) => Buffer.from(`${at}`.padStart(16, "0"));
    const rows = Array.from({ length: 120 }, (_, at) =>
      row({ email: `p${at}@example.com`, saleSpecificEntityId: number(at) }),
    );
    // It contradicts a row of another transaction.
    rows[119] = row({ email: "other@example.com", saleSpecificEntityId: number(3) });
    const stored: number[] = [];
    const locked = vi.spyOn(database, "writeLocked");
    locked.mockImplementation(async (work) => {
      const result = await database.write(work);
      stored.push((await database.query.selectFrom("imported_entity_id").select("sale").execute()).length);
      return result;
    });
    const { importEntityIds } = fixture.as("operator");
    const expected = { stored: 119, problems: [{ row: 119 }] };
    expect(await importEntityIds({ saleUuid, rows, dryRun: true })).toMatchObject(expected);
    expect(locked).not.toHaveBeenCalled();
    expect(await importEntityIds({ saleUuid, rows })).toMatchObject(expected);
    expect(stored).toEqual([50, 100, 119]);
  });

  it("is for sales that exist", async () => {
    const request = { saleUuid: randomUUID(), rows: [row()] };
    expect(await codeOf(fixture.as("operator").importEntityIds(request))).toBe("not_found");
  });

  it("stores nothing for a sale that was erased meanwhile", async () => {
    const { dependencies } = fixture;
    const saleUuid = fixture.sale();
    await eraseSale(dependencies, saleUuid);
    const imported = fixture.as("operator").importEntityIds({ saleUuid, rows: [row()] });
    expect(await codeOf(imported)).toBe("failed_precondition");
    const { database } = dependencies;
    expect(await database.query.selectFrom("imported_entity_id").select("sale").execute()).toEqual([]);
  });
});
