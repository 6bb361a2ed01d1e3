export interface SubscriptionFilter {
  readonly name: string;
  readonly groupName: string;
  /** An empty pattern matches every event. */
  readonly pattern: string;
  readonly destinationArn: string;
}

export interface MetricFilter {
  readonly name: string;
  readonly groupName: string;
  readonly pattern: string;
  readonly namespace: string;
  readonly metric: string;
  /** A number, or the path of a number in the line, such as `$.delivery.dwellTimeMs`. */
  readonly value: string;
  /** For each dimension's name, the path of its value in the line. */
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
 * Stores the log events of services, as CloudWatch Logs does. Functions write to their own log files. Lines in the
 * embedded metric format become metrics, whether a service or a function wrote them.
 */
export interface Logs {
  createGroup(name: string): void;
  hasGroup(name: string): boolean;
  /**
   * Throws, as PutSubscriptionFilter does, when the group does not exist or already has two filters, when the pattern
   * is not supported, or when the function's resource policy does not let CloudWatch Logs invoke the function.
   */
  putSubscriptionFilter(filter: SubscriptionFilter): void;
  /** @throws ServiceFault `ResourceNotFoundException` */
  deleteSubscriptionFilter(filter: { readonly groupName: string; readonly name: string }): void;
  /** @throws ServiceFault `ResourceNotFoundException` */
  subscriptionFilters(groupName: string): readonly SubscriptionFilter[];
  /** Throws when the group does not exist or the pattern is not supported. */
  putMetricFilter(filter: MetricFilter): void;
  /**
   * Applies the group's metric filters to lines that are appended to the file from now on. Throws when the group does
   * not exist.
   */
  follow(source: { readonly groupName: string; readonly file: string }): void;
  /**
   * Appends the event to the group's file and passes it to the group's filters. Throws when the group does not exist.
   */
  write(event: LogEvent): void;
  /** Measures the lines that were appended to followed files. This also happens every second. */
  read(): void;
  stop(): void;
}
