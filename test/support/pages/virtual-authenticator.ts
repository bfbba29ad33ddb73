import type { Page } from "playwright-core";

/** An authenticator that Chromium simulates: it has the page's passkeys, and confirms each question at once. */
export interface VirtualAuthenticator {
  /** Credential IDs and counters of the passkeys that it has. */
  passkeys(): Promise<readonly { readonly credentialId: string; readonly signCount: number; readonly rpId?: string }[]>;
  /** Sets whether the user is verified, as by a finger. */
  setVerified(isVerified: boolean): Promise<void>;
  /** Sets whether somebody confirms questions. */
  setPresent(isPresent: boolean): Promise<void>;
}

/**
 * Waits until the page that asks for a mailed code has found out that the device can keep passkeys. Whoever sends the code earlier is
 * offered none.
 */
export async function passkeyWillBeOffered(page: Page): Promise<void> {
  await page.locator('input[name="passkeys"]').waitFor({ state: "attached" });
}

/** Adds an authenticator of the device itself, with discoverable credentials and user verification, to a tab. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    setVerified: async (isUserVerified) => {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    setPresent: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}
