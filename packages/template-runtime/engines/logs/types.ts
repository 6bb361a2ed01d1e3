/** Hands what is written to a log group to a function. */
export interface SubscriptionFilter {
  readonly name: string;
  readonly groupName: string;
  /** A filter pattern; the empty one lets everything through. */
  readonly pattern: string;
  /** ARN of a function. */
  readonly destinationArn: string;
}

/** Measures what is written to a log group. */
export interface MetricFilter {
  readonly name: string;
  readonly groupName: string;
  readonly pattern: string;
  readonly namespace: string;
  /** Of the metric. */
  readonly metric: string;
  /** A number, or where one is in the line, such as `$.delivery.dwellTimeMs`. */
  readonly value: string;
  /** Where their values are, by their names. */
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
 * What stands in for CloudWatch Logs, for what services write: functions write to files of their own. Lines in the
 * embedded metric format become metrics, whoever wrote them.
 */
export interface Logs {
  createGroup(name: string): void;
  hasGroup(name: string): boolean;
  /**
   * Throws, as PutSubscriptionFilter does, when there is no such group, when it has two filters already, when the
   * pattern is not understood, or when the function's resource policy does not let CloudWatch Logs invoke it.
   */
  putSubscriptionFilter(filter: SubscriptionFilter): void;
  /** Throws when there is no such group, or when the pattern is not understood. */
  putMetricFilter(filter: MetricFilter): void;
  /** Measures what is written to a file from now on as what is written to the group. Throws when there is no such group. */
  follow(source: { readonly groupName: string; readonly file: string }): void;
  /** Appends to the group's file, and hands it to the group's filters. Throws when there is no such group. */
  write(event: LogEvent): void;
  stop(): void;
}
