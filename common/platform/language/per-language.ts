/**
 * Returns a function that makes something for a language once, such as a formatter: making one takes far longer than using it.
 *
 * @param make takes a BCP 47 tag
 */
export function perLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const cache = new Map<string, Made>();
  return (language) => {
    const made = cache.get(language) ?? make(language);
    cache.set(language, made);
    return made;
  };
}

/** Returns the format of whole numbers in a language. */
export const numberFormat: (language: string) => Intl.NumberFormat = perLanguage(
  (language) => new Intl.NumberFormat(language),
);
