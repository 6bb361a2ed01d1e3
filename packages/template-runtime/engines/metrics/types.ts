export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The same name with other dimensions is another series. */
export type Series = Pick<Datum, 'namespace' | 'name' | 'dimensions'>;

/** `Sum`, `Average`, `Minimum`, `Maximum`, `SampleCount`, or a percentile such as `p95`. */
export type Statistic = string;

export interface MetricQuery extends Series {
  readonly statistic: Statistic;
  /** A whole number of minutes. */
  readonly periodSeconds: number;
  /** Milliseconds since the Unix epoch; `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** A time at which one of the periods ends. @default a multiple of the period */
  readonly alignedTo?: number;
}

/** `at` is when the period began, in milliseconds since the Unix epoch. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Works as CloudWatch's metrics. Keeps one record for a series and minute, for one week and up to 20 MB. */
export interface Metrics {
  put(datum: Datum): void;
  /**
   * Points of the periods with data, oldest first. Percentiles are accurate to 5 %.
   *
   * @throws ServiceFault `ValidationError` for an unknown statistic.
   */
  query(query: MetricQuery): Point[];
  list(): Series[];
  stop(): void;
}
