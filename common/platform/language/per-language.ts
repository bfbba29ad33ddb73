/**
 * Returns a function that makes something for a language once, such as a formatter: making one takes far longer than using it.
 *
 * @param make takes a BCP 47 tag
 */
export function perLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const known = new Map<string, Made>();
  return (language) => {
    const found = known.get(language) ?? make(language);
    known.set(language, found);
    return found;
  };
}

/** Returns the format of whole numbers in a language. */
export const numberFormat: (language: string) => Intl.NumberFormat = perLanguage(
  (language) => new Intl.NumberFormat(language),
);
