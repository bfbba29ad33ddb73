/** Samples of a series a minute apart, in promtool's notation: `0+60x10` begins at 0 and rises by 60 ten times. */
type Series = Readonly<Record<string, string>>;

/** A state of affairs in which an alert fires, beside one in which it doesn't. */
export interface AlertCase {
  readonly alert: string;
  /** Distinguishes this case from others of the same alert. */
  readonly when?: string;
  readonly firing: Series;
  readonly silent: Series;
  /** Minutes after which the alert must fire. */
  readonly minutes: number;
  /** Labels of the alert, besides its severity and those in `TARGET`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The labels of `TARGET` that the alert has; namespace and job by default. */
  readonly target?: readonly (keyof typeof TARGET)[];
  /** The description, where the rule's own has placeholders. */
  readonly description?: string;
}

/** Labels that Prometheus adds. Both deployments of a test have the same instance: only their namespaces differ. */
export const TARGET = { namespace: "shop", job: "metrics", instance: "10.0.0.1:9090" } as const;

const PROCESS = ["namespace", "job", "instance"] as const;
const GATEWAY = 'tidemark_process_info{service="gateway"}';
const AUTH = 'tidemark_process_info{service="auth"}';
const READS = "tidemark_gateway_public_read_duration_seconds";
const DELAYS = "tidemark_gateway_stream_delay_seconds";
const METHOD = { service: "tidemark.commitments.v1.CommitmentService", method: "ApplyCommitments" };
const CALLS =
  'tidemark_rpc_requests_total{service="tidemark.commitments.v1.CommitmentService",method="ApplyCommitments"';
const DURATIONS =
  'tidemark_rpc_duration_seconds_bucket{service="tidemark.commitments.v1.CommitmentService",method="ApplyCommitments"';
const USED_UP_SOON = "At this rate the error budget of 30 days is used up within 5 days.";
const USED_UP = "At this rate the error budget of 30 days is used up before their end.";

/** Series of public reads: so many a minute, of which some took longer than 0.25 s, and some failed. */
function reads(all: number, slow: number, failed: number, minutes: number): Series {
  return {
    [`${READS}_count{result="ok"}`]: `0+${all - failed}x${minutes}`,
    [`${READS}_bucket{result="ok",le="0.25"}`]: `0+${all - failed - slow}x${minutes}`,
    [`${READS}_count{result="failed"}`]: `0+${failed}x${minutes}`,
    [`${READS}_bucket{result="failed",le="0.25"}`]: `0+${failed}x${minutes}`,
  };
}

/** Series of changes: so many a minute, of which some took longer than 2.5 s. */
function changes(all: number, late: number, minutes: number): Series {
  return { [`${DELAYS}_count`]: `0+${all}x${minutes}`, [`${DELAYS}_bucket{le="2.5"}`]: `0+${all - late}x${minutes}` };
}

