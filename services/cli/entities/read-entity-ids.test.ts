import { describe, expect, it } from "vitest";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { readEntityIds } from "./read-entity-ids.ts";

const HEADER = "email,type,label,entity_uuid,sale_specific_entity_id";
const UUID = "11111111-1111-4111-8111-111111111111";
const ID = `0x${"0a".repeat(16)}`;

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const read = (...lines: readonly string[]) => Array.fromAsync(readEntityIds(bytes(lines.join("\n"))));

describe("a file of entity IDs", () => {
  it("has a row a line, with or without a UUID", async () => {
    const saleSpecificEntityId = new Uint8Array(16).fill(10);
    expect(await read(HEADER, `a@x.example,person,,,${ID}`, `b@x.example,Organization,Acme,${UUID},${ID}`)).toEqual([
      {
        line: 2,
        row: { email: "a@x.example", type: EntityType.PERSON, label: "", entityUuid: "", saleSpecificEntityId },
      },
      {
        line: 3,
        row: {
          email: "b@x.example",
          type: EntityType.ORGANIZATION,
          label: "Acme",
          entityUuid: UUID,
          saleSpecificEntityId,
        },
      },
    ]);
  });

  it("names its columns in any order, and only those that it needs", async () => {
    const [line] = await read("sale_specific_entity_id;Email;type", `${"0A".repeat(16)};a@x.example;person`);
    expect(line).toMatchObject({ line: 2, row: { email: "a@x.example", label: "", entityUuid: "" } });
  });

  it.each([
    ["type", `a@x.example,company,,,${ID}`, "must be one of person, organization"],
    ["entity_uuid", `a@x.example,person,,x,${ID}`, "must be a valid UUID, or empty"],
    ["sale_specific_entity_id", "a@x.example,person,,,0x0a", "must be 0x and 32 hexadecimal digits"],
    ["email", `a,person,,,${ID}`, "must have 3 to 254 characters"],
    ["label", `a@x.example,organization,${"x".repeat(101)},,${ID}`, "must have 0 to 100 characters"],
    ["", `a@x.example,person,${ID}`, "the line has 3 fields, and the first line 5"],
  ])("refuses one line for its %s", async (field, line, problem) => {
    expect(await read(HEADER, line)).toEqual([{ line: 2, field, problem }]);
  });

  it.each([
    ["", "the file is empty"],
    ["email,type", "the first line lacks sale_specific_entity_id"],
    ["email,email,type,sale_specific_entity_id", "the first line must name the columns, of these: email, type, "],
    ["email,name,type,sale_specific_entity_id", "the first line must name the columns, of these: email, type, "],
  ])("refuses the first line %j", async (header, reason) => {
    await expect(read(header)).rejects.toThrow(reason);
  });
});
