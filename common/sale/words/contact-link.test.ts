import { expect, it } from "vitest";
import { contactLink } from "./contact-link.ts";

it.each([
  ["help@sale.example", "mailto:help@sale.example", "help@sale.example"],
  ["a?bcc=b&c%40d@sale.example", "mailto:a%3Fbcc%3Db%26c%2540d@sale.example", "a?bcc=b&c%40d@sale.example"],
  ["https://sale.example/help?a=1", "https://sale.example/help?a=1", "sale.example"],
])("leads from %s to %s", (contact, href, text) => {
  expect(contactLink(contact)).toEqual({ href, text });
});

it.each(["", "http://sale.example/", "javascript:alert(1)", "help", "@sale.example"])(
  "leads nowhere from %j",
  (contact) => {
    expect(contactLink(contact)).toBeUndefined();
  },
);
