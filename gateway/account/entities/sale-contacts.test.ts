import { expect, it } from "vitest";
import { saleContacts } from "./sale-contacts.ts";

it("asks once about each of the sales that come first, and about no others", async () => {
  const asked: string[] = [];
  const contactOf = async (uuid: string) => {
    asked.push(uuid);
    return `${uuid}@sales.example`;
  };
  const uuids = Array.from({ length: 12 }, (_, index) => `sale-${index}`);
  const contacts = await saleContacts(contactOf, ["sale-0", ...uuids]);
  expect(asked).toEqual(uuids.slice(0, 10));
  expect([contacts.size, contacts.get("sale-9")]).toEqual([10, "sale-9@sales.example"]);
});
