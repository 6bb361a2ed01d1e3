import * as z from 'zod';
import type { Datum } from '../metrics/types.ts';
import { compilePattern, valueAt } from './pattern.ts';
import type { MetricFilter } from './types.ts';

/** "Specification: Embedded metric format". */
const embeddedSchema = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

const numbers = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

export const embeddedMetrics = (event: unknown): Datum[] => {
  const embedded = embeddedSchema.safeParse(event);
  if (!embedded.success) return [];
  const { _aws, ...fields } = embedded.data;
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.flatMap(({ Name }) =>
        (numbers.safeParse(fields[Name]).data ?? []).map((value) => ({
          namespace: Namespace,
          name: Name,
          dimensions: Object.fromEntries(names.map((name) => [name, String(fields[name])])),
          value,
          at: _aws.Timestamp,
        })),
      ),
    ),
  );
};

const textAt = (event: unknown, path: string): string | undefined => {
  if (!path.startsWith('$.')) return path;
  const value = valueAt(event, path.slice(2).split('.'));
  return value === undefined || value === null ? undefined : String(value);
};

export interface MeasuredLine {
  readonly message: string;
  readonly event: unknown;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Compiles a metric filter into a function that measures a line. As on AWS, a line that lacks the value or a dimension
 * is not measured.
 */
export const filteredMetrics = ({
  pattern,
  namespace,
  metric,
  value,
  dimensions,
}: MetricFilter): ((line: MeasuredLine) => Datum[]) => {
  const matches = compilePattern(pattern);
  return ({ event, message, at }) => {
    if (!matches(message)) return [];
    const measured = Number(textAt(event, value) ?? Number.NaN);
    const found = Object.entries(dimensions).map(([key, path]) => [key, textAt(event, path)] as const);
    if (Number.isNaN(measured) || found.some(([, text]) => text === undefined)) return [];
    return [
      {
        namespace,
        name: metric,
        dimensions: Object.fromEntries(found.map(([key, text]) => [key, String(text)])),
        value: measured,
        at,
      },
    ];
  };
};
