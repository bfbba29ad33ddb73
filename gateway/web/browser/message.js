// common/platform/language/per-language.ts and common/platform/language/message.ts without types, made by `npm run generate`.

export function perLanguage(make) {
  const cache = new Map();
  return (language) => {
    const made = cache.get(language) ?? make(language);
    cache.set(language, made);
    return made;
  };
}

export const numberFormat = perLanguage((language) => new Intl.NumberFormat(language));

const PLACE = /\{(\w+)\}/g;

export function fill(message, values) {
  return message.replace(PLACE, (place, name) => (Object.hasOwn(values, name) ? values[name] : place));
}

export function fillCounted(message, count, language, values) {
  const form = countedForm(message, count, language);
  const all = { ...values, count: numberFormat(language).format(count) };
  return fill(form, all);
}

export function countedForm(message, count, language) {
  return message[pluralRules(language).select(Number(count))] ?? message.other;
}

const pluralRules = perLanguage((language) => new Intl.PluralRules(language));
