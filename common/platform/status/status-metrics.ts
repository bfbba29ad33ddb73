/** A metric that the status of a process shows. */
export interface StatusMetric {
  readonly metric: string;
  /** Words that its value follows. */
  readonly words: string;
  readonly unit?: "s";
  /** Values above this are wrong: the bound of the metric's alert. */
  readonly wrongAbove?: number;
  /** Values below this are wrong. */
  readonly wrongBelow?: number;
}

/** The metrics that the status of a process shows, in its order. A process has those of its own parts. */
export const STATUS_METRICS: readonly StatusMetric[] = [
  { metric: "tidemark_bus_connected", words: "connections to the bus", wrongBelow: 1 },
  { metric: "tidemark_process_clock_difference_seconds", words: "clock difference", unit: "s", wrongAbove: 5 },
  { metric: "tidemark_outbox_backlog", words: "unpublished revisions" },
  { metric: "tidemark_outbox_lag_seconds", words: "age of the oldest unpublished revision", unit: "s", wrongAbove: 30 },
  { metric: "tidemark_webhook_pending", words: "webhook deliveries waiting" },
  {
    metric: "tidemark_webhook_late_seconds",
    words: "earliest webhook delivery overdue by",
    unit: "s",
    wrongAbove: 300,
  },
  { metric: "tidemark_auth_mails_waiting", words: "mails waiting" },
  { metric: "tidemark_entities_notices_waiting", words: "notices waiting" },
  { metric: "tidemark_entities_notice_lag_seconds", words: "age of the oldest notice", unit: "s", wrongAbove: 900 },
  { metric: "tidemark_indexer_sales", words: "sales being read" },
  { metric: "tidemark_indexer_head_lag_seconds", words: "behind the chain's head by", unit: "s", wrongAbove: 180 },
  { metric: "tidemark_indexer_unhealthy_nodes", words: "nodes that aren't believed", wrongAbove: 0 },
  { metric: "tidemark_indexer_refused_methods", words: "methods that a node refuses", wrongAbove: 0 },
  { metric: "tidemark_indexer_final_contradicted", words: "final blocks contradicted", wrongAbove: 0 },
];