/** At least one case of each alert. */
export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: "TidemarkServiceAbsent",
    when: "a service has gone",
    firing: { 'tidemark_process_info{service="indexer",version="1"}': "1x9 stale", [GATEWAY]: "1x20" },
    silent: { 'tidemark_process_info{service="indexer",version="1"}': "1x20", [GATEWAY]: "1x20" },
    minutes: 20,
    labels: { service: "indexer" },
    description: "Prometheus has scraped no process of indexer in shop for 5 minutes.",
  },
  {
    alert: "TidemarkServiceAbsent",
    when: "an expected service has never been there",
    firing: { 'tidemark:expected_services{service="auth"}': "1x20", [GATEWAY]: "1x20" },
    silent: {
      'tidemark:expected_services{service="auth"}': "1x20",
      'tidemark_process_info{service="auth"}': "1x20",
      [GATEWAY]: "1x20",
    },
    minutes: 20,
    labels: { service: "auth" },
    target: ["namespace"],
    description: "Prometheus has scraped no process of auth in shop for 5 minutes.",
  },
  {
    alert: "TidemarkRestarts",
    firing: { process_start_time_seconds: "1x5 2x5 3x5 4x5 5x5", [GATEWAY]: "1x30" },
    silent: { process_start_time_seconds: "1x5 2x5 3x5 4x12", [GATEWAY]: "1x30" },
    minutes: 29,
    labels: { service: "gateway" },
    target: PROCESS,
    description: "gateway at 10.0.0.1:9090 has restarted more than three times in 30 minutes.",
  },
  {
    alert: "TidemarkReadBudgetBurnsFast",
    when: "reads are slow",
    firing: reads(600, 12, 0, 70),
    silent: reads(600, 3, 0, 70),
    minutes: 70,
    description: `2% of the public reads in shop failed or took too long. ${USED_UP_SOON}`,
  },
  {
    alert: "TidemarkReadBudgetBurnsFast",
    when: "reads fail",
    firing: reads(600, 0, 12, 70),
    // Few people read, and one of them waited.
    silent: { [`${READS}_count{result="ok"}`]: "0x64 1x6", [`${READS}_bucket{result="ok",le="0.25"}`]: "0x70" },
    minutes: 70,
    description: `2% of the public reads in shop failed or took too long. ${USED_UP_SOON}`,
  },
  {
    alert: "TidemarkReadBudgetBurnsFast",
    when: "hours have been bad, though none of them very",
    firing: reads(600, 6, 0, 100),
    // Something was very wrong, and has been over for 40 minutes.
    silent: {
      [`${READS}_count{result="ok"}`]: "0+600x100",
      [`${READS}_bucket{result="ok",le="0.25"}`]: "0+540x60 33000+600x39",
    },
    minutes: 100,
    description: `1% of the public reads in shop failed or took too long. ${USED_UP_SOON}`,
  },
  {
    alert: "TidemarkReadBudgetBurnsSlowly",
    firing: reads(1_000, 1, 1, 130),
    silent: reads(10_000, 5, 0, 130),
    minutes: 130,
    description: `0.2% of the public reads in shop failed or took too long. ${USED_UP}`,
  },
  {
    alert: "TidemarkUpdateBudgetBurnsFast",
    firing: changes(60, 12, 70),
    silent: changes(60, 3, 70),
    minutes: 70,
    description: `20% of the changes in shop reached readers too late. ${USED_UP_SOON}`,
  },
  {
    alert: "TidemarkUpdateBudgetBurnsSlowly",
    firing: changes(100, 2, 130),
    silent: changes(1_000, 5, 130),
    minutes: 130,
    description: `2% of the changes in shop reached readers too late. ${USED_UP}`,
  },
  {
    alert: "TidemarkInternalErrors",
    firing: { [`${CALLS},code="internal"}`]: "0+60x15", [`${CALLS},code="ok"}`]: "0+600x15" },
    silent: { [`${CALLS},code="internal"}`]: "7x15", [`${CALLS},code="ok"}`]: "0+600x15" },
    minutes: 15,
    labels: METHOD,
    description: `Calls to ${METHOD.service}/${METHOD.method} fail with internal errors: a defect, or an invalid state.`,
  },
  {
    alert: "TidemarkCallsUnavailable",
    firing: { [`${CALLS},code="unavailable"}`]: "0+10x15", [`${CALLS},code="ok"}`]: "0+90x15" },
    silent: { [`${CALLS},code="unavailable"}`]: "0+1x15", [`${CALLS},code="ok"}`]: "0+99x15" },
    minutes: 15,
    labels: { service: METHOD.service },
    description: `More than 5 % of the calls to ${METHOD.service} end with unavailable or deadline_exceeded. Its database is the most likely cause.`,
  },
  {
    alert: "TidemarkCallsUnavailable",
    when: "a service is too slow, and not where a chain's node is away",
    firing: { [`${CALLS},code="deadline_exceeded"}`]: "0+10x15", [`${CALLS},code="ok"}`]: "0+90x15" },
    silent: {
      'tidemark_rpc_requests_total{service="tidemark.indexer.v1.IndexerService",method="CheckSource",code="unavailable"}':
        "0+10x15",
    },
    minutes: 15,
    labels: { service: METHOD.service },
    description: `More than 5 % of the calls to ${METHOD.service} end with unavailable or deadline_exceeded. Its database is the most likely cause.`,
  },
  {
    alert: "TidemarkMethodFails",
    when: "rare writes all fail beside many polls",
    firing: {
      // Even steps: Prometheus 2 and 3 count uneven ones differently at a range's edges.
      [`${CALLS},code="unavailable"}`]: "1+1x20",
      'tidemark_rpc_requests_total{service="tidemark.commitments.v1.CommitmentService",method="GetRevisions",code="ok"}':
        "0+600x20",
    },
    // Two failures, each of three attempts, are too few to say anything.
    silent: { [`${CALLS},code="unavailable"}`]: "1 1 1 1 1 1 1 1 4 4 4 4 4 7x7" },
    minutes: 20,
    labels: METHOD,
    description: `More than half of the calls to ${METHOD.service}/${METHOD.method} fail, 15 within 15 minutes, however few they are beside others.`,
  },
  {
    alert: "TidemarkMethodFails",
    when: "writes fail, and not where a chain's node is away",
    firing: { [`${CALLS},code="unavailable"}`]: "0+2x20" },
    silent: {
      'tidemark_rpc_requests_total{service="tidemark.indexer.v1.IndexerService",method="CheckSource",code="unavailable"}':
        "0+2x20",
    },
    minutes: 20,
    labels: METHOD,
    description: `More than half of the calls to ${METHOD.service}/${METHOD.method} fail, 30 within 15 minutes, however few they are beside others.`,
  },
  {
    alert: "TidemarkMethodFails",
    when: "most of a method's calls are internal errors",
    firing: { [`${CALLS},code="internal"}`]: "0+6x20", [`${CALLS},code="ok"}`]: "0+4x20" },
    silent: { [`${CALLS},code="internal"}`]: "0+4x20", [`${CALLS},code="ok"}`]: "0+6x20" },
    minutes: 20,
    labels: METHOD,
    description: `More than half of the calls to ${METHOD.service}/${METHOD.method} fail, 90 within 15 minutes, however few they are beside others.`,
  },
  ...["token", "token_time", "method"].map((reason) => ({
    alert: "TidemarkCallerRefused",
    when: `the reason is ${reason}`,
    firing: {
      [`tidemark_rpc_client_refusals_total{service="${METHOD.service}",method="${METHOD.method}",reason="${reason}"}`]:
        "0+1x20",
    },
    silent: {
      [`tidemark_rpc_client_refusals_total{service="${METHOD.service}",method="${METHOD.method}",reason="${reason}"}`]:
        "1 1 1 2x17",
    },
    minutes: 20,
    labels: { ...METHOD, reason },
    description: `${METHOD.service}/${METHOD.method} refuses a process of Tidemark itself (${reason}): 15 calls within 15 minutes.`,
  })),
  {
    alert: "TidemarkCallsSlow",
    firing: {
      [`${DURATIONS},le="2.5"}`]: "0+98x20",
      [`${DURATIONS},le="5"}`]: "0+100x20",
      [`${DURATIONS},le="+Inf"}`]: "0+100x20",
    },
    silent: {
      [`${DURATIONS},le="2.5"}`]: "0+100x20",
      [`${DURATIONS},le="5"}`]: "0+100x20",
      [`${DURATIONS},le="+Inf"}`]: "0+100x20",
    },
    minutes: 20,
    labels: METHOD,
    description: `One in a hundred calls to ${METHOD.service}/${METHOD.method} takes longer than 3.75s.`,
  },
  {
    alert: "TidemarkDatabasePoolExhausted",
    firing: { 'tidemark_database_pool_waiting{pool="commitments"}': "3x10" },
    silent: { 'tidemark_database_pool_waiting{pool="commitments"}': "3 3 3 0 3 3 3 0 3 3 3" },
    minutes: 10,
    labels: { pool: "commitments" },
    target: PROCESS,
    description: "10.0.0.1:9090 (commitments) uses all connections of its pool: 3 calls wait for one.",
  },
  {
    alert: "TidemarkStaleReads",
    firing: { 'tidemark_gateway_public_reads_total{source="stale"}': "0+60x8" },
    silent: { 'tidemark_gateway_public_reads_total{source="stale"}': "60x8" },
    minutes: 8,
  },
  {
    alert: "TidemarkGatewayErrors",
    firing: {
      'tidemark_gateway_errors_total{code="unavailable"}': "0+60x15",
      'tidemark_gateway_public_reads_total{source="memory"}': "0+60x15",
    },
    silent: {
      'tidemark_gateway_errors_total{code="unavailable"}': "0+3x15",
      'tidemark_gateway_errors_total{code="not_found"}': "0+600x15",
      'tidemark_gateway_public_reads_total{source="memory"}': "0+60x15",
    },
    minutes: 15,
  },
  {
    alert: "TidemarkUpstreamFailures",
    firing: {
      'tidemark_gateway_upstream_failures_total{method="GetRevisions"}': "0+10x15",
      'tidemark_gateway_upstream_calls_total{method="GetRevisions"}': "0+100x15",
    },
    silent: {
      'tidemark_gateway_upstream_failures_total{method="GetRevisions"}': "0+1x15",
      'tidemark_gateway_upstream_calls_total{method="GetRevisions"}': "0+100x15",
    },
    minutes: 15,
    labels: { method: "GetRevisions" },
    description:
      "More than 5 % of the calls of gateways to GetRevisions fail. Sales that are not cached cannot be shown.",
  },
  {
    alert: "TidemarkConnectionsDropped",
    firing: { 'tidemark_gateway_dropped_connections_total{reason="too_many"}': "0+6x15" },
    silent: { 'tidemark_gateway_dropped_connections_total{reason="too_many"}': "6x15" },
    minutes: 15,
  },
  {
    alert: "TidemarkConnectionsDropped",
    firing: { 'tidemark_gateway_dropped_connections_total{reason="too_many_of_address"}': "0+6x15" },
    silent: { 'tidemark_gateway_dropped_connections_total{reason="too_many_of_address"}': "6x15" },
    minutes: 15,
  },
  {
    alert: "TidemarkStreamsDropped",
    firing: {
      'tidemark_gateway_dropped_streams_total{reason="too_slow"}': "0+60x20",
      tidemark_gateway_streams: "49x20",
    },
    silent: {
      'tidemark_gateway_dropped_streams_total{reason="too_slow"}': "0+60x20",
      tidemark_gateway_streams: "999x20",
    },
    minutes: 20,
  },
  {
    alert: "TidemarkCacheTooSmall",
    firing: { 'tidemark_gateway_cache_evictions_total{cache="sales"}': "0+120x30" },
    silent: { 'tidemark_gateway_cache_evictions_total{cache="sales"}': "0+30x30" },
    minutes: 30,
    description:
      "Gateways drop 2 sales a second to make room for others, and load them again when somebody reads them.",
  },
  {
    alert: "TidemarkOutboxLag",
    firing: { tidemark_outbox_lag_seconds: "45x8" },
    silent: { tidemark_outbox_lag_seconds: "3x8" },
    minutes: 8,
    description:
      "The oldest revision in the outbox has waited 45s to be published on NATS. Public figures update later than usual.",
  },
  {
    alert: "TidemarkBusDisconnected",
    firing: { tidemark_bus_connected: "0x8" },
    silent: { tidemark_bus_connected: "1x8" },
    minutes: 8,
    target: PROCESS,
    description: "10.0.0.1:9090 has had no connection to NATS for 2 minutes. Updates arrive later than usual.",
  },
  {
    alert: "TidemarkWebhooksLate",
    firing: { tidemark_webhook_late_seconds: "400x12" },
    silent: { tidemark_webhook_late_seconds: "20x12" },
    minutes: 12,
    description:
      "The next attempt at a webhook has been due for 6m 40s. Events of sales don't reach their founders' servers.",
  },
  {
    alert: "TidemarkHeadLag",
    firing: { 'tidemark_indexer_head_lag_seconds{chain="ethereum"}': "240x10" },
    silent: { 'tidemark_indexer_head_lag_seconds{chain="ethereum"}': "20x10" },
    minutes: 10,
    labels: { chain: "ethereum" },
    description: "A sale on ethereum was last read up to the head of the chain 4m 0s ago.",
  },
  {
    alert: "TidemarkSourceFaults",
    firing: { 'tidemark_indexer_faults_total{remedy="mend"}': "0+1x25" },
    silent: {
      'tidemark_indexer_faults_total{remedy="wait"}': "0+1x25",
      'tidemark_indexer_faults_total{remedy="mend"}': "1x25",
    },
    minutes: 25,
  },
  {
    alert: "TidemarkIndexerDefect",
    firing: { 'tidemark_indexer_faults_total{remedy="internal"}': "0+1x25" },
    silent: {
      'tidemark_indexer_faults_total{remedy="wait"}': "0+1x25",
      'tidemark_indexer_faults_total{remedy="internal"}': "1x25",
    },
    minutes: 25,
  },
  {
    alert: "TidemarkUnhealthyNode",
    firing: { 'tidemark_indexer_unhealthy_nodes{chain="ethereum"}': "1x10" },
    silent: { 'tidemark_indexer_unhealthy_nodes{chain="ethereum"}': "0x10" },
    minutes: 10,
    labels: { chain: "ethereum" },
    description: "A node of ethereum answers but no longer follows the chain. The indexer uses the other nodes.",
  },
  {
    alert: "TidemarkRefusedMethod",
    firing: {
      'tidemark_indexer_refused_methods{chain="ethereum",host="node.example.com",method="eth_getLogs"}': "1x20",
    },
    silent: {},
    minutes: 20,
    labels: { chain: "ethereum", host: "node.example.com", method: "eth_getLogs" },
    description:
      "node.example.com, a node of ethereum, refuses eth_getLogs again and again. Sales are read without it, or by other nodes.",
  },
  {
    alert: "TidemarkFinalContradicted",
    firing: { 'tidemark_indexer_final_contradicted{chain="ethereum"}': "0 1x10" },
    silent: { 'tidemark_indexer_final_contradicted{chain="ethereum"}': "0x10" },
    minutes: 10,
    labels: { chain: "ethereum" },
    description:
      "Nodes of ethereum have another block than one that was read as final. The figures of its sales do not change.",
  },
  {
    alert: "TidemarkMailsFail",
    firing: { 'tidemark_auth_mails_total{result="failed"}': "0+1x15" },
    silent: {
      'tidemark_auth_mails_total{result="failed"}': "1x15",
      'tidemark_auth_mails_total{result="sent"}': "0+9x15",
    },
    minutes: 15,
  },
  {
    alert: "TidemarkCodesGuessed",
    firing: {
      'tidemark_auth_sign_in_attempts_total{result="wrong"}': "0+180x25",
      'tidemark_auth_sign_in_attempts_total{result="correct"}': "0+60x25",
    },
    silent: {
      'tidemark_auth_sign_in_attempts_total{result="wrong"}': "0+90x25",
      'tidemark_auth_sign_in_attempts_total{result="correct"}': "0+60x25",
    },
    minutes: 25,
  },
  {
    alert: "TidemarkInvalidGrants",
    firing: {
      'tidemark_auth_token_errors_total{error="invalid_grant"}': "0+180x25",
      'tidemark_auth_tokens_issued_total{grant="refresh_token"}': "0+60x25",
    },
    silent: {
      'tidemark_auth_token_errors_total{error="invalid_grant"}': "0+90x25",
      'tidemark_auth_tokens_issued_total{grant="refresh_token"}': "0+60x25",
    },
    minutes: 25,
  },
  {
    alert: "TidemarkAuthRequestsFail",
    firing: {
      'tidemark_gateway_auth_requests_total{route="/oauth/token",status="503"}': "0+10x15",
      'tidemark_gateway_auth_requests_total{route="/oauth/token",status="200"}': "0+90x15",
    },
    silent: {
      'tidemark_gateway_auth_requests_total{route="/oauth/token",status="503"}': "0+1x15",
      'tidemark_gateway_auth_requests_total{route="/oauth/token",status="400"}': "0+90x15",
    },
    minutes: 15,
  },
  {
    alert: "TidemarkScreeningsFail",
    firing: {
      'tidemark_entities_screenings_total{result="failed"}': "0+20x25",
      'tidemark_entities_screenings_total{result="clean"}': "0+80x25",
    },
    // Risky and denied wallets are answers, and a screener may stumble.
    silent: {
      'tidemark_entities_screenings_total{result="failed"}': "0+5x25",
      'tidemark_entities_screenings_total{result="risky"}': "0+60x25",
      'tidemark_entities_screenings_total{result="denied"}': "0+35x25",
    },
    minutes: 25,
    description:
      "20% of the screenings of wallets get no usable answer. Unless their sale says otherwise, these people get no permit.",
  },
  {
    alert: "TidemarkNoticesWait",
    firing: { tidemark_entities_notice_lag_seconds: "0+60x25" },
    // One mail that has waited for long and is sent then.
    silent: { tidemark_entities_notice_lag_seconds: "5x10 1000 3x14" },
    minutes: 24,
    description:
      "The oldest mail about an identity check has waited 24m 0s for the auth service. People do not learn that they were approved or refused.",
  },
  {
    alert: "TidemarkIdentityCallbacksRefused",
    firing: {
      'tidemark_entities_callbacks_total{result="unsigned"}': "0+1x60",
      'tidemark_entities_callbacks_total{result="invalid"}': "0+1x60",
      'tidemark_entities_callbacks_total{result="failed"}': "0+1x60",
      'tidemark_entities_callbacks_total{result="applied"}': "0+2x60",
    },
    // A few that are refused among those that are taken.
    silent: {
      'tidemark_entities_callbacks_total{result="unsigned"}': "0+1x60",
      'tidemark_entities_callbacks_total{result="applied"}': "0+1x60",
      'tidemark_entities_callbacks_total{result="unchanged"}': "0+1x60",
    },
    minutes: 60,
  },
  {
    alert: "TidemarkEventLoopDelay",
    firing: { nodejs_eventloop_lag_p99_seconds: "0.4x15", [GATEWAY]: "1x15" },
    silent: { nodejs_eventloop_lag_p99_seconds: "0.02x15", [GATEWAY]: "1x15" },
    minutes: 15,
    labels: { service: "gateway" },
    target: PROCESS,
    description: "The event loop of gateway at 10.0.0.1:9090 is delayed by 400ms. All its responses are late.",
  },
  {
    alert: "TidemarkClockDifference",
    when: "a process is ahead of its database",
    firing: { 'tidemark_process_clock_difference_seconds{compared_with="auth database"}': "50x10", [AUTH]: "1x10" },
    silent: { 'tidemark_process_clock_difference_seconds{compared_with="auth database"}': "4x10", [AUTH]: "1x10" },
    minutes: 10,
    labels: { service: "auth", compared_with: "auth database" },
    target: PROCESS,
    description:
      "The clock of auth at 10.0.0.1:9090 differs from that of the auth database by 50s. Beyond 30 seconds the process takes no calls, unless the public read goes through it.",
  },
  {
    alert: "TidemarkClockDifference",
    when: "a process is behind the service that it calls",
    firing: {
      'tidemark_process_clock_difference_seconds{compared_with="commitments service"}': "-6x10",
      [GATEWAY]: "1x10",
    },
    silent: {
      'tidemark_process_clock_difference_seconds{compared_with="commitments service"}': "-5x10",
      [GATEWAY]: "1x10",
    },
    minutes: 10,
    labels: { service: "gateway", compared_with: "commitments service" },
    target: PROCESS,
    description:
      "The clock of gateway at 10.0.0.1:9090 differs from that of the commitments service by 6s. Beyond 30 seconds the process takes no calls, unless the public read goes through it.",
  },
  {
    alert: "TidemarkOpenFiles",
    firing: { process_open_fds: "900x10", process_max_fds: "1000x10", [GATEWAY]: "1x10" },
    silent: { process_open_fds: "700x10", process_max_fds: "1000x10", [GATEWAY]: "1x10" },
    minutes: 10,
    labels: { service: "gateway" },
    target: PROCESS,
    description: "gateway at 10.0.0.1:9090 has more than 80 % of the files and connections open that it may have.",
  },
  {
    alert: "TidemarkTracesLost",
    firing: { 'tidemark_trace_spans_total{result="lost"}': "0+9x40" },
    silent: {
      'tidemark_trace_spans_total{result="lost"}': "9x40",
      'tidemark_trace_spans_total{result="sent"}': "0+9x40",
    },
    minutes: 40,
  },
];
