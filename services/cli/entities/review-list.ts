import { ReviewSchema } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { reviewTable } from "./entity-text.ts";

export const reviewList: Command = {
  name: "review list",
  positionals: [],
  summary: "list the entities that wait for a reviewer, the longest waiting first",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, context) {
    const reviews = await Array.fromAsync(allReviews(context));
    const text = input.flag("json")
      ? JSON.stringify(
          reviews.map((review) => messageJson(ReviewSchema, review)),
          null,
          2,
        )
      : reviewTable(reviews, paintFor(context.output));
    await write(context.output, `${text}\n`);
  },
};

function allReviews({ entities, signal }: CliContext) {
  return allPages(async (pageToken) => {
    const { reviews, nextPageToken } = await entities.listReviews({ pageSize: PAGE_SIZE, pageToken }, { signal });
    return { items: reviews, nextPageToken };
  });
}
