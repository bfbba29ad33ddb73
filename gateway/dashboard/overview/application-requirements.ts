import { fill } from "../../../common/platform/language/message.ts";
import type { OpeningRequirement } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { texts } from "../base/texts.ts";
import type { ApplicationFacts } from "./sale-facts.ts";

interface Requirement {
  readonly met: string;
  /** Text while the requirement isn't met. */
  readonly unmet: string;
  /** Fragment of the application's page where it can be met. */
  readonly fragment: string;
}

/** Returns the words of a requirement of the auth service; undefined for one of a later version. */
function wordsOf(name: string): Requirement | undefined {
  const words = texts().opensWith;
  const { readEntities, eligibility } = texts().application;
  const scoped = (scope: string): Requirement => ({
    met: fill(words.scope, { scope }),
    unmet: fill(words.requireScope, { scope }),
    fragment: "details",
  });
  switch (name) {
    case "active":
      return { met: words.enabled, unmet: words.enable, fragment: "use" };
    case "redirect_uri":
      return { met: words.uri, unmet: words.addUri, fragment: "redirect-uris" };
    case "square_logo":
      return { met: words.square, unmet: words.uploadSquare, fragment: "logos" };
    case "wide_logo":
      return { met: words.wide, unmet: words.uploadWide, fragment: "logos" };
    case "scope:read_entities":
      return scoped(readEntities);
    case "scope:sale_eligibility_check":
      return scoped(eligibility);
    default:
      return undefined;
  }
}

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
  const { unmet: text, fragment } = wordsOf(name) ?? { unmet: name, fragment: "" };
  return { text, fragment };
}

/** Returns what is done of the application that lacks least, that it exists first; nothing where there is none. */
export function metRequirements(applications: readonly ApplicationFacts[]): readonly string[] {
  const nearest = nearestApplication(applications);
  if (nearest === undefined) return [];
  const met = nearest.openingRequirements.filter((requirement) => requirement.met);
  return [
    fill(texts().opensWith.application, { name: nearest.name }),
    ...met.map(({ name }) => wordsOf(name)?.met ?? name),
  ];
}
