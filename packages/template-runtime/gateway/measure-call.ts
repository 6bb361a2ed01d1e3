import type { Metrics } from '../engines/metrics/types.ts';

export interface FinishedCall {
  readonly apiName: string;
  readonly stage: string;
  /** The resource's path, with its parameters in braces; `undefined` when no resource matched. */
  readonly resource: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * Records API Gateway's detailed metrics: for the API and for the called method ("Amazon API Gateway dimensions and
 * metrics").
 */
export const measureCall = (
  metrics: Pick<Metrics, 'put'>,
  { apiName, stage, resource, method, status, milliseconds, at }: FinishedCall,
): void => {
  const values = {
    Count: 1,
    '4XXError': status >= 400 && status < 500 ? 1 : 0,
    '5XXError': status >= 500 ? 1 : 0,
    Latency: milliseconds,
  };
  const ofMethod = { ApiName: apiName, Stage: stage, Resource: resource ?? '', Method: method };
  for (const dimensions of [{ ApiName: apiName }, ...(resource === undefined ? [] : [ofMethod])]) {
    for (const [name, value] of Object.entries(values)) {
      metrics.put({ namespace: 'AWS/ApiGateway', name, dimensions, value, at });
    }
  }
};
