import { describe, expect, it } from "vitest";
import { EN } from "../../web/texts/en.ts";
import { backToApplication, sendingApplication } from "./sending-application.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER_SALE = "99999999-9999-4999-8999-999999999999";

function consent(clientUuid: string, changes: Partial<Parameters<typeof sendingApplication>[1][number]> = {}) {
  const origins = ["https://app.example", "http://localhost:3000"];
  const own = { clientUuid, clientName: clientUuid, saleUuid: SALE, origins, grantedScopes: ["read_entities"] };
  return { ...own, ...changes };
}

const from = (uuid: string, origin = "") => ({ uuid, origin });

describe("sendingApplication", () => {
  it("is the one that the last authorization named, at the origin that it named", () => {
    const consents = [consent("b"), consent("a")];
    expect(sendingApplication(from("a", "http://localhost:3000"), consents)).toEqual({
      name: "a",
      url: "http://localhost:3000/",
      saleUuid: SALE,
    });
  });

  it.each(["", "null", "https://evil.example", "https://app.example.evil.example"])(
    "is never anywhere but at a registered origin (%j)",
    (origin) => {
      expect(sendingApplication(from("a", origin), [consent("a")])?.url).toBe("https://app.example/");
    },
  );

  it("is the one of a sale that was let in last", () => {
    const consents = [consent("c", { saleUuid: OTHER_SALE }), consent("b"), consent("a")];
    expect(sendingApplication(from(SALE), consents)?.name).toBe("b");
  });

  it("is none that the user hasn't let in, nor one that is disabled or installed", () => {
    expect(sendingApplication(from("x"), [consent("a")])).toBeUndefined();
    expect(sendingApplication(from("a"), [consent("a", { origins: [] })])).toBeUndefined();
  });

  it("is by default the one that sees entities and was let in last", () => {
    const consents = [consent("c", { grantedScopes: ["contact_email"] }), consent("b"), consent("a")];
    expect(sendingApplication(undefined, consents)?.name).toBe("b");
    expect(sendingApplication(undefined, [])).toBeUndefined();
  });
});

it("writes the link with the application's name, escaped", () => {
  const application = { name: "<b>Portal", url: "https://app.example/", saleUuid: "" };
  const link = String(backToApplication(application, EN));
  expect(link).toContain('href="https://app.example/"');
  expect(link).toContain("Back to &lt;b&gt;Portal");
  expect(backToApplication(undefined, EN)).toBeUndefined();
});
