import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { jpegImage, pngImage } from "../testing/images.ts";
import { definitionInit as definition } from "../testing/sample-application.ts";

let fixture: FounderFixture;
let editor: Person;
let saleUuid: string;

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER, editor: Role.EDITOR });
  editor = await fixture.person("editor");
});

async function newClient(): Promise<string> {
  const { client } = await editor.clients.createClient({ saleUuid, definition: definition({ redirectUris: [] }) });
  return client?.uuid ?? "";
}

const hashOf = (image: Uint8Array) => createHash("sha256").update(image).digest("hex");
const set = (clientUuid: string, shape: LogoShape, image: Uint8Array) =>
  editor.clients.setLogo({ clientUuid, shape, image: new Uint8Array(image) });
const get = (image: Uint8Array) => fixture.as("gateway").clients.getLogo({ logo: hashOf(image) });

describe("setLogo and getLogo", () => {
  it("store an image by its content, without trailing bytes", async () => {
    const clientUuid = await newClient();
    const [square, wide] = [pngImage(64, 64), jpegImage(300, 100)];
    await set(clientUuid, LogoShape.SQUARE, Buffer.concat([square, Buffer.from("trailing")]));
    const { client } = await set(clientUuid, LogoShape.WIDE, wide);
    expect(client).toMatchObject({ squareLogo: hashOf(square), wideLogo: hashOf(wide), version: 3n });
    expect(await get(square)).toMatchObject({ mediaType: "image/png", image: new Uint8Array(square) });
    expect(await get(wide)).toMatchObject({ mediaType: "image/jpeg", image: new Uint8Array(wide) });
  });

  it("change nothing if the same image is set again", async () => {
    const clientUuid = await newClient();
    for (const version of [2n, 2n]) {
      expect((await set(clientUuid, LogoShape.SQUARE, pngImage(8, 8))).client?.version).toBe(version);
    }
  });

  it("delete a replaced image, but not one that another client uses", async () => {
    const [one, other] = [await newClient(), await newClient()];
    const [first, second] = [pngImage(8, 8), pngImage(9, 9)];
    await set(one, LogoShape.SQUARE, first);
    await set(other, LogoShape.SQUARE, first);
    await set(one, LogoShape.SQUARE, second);
    expect((await get(first)).mediaType).toBe("image/png");
    await set(other, LogoShape.SQUARE, second);
    expect(await refusalOf(get(first))).toBe("not_found");
    expect((await get(second)).mediaType).toBe("image/png");
  });

  it("refuse the shape of the other logo, and name field and rule", async () => {
    const clientUuid = await newClient();
    const call = set(clientUuid, LogoShape.WIDE, pngImage(8, 8));
    await expect(call).rejects.toThrow("image: must be 2 to 6 times as wide as high, not 8 × 8 pixels");
    expect(await refusalOf(set(clientUuid, LogoShape.SQUARE, pngImage(300, 100)))).toBe("invalid_argument");
    expect(await refusalOf(set(clientUuid, LogoShape.UNSPECIFIED, pngImage(8, 8)))).toBe("invalid_argument");
  });
});
