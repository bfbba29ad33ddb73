import { numberFormat, perLanguage } from "./per-language.ts";

declare const PLACES: unique symbol;

/** A text with places in braces, such as `Delete {name}?`. The type has the names of its places. */
export type Message<Place extends string = never> = string & { readonly [PLACES]?: Place };

/** A text with a count, by plural category (Unicode TR 35). Its place `{count}` is the number as the language writes it. */
export type CountedMessage<Place extends string = "count"> = Readonly<
  Partial<Record<Intl.LDMLPluralRule, Message<Place>>> & { other: Message<Place> }
>;

/** The names of the places of a text. */
export type PlacesOf<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesOf<Rest>
  : never;

/** Texts in another language: all of them, each with the same placeholders. */
export type Translation<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string
    ? Message<PlacesOf<Texts[Key]>>
    : Texts[Key] extends { readonly other: infer Form extends string }
      ? CountedMessage<PlacesOf<Form>>
      : Translation<Texts[Key]>;
};

const PLACE = /\{(\w+)\}/g;

/** Returns a text with its places filled. Braces in the values stay as they are. */
export function fill<Place extends string>(
  message: Message<Place>,
  values: Readonly<Record<NoInfer<Place>, string>>,
): string {
  return message.replace(PLACE, (place, name: Place) => (Object.hasOwn(values, name) ? values[name] : place));
}

/**
 * Returns the form of a text for a count, filled.
 *
 * @param language BCP 47 tag
 * @param values of its other places
 */
export function fillCounted<Place extends string>(
  message: CountedMessage<Place | "count">,
  count: number | bigint,
  language: string,
  values: Readonly<Record<Exclude<Place, "count">, string>>,
): string {
  const form = countedForm(message, count, language);
  const all: Readonly<Record<string, string>> = { ...values, count: numberFormat(language).format(count) };
  return fill<string>(form, all);
}

/** Returns the form of a text for a count, with its places as they are. @param language BCP 47 tag */
export function countedForm<Place extends string>(
  message: CountedMessage<Place>,
  count: number | bigint,
  language: string,
): Message<Place> {
  return message[pluralRules(language).select(Number(count))] ?? message.other;
}

const pluralRules = perLanguage((language) => new Intl.PluralRules(language));
