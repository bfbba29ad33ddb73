import { Code, ConnectError } from "@connectrpc/connect";
import { SQUARE_LOGO, WIDE_LOGO } from "./sample-logos.ts";

/** Knows the two sample logos. */
export function fakeLogos({ logo }: { readonly logo: string }) {
  const found = [SQUARE_LOGO, WIDE_LOGO].find(({ hash }) => hash === logo);
  if (found === undefined) throw new ConnectError("no such logo", Code.NotFound);
  return { mediaType: "image/png", image: found.image };
}
