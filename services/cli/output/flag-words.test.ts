import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import { failureText } from "./failure-text.ts";
import { inFlagWords } from "./flag-words.ts";

const flags = { "fixed.price_ticks": ["price", "price-ticks"], payment_tokens: ["token"] };

function words(field: string, options: Readonly<Record<string, string>>): string {
  const violation = { field, rule: "any", message: "is wrong" };
  const error = toConnectError(invalidArgument([violation]), () => {});
  const input = {
    positionals: [],
    text: (name: string) => options[name],
    texts: () => [],
    flag: () => false,
  };
  return failureText(inFlagWords(error, { flags, positionals: ["UUID", "E-MAIL"] }, input));
}

it.each([
  ["definition.payment_tokens[0].address", { token: "0xa1:6" }, "--token: is wrong"],
  ["definition.payment_tokens", {}, "--token: is wrong"],
  ["definition.fixed.price_ticks", { "price-ticks": "1" }, "--price-ticks: is wrong"],
  ["definition.fixed.price_ticks", { price: "1" }, "--price: is wrong"],
  ["definition.fixed.price_ticks", { file: "sale.json" }, "definition.fixed.price_ticks: is wrong"],
  ["definition.unknown", {}, "definition.unknown: is wrong"],
  ["sale_uuid", {}, "UUID: is wrong"],
  ["uuid", {}, "UUID: is wrong"],
  ["e_mail", {}, "E-MAIL: is wrong"],
  ["sale_uuids", {}, "sale_uuids: is wrong"],
])("names %s with %j by %s", (field, options, text) => {
  expect(words(field, options)).toBe(text);
});

it("leaves other errors as they are", () => {
  const error = new ConnectError("gone", Code.NotFound);
  const input = { positionals: [], text: () => undefined, texts: () => [], flag: () => false };
  expect(inFlagWords(error, { flags, positionals: [] }, input)).toBe(error);
});
