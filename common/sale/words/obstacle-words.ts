/**
 * The reasons why an application can't sign users in, each as a continuation of "it". The section `obstacle` of the dashboard's texts
 * has them in each language.
 */
export const OBSTACLE_WORDS = {
  disabled: "is disabled",
  noRedirectUri: "has no redirect URI",
  noScope: "has no scope",
  noSquareLogo: "has no square logo",
  noWideLogo: "has no wide logo",
} as const;

/** Returns the name of an obstacle that a service has told; undefined for one of a later version. */
export function obstacleName(text: string): keyof typeof OBSTACLE_WORDS | undefined {
  const names = Object.keys(OBSTACLE_WORDS) as (keyof typeof OBSTACLE_WORDS)[];
  return names.find((name) => OBSTACLE_WORDS[name] === text);
}
