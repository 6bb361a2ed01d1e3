import type { Metrics } from '../engines/metrics/types.ts';

export interface FinishedCall {
  readonly apiName: string;
  /** The method, if API Gateway records metrics of it. */
  readonly method: { readonly Stage: string; readonly Resource: string; readonly Method: string } | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly at: number;
}

/** Records API Gateway's metrics of the API, and of the method ("Amazon API Gateway dimensions and metrics"). */
export const measureCall = (
  metrics: Pick<Metrics, 'put'>,
  { apiName, method, status, milliseconds, at }: FinishedCall,
): void => {
  const values = {
    Count: 1,
    '4XXError': status >= 400 && status < 500 ? 1 : 0,
    '5XXError': status >= 500 ? 1 : 0,
    Latency: milliseconds,
  };
  const dimensionSets = [
    { ApiName: apiName },
    ...(method === undefined ? [] : [{ ApiName: apiName, ...method }]),
  ];
  for (const dimensions of dimensionSets) {
    for (const [name, value] of Object.entries(values)) {
      metrics.put({ namespace: 'AWS/ApiGateway', name, dimensions, value, at });
    }
  }
};
