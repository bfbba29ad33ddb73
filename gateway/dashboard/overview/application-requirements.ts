import type { OpeningRequirement } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { ApplicationFacts } from "./sale-facts.ts";

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

type WithRequirements = { readonly openingRequirements: readonly Pick<OpeningRequirement, "name" | "met">[] };

/** Returns the requirements that an application doesn't meet, by the auth service's answer. */
export function unmetRequirements({ openingRequirements }: WithRequirements) {
  return openingRequirements.filter(({ met }) => !met);
}

/** Returns the application that lacks least before a sale can open with it; undefined for none. */
export function nearestApplication<Application extends WithRequirements>(
  applications: readonly Application[],
): Application | undefined {
  return applications.toSorted((a, b) => unmetRequirements(a).length - unmetRequirements(b).length)[0];
}

/** Returns what to do about an unmet requirement, and the fragment of the application's page where it is done. */
export function unmetText(name: string): { readonly text: string; readonly fragment: string } {
  const { unmet: text, fragment } = WORDS[name] ?? { unmet: name, fragment: "" };
  return { text, fragment };
}

/** Returns what is done of the application that lacks least, that it exists first; nothing where there is none. */
export function metRequirements(applications: readonly ApplicationFacts[]): readonly string[] {
  const nearest = nearestApplication(applications);
  if (nearest === undefined) return [];
  const met = nearest.openingRequirements.filter((requirement) => requirement.met);
  return [`There is an application: ${nearest.name}`, ...met.map(({ name }) => WORDS[name]?.met ?? name)];
}
