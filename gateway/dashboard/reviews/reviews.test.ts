import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DecideReviewRequest } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { fakeReview, REVIEWED, TakingPartSite } from "../../testing/taking-part-site.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";

const REVIEW = reviewPath(REVIEWED);
const APPROVAL = { do: "approve", reference: "K-17", country: "austria", expires: "2028-01-31" };

let site: TakingPartSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await TakingPartSite.start();
  site.participation.isReviewer = true;
  site.participation.reviews = [fakeReview()];
  browser = site.browser();
});
afterEach(() => site.gateway.stop());

async function decide(fields: Readonly<Record<string, string>>) {
  return browser.send(await browser.open(REVIEW), { action: REVIEW, fields });
}

describe("reviews", () => {
  it("are found from the list of sales, by reviewers alone", async () => {
    expect((await browser.open("/dashboard")).html).toContain(`href="${REVIEWS_PATH}"`);
    const { html } = await browser.open(REVIEWS_PATH);
    expect(html).toContain(`<a href="${REVIEW}"><bdi>Harbour Holdings GmbH</bdi></a>`);
    expect(html).toContain("<bdi>bob@example.org</bdi>, Germany, since");
    site.participation.isReviewer = false;
    expect((await browser.open("/dashboard")).html).not.toContain(REVIEWS_PATH);
    expect(await browser.open(REVIEWS_PATH)).toMatchObject({ status: 403 });
    expect(await browser.open(REVIEW)).toMatchObject({ status: 403 });
  });

  it("want a passkey, also of reviewers", async () => {
    browser = site.browser("by a code");
    for (const path of [REVIEWS_PATH, REVIEW]) {
      expect(await browser.open(path)).toMatchObject({ status: 403 });
      expect((await browser.open(path)).html).toContain("Reviewers need a passkey");
    }
    expect(site.participation.asked("ListReviews")).toEqual([]);
  });

  it("don't keep anybody from their sales while the entities service is away", async () => {
    site.participation.failures.set("GetSetupPolicy", new ConnectError("away", Code.Unavailable));
    expect(await browser.open("/dashboard")).toMatchObject({ status: 200 });
  });

  it("approve with reference, country and the end of a day", async () => {
    const decided = await decide(APPROVAL);
    expect(decided.html).toContain("The entity is approved.");
    const [request] = site.participation.asked("DecideReview") as DecideReviewRequest[];
    expect(request).toMatchObject({ entityUuid: REVIEWED, expectedVersion: 2n });
    if (request?.decision.case !== "approval") throw new Error("it wasn't approved");
    const { reference, country, expiresAt } = request.decision.value;
    expect([reference, country]).toEqual(["K-17", "AT"]);
    expect(expiresAt && timestampDate(expiresAt).toISOString()).toBe("2028-01-31T23:59:59.000Z");
  });

  it("refuse with a reason, for now or for good", async () => {
    const decided = await decide({ do: "refuse", reason: "The register has another name.", final: "yes" });
    expect(decided.html).toContain("The entity is refused.");
    const [request] = site.participation.asked("DecideReview") as DecideReviewRequest[];
    expect(request?.decision).toMatchObject({
      case: "refusal",
      value: { reason: "The register has another name.", final: true },
    });
  });

  it.each([
    [{ ...APPROVAL, reference: "", country: "Atlantis", expires: "soon" }, ["reference", "country", "expires"]],
    [{ do: "refuse", reason: " " }, ["reason"]],
  ])("say at the fields what is wrong: %o", async (fields, wrong) => {
    const refused = await decide(fields);
    expect(refused.status).toBe(422);
    for (const field of wrong) expect(refused.html).toContain(`id="${field}-error"`);
    expect(site.participation.asked("DecideReview")).toEqual([]);
  });

  it("show an entity that was changed meanwhile as it is now", async () => {
    const page = await browser.open(REVIEW);
    const changed = fakeReview("Harbour Holdings AG");
    Object.assign(changed.entity ?? {}, { version: 3n });
    site.participation.reviews = [changed];
    const conflict = await browser.send(page, { action: REVIEW, fields: APPROVAL });
    expect(conflict.html).toContain("The user has changed the entity in the meantime.");
    expect(conflict.html).toContain("Harbour Holdings AG");
    expect((await browser.send(conflict, { action: REVIEW, fields: APPROVAL })).path).toContain("done=approved");
  });

  it.each([
    [Code.PermissionDenied, 403, "Nobody reviews an entity of their own."],
    [Code.NotFound, 404, "This entity doesn’t wait for a review"],
    [Code.AlreadyExists, 422, "The reference belongs to another entity."],
  ])("say what the service refuses with code %d", async (code, status, text) => {
    const failure = new ConnectError("the reference belongs to another entity", code);
    site.participation.failures.set("DecideReview", failure);
    const refused = await decide(APPROVAL);
    expect(refused.status).toBe(status);
    expect(refused.html).toContain(text);
  });

  it("ask for a sign-in before anything is entered", async () => {
    expect((await site.browser("long ago").open(REVIEW)).path).toContain("again=1");
  });

  it("are over for an entity about which somebody has decided", async () => {
    site.participation.reviews = [];
    expect(await browser.open(REVIEW)).toMatchObject({ status: 404 });
    expect((await browser.open(REVIEWS_PATH)).html).toContain("Nobody waits for a review.");
  });
});
