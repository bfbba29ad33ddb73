import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DecideReviewRequest } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { USER } from "../../../test/support/processes/auth-in-process.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import { addEntity, atEntities } from "../../testing/own-entities.ts";
import { PageBrowser } from "../../testing/page-browser.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";

const REVIEWED = "12121212-1212-4212-8212-121212121212";
const REVIEW = reviewPath(REVIEWED);
const OTHER = "12121212-1212-4212-8212-121212121213";
const BOB = "bob@example.org";
const APPROVAL = { do: "approve", reference: "K-17", country: "austria", expires: "2127-01-31" };

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start(undefined, {
    REVIEWERS: USER,
    REVIEW_CHECK_URL: "https://check.example/people?id={entity}",
  });
  await submit();
  browser = site.browser();
});
afterEach(() => site.stop());

/** Stores an organization that waits for a reviewer. */
function submit(given: Parameters<typeof addEntity>[1] = {}, email = BOB) {
  const waiting = { setupState: "ready_for_review", submittedAtMs: 1_000n, version: 2n } as const;
  const organization = { type: "organization", label: "Harbour Holdings GmbH", country: "DE" } as const;
  return addEntity(site.gateway, { uuid: REVIEWED, ...organization, ...waiting, ...given }, email);
}

const asked = (method: string) => site.gateway.entities.faults.asked(method);

async function decide(fields: Readonly<Record<string, string>>, action = REVIEW) {
  return browser.send(await browser.open(action), { action, fields });
}

