/** Delivers a log group's lines to a function. */
export interface SubscriptionFilter {
  readonly name: string;
  readonly groupName: string;
  /** A filter pattern; the empty one passes everything. */
  readonly pattern: string;
  /** ARN of a function. */
  readonly destinationArn: string;
}

/** Makes metrics from a log group's lines. */
export interface MetricFilter {
  readonly name: string;
  readonly groupName: string;
  readonly pattern: string;
  readonly namespace: string;
  /** Name of the metric. */
  readonly metric: string;
  /** A number, or the path of one in the line, such as `$.delivery.dwellTimeMs`. */
  readonly value: string;
  /** Paths of the dimensions' values, by name. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface LogEvent {
  readonly groupName: string;
  readonly streamName: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly message: string;
}

/**
 * The local stand-in for CloudWatch Logs, for what services write; functions write to files of their own. Lines in the
 * embedded metric format become metrics, whoever wrote them.
 */
export interface Logs {
  createGroup(name: string): void;
  hasGroup(name: string): boolean;
  /**
   * Throws, as PutSubscriptionFilter does, when the group does not exist or already has two filters, when the pattern
   * is not understood, or when the function's resource policy does not let CloudWatch Logs invoke it.
   */
  putSubscriptionFilter(filter: SubscriptionFilter): void;
  /** Throws when the group does not exist or the pattern is not understood. */
  putMetricFilter(filter: MetricFilter): void;
  /**
   * Applies the group's metric filters to what is written to a file from now on. Throws when the group does not exist.
   */
  follow(source: { readonly groupName: string; readonly file: string }): void;
  /** Appends to the group's file and passes it to the group's filters. Throws when the group does not exist. */
  write(event: LogEvent): void;
  stop(): void;
}
