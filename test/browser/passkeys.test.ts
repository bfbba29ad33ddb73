import { expect, it } from "vitest";
import { AUTH_HOST } from "../support/pages/sign-in-site.ts";
import { authorizationRequest, type Visitor } from "../support/pages/sign-in-visitor.ts";
import { signInVisits } from "../support/pages/sign-in-visits.ts";
import {
  addVirtualAuthenticator,
  passkeyWillBeOffered,
  type VirtualAuthenticator,
} from "../support/pages/virtual-authenticator.ts";
import { holdScripts } from "../support/pages/watched-page.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";

const WITH_PASSKEY = "Sign in with a passkey";

const { site, visitor } = signInVisits();

/** Leaves the button alone: a simulated person would choose the first suggestion at once. */
const NO_SUGGESTIONS = "PublicKeyCredential.isConditionalMediationAvailable = undefined";

/** Somebody whose device can keep passkeys. */
async function visitorWithDevice(
  script?: string,
): Promise<{ readonly visitor: Visitor; readonly device: VirtualAuthenticator }> {
  const somebody = await visitor();
  if (script !== undefined) await somebody.page.addInitScript(script);
  return { visitor: somebody, device: await addVirtualAuthenticator(somebody.page) };
}

/** Signs in by a mailed code, with a device that can keep passkeys. */
async function signInByCode(somebody: Visitor): Promise<void> {
  await somebody.askForCode();
  await passkeyWillBeOffered(somebody.page);
  await somebody.enterCode(await somebody.mailedCode());
}

it("offers a passkey after a sign-in by a code, goes on to the consent, and later signs in by one tap", async () => {
  const { visitor: alice, device } = await visitorWithDevice(NO_SUGGESTIONS);
  const { url, codeVerifier } = authorizationRequest(site());
  await alice.page.goto(url);
  await signInByCode(alice);
  await alice.sees("Sign in faster next time");
  await alice.press("Add a passkey");
  await alice.press("Allow");
  const tokens = await alice.exchange((await alice.arrival()).code, codeVerifier);
  expect(tokens.access_token).toBeDefined();
  expect(await device.passkeys()).toMatchObject([{ rpId: AUTH_HOST }]);
  await alice.page.goto("/account");
  await alice.press("Sign out of this browser");
  await alice.page.goto("/sign-in");
  await alice.press(WITH_PASSKEY);
  await alice.sees("Your account");
  await alice.page.getByText(alice.email).waitFor();
  await alice.page.getByText("last used").waitFor();
});

it("adds a passkey by the Enter key, and signs in as soon as somebody chooses it among the suggestions (conditional UI)", async () => {
  const { visitor: bob, device } = await visitorWithDevice();
  await device.setPresent(false);
  await bob.page.goto("/account/passkeys");
  await signInByCode(bob);
  await bob.press("Not now");
  const name = bob.page.getByLabel("Name (optional)");
  await name.fill("Blue key");
  await device.setPresent(true);
  await bob.page.getByRole("button", { name: "Add a passkey" }).and(bob.page.locator(":enabled")).waitFor();
  await name.press("Enter");
  await bob.page.getByText("The passkey is added.").waitFor();
  await bob.page.getByText("Blue key").first().waitFor();
  await bob.page.goto("/account");
  await bob.press("Sign out of this browser");
  // The simulated person chooses the first suggestion.
  await bob.page.goto("/account/email");
  await bob.sees("Change your address");
});

it("signs nobody in whom the device doesn't verify, nor with a passkey that was removed", async () => {
  const { visitor: carol, device } = await visitorWithDevice(NO_SUGGESTIONS);
  await carol.page.goto("/account/passkeys");
  await signInByCode(carol);
  await carol.press("Not now");
  await carol.press("Add a passkey");
  await carol.page.getByText("The passkey is added.").waitFor();
  await device.setVerified(false);
  await carol.page.goto("/sign-in");
  await carol.press(WITH_PASSKEY);
  await carol.page.getByText("Nothing was confirmed.").waitFor();
  await device.setVerified(true);
  await carol.press(WITH_PASSKEY);
  await carol.sees("Your account");
  await carol.page.goto("/account/passkeys");
  await carol.press("Remove the passkey Chrome on Linux");
  await carol.page.getByText("The passkey is removed.").waitFor();
  await carol.page.goto("/sign-in");
  await carol.press(WITH_PASSKEY);
  await carol.page.getByText("No account has this passkey any more.").waitFor();
  expect(carol.page.url()).toContain("/sign-in?step=");
});

it("keeps its button disabled until the script is there, so that no tap is lost and the Enter key sends nothing empty", async () => {
  const { visitor: fay } = await visitorWithDevice(NO_SUGGESTIONS);
  await fay.page.goto("/account/passkeys");
  await signInByCode(fay);
  await fay.sees("Sign in faster next time");
  const release = await holdScripts(fay.page);
  await fay.page.goto("/account/passkeys", { waitUntil: "commit" });
  const button = fay.page.getByRole("button", { name: "Add a passkey" });
  expect(await button.isDisabled()).toBe(true);
  await fay.page.getByLabel("Name (optional)").press("Enter");
  release();
  await button.click();
  await fay.page.getByText("The passkey is added.").waitFor();
});

it("shows no button without script", async () => {
  const dave = await visitor({ javaScriptEnabled: false });
  await dave.page.goto("/sign-in");
  await dave.page.getByRole("button", { name: "Send me a code" }).waitFor();
  expect(await dave.page.getByText(WITH_PASSKEY).isVisible()).toBe(false);
  await dave.page.goto("/account");
  await dave.signIn();
  await dave.sees("Your account");
});

it("shows no button in browsers without passkeys", async () => {
  const erin = await visitor();
  await erin.page.addInitScript("delete window.PublicKeyCredential");
  await erin.page.goto("/sign-in");
  await expect.poll(() => erin.page.getByText(WITH_PASSKEY).isVisible(), { timeout: POLL_TIMEOUT_MS }).toBe(false);
});