describe("reviews", () => {
  it("are found from the list of sales, by reviewers alone", async () => {
    expect((await browser.open("/dashboard")).html).toContain(`href="${REVIEWS_PATH}"`);
    const { html } = await browser.open(REVIEWS_PATH);
    expect(html).toContain(`<a href="${REVIEW}"><bdi>Harbour Holdings GmbH</bdi></a>`);
    expect(html).toContain("<bdi>bob@example.org</bdi>, Germany, since");
    browser = new PageBrowser(site.gateway.origin);
    browser.cookies.set("tidemark-session", await site.gateway.auth.signIn({ email: BOB, by: "passkey" }));
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
    expect(asked("ListReviews")).toEqual([]);
  });

  it("don't keep anybody from their sales while the entities service is away", async () => {
    site.gateway.entities.faults.failures.set("GetSetupPolicy", new ConnectError("away", Code.Unavailable));
    expect(await browser.open("/dashboard")).toMatchObject({ status: 200 });
  });

  it("approve with reference, country and the end of a day", async () => {
    const decided = await decide(APPROVAL);
    expect(decided.html).toContain("The entity is approved.");
    const [request] = asked("DecideReview") as DecideReviewRequest[];
    expect(request).toMatchObject({ entityUuid: REVIEWED, expectedVersion: 2n });
    if (request?.decision.case !== "approval") throw new Error("it wasn't approved");
    const { reference, country, expiresAt } = request.decision.value;
    expect([reference, country]).toEqual(["K-17", "AT"]);
    expect(expiresAt && timestampDate(expiresAt).toISOString()).toBe("2127-01-31T23:59:59.000Z");
  });

  it("refuse with a reason, for now or for good", async () => {
    const decided = await decide({ do: "refuse", reason: "The register has another name.", final: "yes" });
    expect(decided.html).toContain("The entity is refused.");
    const [request] = asked("DecideReview") as DecideReviewRequest[];
    expect(request?.decision).toMatchObject({
      case: "refusal",
      value: { reason: "The register has another name.", final: true },
    });
  });

  it("ask the user back, who answers on the entity's page, and show both then", async () => {
    const question = "Which <register> are you in?";
    expect((await decide({ do: "ask", question })).html).toContain("The user is asked by e-mail.");
    expect((await browser.open(REVIEWS_PATH)).html).toContain("Nobody waits for a review.");
    const bob = new PageBrowser(site.gateway.origin);
    bob.cookies.set("tidemark-session", await site.gateway.auth.signIn({ email: BOB }));
    const path = `/account/entities/${REVIEWED}`;
    const asked = await bob.open(path);
    expect(asked.html).toContain("Which &lt;register&gt; are you in?");
    const form = asked.html.split("<form").find((text) => text.includes('name="answer"')) ?? "";
    const hidden = Array.from(form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g), ([, name, value]) => [
      name,
      value,
    ]);
    const answer = (text: string) =>
      bob.post(path, { ...Object.fromEntries(hidden), country: "Germany", answer: text });
    expect(await answer("")).toMatchObject({ status: 422 });
    expect((await answer("HRB 4711, Hamburg.")).html).toContain("waits for a reviewer");
    const { html } = await browser.open(REVIEW);
    expect(html).toMatch(/<strong>Answer<\/strong>.*HRB 4711, Hamburg\..*by <bdi>bob@example\.org<\/bdi>/s);
    expect(html).toMatch(/<strong>Question<\/strong>.*Which &lt;register&gt; are you in\?/s);
  });

  it("keep what was entered elsewhere on the page while a note is added, and add it once", async () => {
    const entered = {
      reference: "K-17",
      country: "Austria",
      expires: "2127-01-31",
      reason: "Blurred",
      question: "Who?",
    };
    const fields = { do: "note", note: "Called.", final: "yes", ...entered };
    const noted = await decide(fields);
    for (const text of [
      'value="K-17"',
      'value="Austria"',
      'value="2127-01-31"',
      "\nBlurred<",
      "\nWho?<",
      'name="final" value="yes" checked',
    ]) {
      expect(noted.html).toContain(text);
    }
    expect(noted.html).toMatch(/<textarea[^>]* name="note"[^>]*>\n<\/textarea>/);
    const again = await decide(fields);
    expect(again.html.split('<bdi lang="">Called.</bdi>')).toHaveLength(2);
  });

  it("keep notes for the team, and link to the outside check", async () => {
    const noted = await decide({ do: "note", note: "Called the register." });
    expect(noted.html).toContain("The note is added.");
    expect(noted.html).toContain('<bdi lang="">Called the register.</bdi>');
    expect(noted.html).toContain(`href="https://check.example/people?id=${REVIEWED}"`);
  });

  it.each([
    [{ do: "ask", question: " " }, ["question"], "Enter a question: the user reads it"],
    [{ do: "note", note: "" }, ["note"], "Enter a note"],
    [{ ...APPROVAL, reference: "", country: "Atlantis", expires: "soon" }, ["reference", "country", "expires"], ""],
    [{ do: "refuse", reason: " " }, ["reason"], ""],
  ])("say at the fields what is wrong: %o", async (fields, wrong, text) => {
    const refused = await decide(fields);
    expect(refused.status).toBe(422);
    for (const field of wrong) expect(refused.html).toContain(`id="${field}-error"`);
    expect(refused.html).toContain(text);
    expect(asked("DecideReview")).toEqual([]);
  });

  it("show an entity that was changed meanwhile as it is now", async () => {
    const page = await browser.open(REVIEW);
    const { entities } = site.gateway.entities.as("gateway");
    const renamed = { entityUuid: REVIEWED, label: "Harbour Holdings AG", expectedVersion: 2n };
    await entities.updateEntity(renamed, await atEntities(site.gateway, BOB));
    const conflict = await browser.send(page, { action: REVIEW, fields: APPROVAL });
    expect(conflict.html).toContain("The user has changed the entity in the meantime.");
    expect(conflict.html).toContain("Harbour Holdings AG");
    expect((await browser.send(conflict, { action: REVIEW, fields: APPROVAL })).path).toContain("done=approved");
  });

  it.each([
    ["a note", { do: "note", note: "Called." }],
    ["a mistake", { do: "ask", question: " " }],
  ])("say that an entity was changed meanwhile before the next decision, also after %s", async (_, fields) => {
    const page = await browser.open(REVIEW);
    const { entities } = site.gateway.entities.as("gateway");
    const renamed = { entityUuid: REVIEWED, label: "Harbour Holdings AG", expectedVersion: 2n };
    await entities.updateEntity(renamed, await atEntities(site.gateway, BOB));
    const shown = await browser.send(page, { action: REVIEW, fields });
    expect([shown.status, shown.html]).toEqual([422, expect.stringContaining("changed the entity in the meantime")]);
    const again = await browser.send(shown, { action: REVIEW, fields });
    expect(again.html).not.toContain("changed the entity in the meantime");
  });

  it("are never of an entity of the reviewer's own", async () => {
    await submit({ uuid: OTHER }, USER);
    const refused = await decide(APPROVAL, reviewPath(OTHER));
    expect([refused.status, refused.html]).toEqual([
      403,
      expect.stringContaining("Nobody reviews an entity of their own."),
    ]);
  });

  it("say that the user has deleted the entity meanwhile", async () => {
    const page = await browser.open(REVIEW);
    const { entities } = site.gateway.entities.as("gateway");
    await entities.deleteEntity({ entityUuid: REVIEWED }, await atEntities(site.gateway, BOB));
    const refused = await browser.send(page, { action: REVIEW, fields: APPROVAL });
    expect([refused.status, refused.html]).toEqual([
      404,
      expect.stringContaining("This entity doesn’t wait for a review"),
    ]);
  });

  it("take each reference once", async () => {
    await submit({ uuid: OTHER });
    await decide(APPROVAL, reviewPath(OTHER));
    const refused = await decide(APPROVAL);
    expect([refused.status, refused.html]).toEqual([
      422,
      expect.stringContaining("The reference belongs to another entity."),
    ]);
  });

  it("ask for a sign-in before anything is entered", async () => {
    expect((await site.browser("long ago").open(REVIEW)).path).toContain("again=1");
  });

  it("are over for an entity about which somebody has decided", async () => {
    await decide(APPROVAL);
    expect(await browser.open(REVIEW)).toMatchObject({ status: 404 });
    expect((await browser.open(REVIEWS_PATH)).html).toContain("Nobody waits for a review.");
  });
});
