export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Metrics with the same name but different dimensions are different series. */
export type Series = Pick<Datum, 'namespace' | 'name' | 'dimensions'>;

/** `Sum`, `Average`, `Minimum`, `Maximum`, `SampleCount`, or a percentile such as `p95`. */
export type Statistic = string;

export interface MetricQuery extends Series {
  readonly statistic: Statistic;
  /** A whole number of minutes. */
  readonly periodSeconds: number;
  /** Milliseconds since the Unix epoch. `from` is inclusive, `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Aligns the periods so that one of them ends at this time. @default aligned to multiples of the period */
  readonly alignedTo?: number;
}

/** One value of a query's result. `at` is the start of its period, in milliseconds since the Unix epoch. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Imitates CloudWatch's metrics. Keeps one record per series and minute, for one week and in at most 20 MB. */
export interface Metrics {
  put(datum: Datum): void;
  /**
   * Returns one point for each period that has data, oldest first. Percentiles are accurate to 5 %.
   *
   * @throws ServiceFault `ValidationError` for an unknown statistic.
   */
  query(query: MetricQuery): Point[];
  list(): Series[];
  stop(): void;
}
