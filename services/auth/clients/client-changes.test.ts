import { expect, it } from "vitest";
import { clientChanges } from "./client-changes.ts";

const definition = {
  name: "Portal",
  redirectUris: ["https://a.example/", "https://b.example/"],
  scopes: [{ scope: "read_entities", required: true }],
};

it("names each setting that changed, with both values", () => {
  const after = {
    name: "Pier",
    redirectUris: ["https://c.example/", "https://a.example/"],
    scopes: [
      { scope: "contact_email", required: false },
      { scope: "read_entities", required: false },
    ],
  };
  expect(clientChanges(definition, after)).toEqual([
    { field: "Name", before: "Portal", after: "Pier" },
    { field: "read_entities", before: "required", after: "optional" },
    { field: "contact_email", before: "off", after: "optional" },
    { field: "Redirect URI", before: "https://b.example/", after: "" },
    { field: "Redirect URI", before: "", after: "https://c.example/" },
  ]);
});

it("names none where nothing changed, in whatever order", () => {
  expect(clientChanges(definition, { ...definition, redirectUris: definition.redirectUris.toReversed() })).toEqual([]);
});
