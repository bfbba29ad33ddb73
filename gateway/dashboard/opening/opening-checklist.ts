import { html } from "hono/html";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";

interface Requirement {
  readonly met: string;
  /** Text while the requirement isn't met. */
  readonly unmet: string;
  /** Fragment of the application's page where it can be met. */
  readonly fragment: string;
}

const WORDS: Readonly<Record<string, Requirement>> = {
  active: { met: "It is enabled", unmet: "Enable it", fragment: "use" },
  redirect_uri: { met: "It has a redirect URI", unmet: "Add a redirect URI", fragment: "redirect-uris" },
  square_logo: { met: "It has a square logo", unmet: "Upload a square logo", fragment: "logos" },
  wide_logo: { met: "It has a wide logo", unmet: "Upload a wide logo", fragment: "logos" },
  "scope:read_entities": {
    met: "It requires “See entities”",
    unmet: "Make “See entities” required",
    fragment: "details",
  },
  "scope:sale_eligibility_check": {
    met: "It requires “Check eligibility”",
    unmet: "Make “Check eligibility” required",
    fragment: "details",
  },
};

/** Whether a sale may open with an application, by the auth service's answer. */
export function isFit({ openingRequirements }: Client): boolean {
  return openingRequirements.every(({ met }) => met);
}

/** Returns what to do about an unmet requirement, and the fragment of the application's page where it is done. */
export function unmetText(name: string): { readonly text: string; readonly fragment: string } {
  const { unmet: text, fragment } = WORDS[name] ?? { unmet: name, fragment: "" };
  return { text, fragment };
}

/** Returns the requirements that an application meets, as a list. */
export function metChecklist(saleUuid: string, client: Client): Html {
  const { application } = applicationPaths(saleUuid, client.uuid);
  const met = client.openingRequirements.filter((requirement) => requirement.met);
  const items = met.map(({ name }) => item(true, WORDS[name]?.met ?? name, application));
  return html`<ul class="checklist">${thereIs(client, application)}${items}</ul>`;
}

/**
 * Returns the list of requirements to open a sale, each with a link.
 *
 * @param client application to open with; undefined for none
 */
export function clientChecklist(saleUuid: string, client: Client | undefined): Html {
  if (client === undefined) {
    return html`<ul class="checklist">${item(false, "Add an application", salePaths(saleUuid).newApplication)}</ul>
<p class="quiet">Your users sign in to it. It then needs a redirect URI and two logos.</p>`;
  }
  const { application } = applicationPaths(saleUuid, client.uuid);
  const items = client.openingRequirements.map(({ name, met }) => {
    const text = WORDS[name] ?? { met: name, unmet: name, fragment: "" };
    return item(met, met ? text.met : text.unmet, `${application}#${text.fragment}`);
  });
  return html`<ul class="checklist">${thereIs(client, application)}${items}</ul>`;
}

function thereIs({ definition }: Client, application: string): Html {
  return item(true, `There is an application: ${definition?.name}`, application);
}

function item(isMet: boolean, text: string, href: string): Html {
  return isMet
    ? html`<li class="met"><span class="mark" role="img" aria-label="Done">✓</span><span>${text}</span></li>`
    : html`<li class="unmet"><span class="mark" role="img" aria-label="To do">○</span><a href="${href}">${text}</a></li>`;
}
