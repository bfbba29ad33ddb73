import { describe, expect, it } from "vitest";
import { accountDeletedNotice, emailChangedNotice } from "../accounts/account-notice.ts";
import { type OwnerNotice, ownerNotice as writeNotice } from "./owner-notice.ts";

const by = "founder@example.com";
const SALE = "11111111-1111-4111-8111-111111111111";
const CLIENT = "22222222-2222-4222-8222-222222222222";
type WithoutIds<Notice> = Notice extends OwnerNotice ? Omit<Notice, "saleUuid" | "clientUuid"> : never;
const ownerNotice = (notice: WithoutIds<OwnerNotice>) =>
  writeNotice({ ...notice, saleUuid: SALE, clientUuid: CLIENT } as OwnerNotice, "https://auth.example");

describe("a notice to owners", () => {
  it("lists the redirect URIs that a client has now", () => {
    const redirectUris = ["https://app.example/callback", "https://app.example/?a=1&b=2"];
    const notice = ownerNotice({
      event: "redirect_uris_changed",
      saleName: "Sale",
      clientName: "App",
      redirectUris,
      by,
    });
    expect(notice.subject).toBe("The redirect URIs of an application were changed");
    expect(notice.text).toContain("  - https://app.example/callback\n  - https://app.example/?a=1&b=2");
    expect(notice.text).toContain("It was done by founder@example.com.");
    expect(notice.html).toContain("https://app.example/?a=1&amp;b=2</li>");
  });

  it.each([
    ["owner", "member@example.com is now an owner of the sale “Sale”."],
    ["editor", "member@example.com is now an editor of the sale “Sale”."],
    ["viewer", "member@example.com is now a viewer of the sale “Sale”."],
    [undefined, "member@example.com is no longer a member of the sale “Sale”."],
  ] as const)("states the new role of a member: %s", (role, words) => {
    const notice = ownerNotice({ event: "member_changed", saleName: "Sale", memberEmail: "member@example.com", role });
    expect(notice.text).toContain(words);
    expect(notice.text).toContain("It was done by the operator.");
  });

  it.each([
    ["sale_settled", "A sale was settled", "The sale “Sale” was settled."],
    ["client_disabled", "An application was disabled", "The application “App” of the sale “Sale” was disabled."],
    [
      "email_required",
      "An application requires e-mail addresses",
      "The application “App” of the sale “Sale” now requires the e-mail addresses of its users",
    ],
  ] as const)("says what happened: %s", (event, subject, words) => {
    const notice = ownerNotice({ event, saleName: "Sale", clientName: "App", by });
    expect(notice.subject).toBe(subject);
    expect(notice.text).toContain(words);
  });

  it.each([
    ["client_disabled", `/dashboard/sales/${SALE}/applications/${CLIENT}`],
    ["client_security_changed", `/dashboard/sales/${SALE}/applications/${CLIENT}/security`],
    ["permit_key_changed", `/dashboard/sales/${SALE}/taking-part/signer`],
    ["sale_settled", `/dashboard/sales/${SALE}`],
    ["draft_deleted", "/dashboard"],
  ] as const)("leads to the page that it speaks of: %s", (event, path) => {
    const { text, html } = ownerNotice({ event, saleName: "Sale", clientName: "App", changes: [], by });
    expect(text).toContain(`\n    https://auth.example${path}\n`);
    expect(html).toContain(`<a href="https://auth.example${path}">`);
  });

  it("says which security settings of an application changed", () => {
    const changes = [
      { field: "DPoP", before: "required", after: "optional" },
      { field: "Public key", before: "", after: "backend (EC)" },
    ];
    const notice = ownerNotice({ event: "client_security_changed", saleName: "Sale", clientName: "App", changes, by });
    expect(notice.subject).toBe("The security of an application was changed");
    expect(notice.text).toContain("Security settings of the application “App” of the sale “Sale” were changed:");
    expect(notice.text).toContain("“DPoP”: now “optional”, before “required”");
    expect(notice.text).toContain("“Public key”, added: “backend (EC)”");
  });

  it("shows the addresses after a sign-out as they are registered, and thumbprints whole", () => {
    const uri = `https://sale.example/signed-out/${"a".repeat(200)}?end`;
    const key = `${"k".repeat(128)} (EC, ES256, gU27JsmYK9IQ6J7RZp2lk5zzka1-6-XSP0SsCb-sHDA)`;
    const changes = [
      { field: "Post-logout redirect URI", before: "", after: uri },
      { field: "Public key", before: "", after: key },
    ];
    const { text } = ownerNotice({
      event: "client_security_changed",
      saleName: "Sale",
      clientName: "App",
      changes,
      by,
    });
    expect(text).toContain(`“Post-logout redirect URI”, added: “${uri}”`);
    expect(text).toContain(`“Public key”, added: “${key}”`);
  });

  it("announces an opening, and makes names safe", () => {
    const { subject, text, html } = ownerNotice({
      event: "sale_opened",
      saleName: "<b>S</b>\r\nBcc: x@example.com” was hacked. Log in at https://www.evil.example/",
      by,
    });
    expect(subject).toBe("A sale was opened");
    expect(text).toContain(
      "The sale “<b>S< b> Bcc: x example.com' was hacked. Log in at https evil.example” was opened.",
    );
    expect(text).toContain("You get this mail as an owner of the sale “<b>S< b> Bcc:");
    expect(html).not.toContain("<b>");
  });
});

it("a notice about an account names the browser without copying its header", () => {
  for (const notice of [
    emailChangedNotice({ userAgent: "evil words Firefox/1 (Windows)", language: "en" }, true),
    accountDeletedNotice({ userAgent: "Firefox/1 Windows", language: "en" }),
  ]) {
    expect(notice.text).toContain("with Firefox on Windows");
    expect(notice.text).not.toContain("evil");
  }
});
