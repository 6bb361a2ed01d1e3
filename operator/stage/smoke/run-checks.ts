import { isDeepStrictEqual } from 'node:util';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import type { CheckResult } from './check-result.ts';
import type { Check, Expectation } from './checks.ts';

/** Longer than API Gateway lets any call take. */
const timeoutMilliseconds = 35_000;

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const bodyFaults = (text: string, expected: Expectation['body']): string[] => {
  if (expected === undefined) return [];
  const body = json(text);
  if (expected === 'array') return Array.isArray(body) ? [] : ['body: is not a JSON array'];
  const fields = typeof body === 'object' && body !== null ? new Map(Object.entries(body)) : new Map();
  return Object.entries(expected)
    .filter(([name, value]) => !isDeepStrictEqual(fields.get(name), value))
    .map(
      ([name, value]) =>
        `body: ${name} is ${JSON.stringify(fields.get(name))}, expected ${JSON.stringify(value)}`,
    );
};

export const faultsOf = (
  answer: { readonly status: number; readonly headers: Headers; readonly text: string },
  { status, body, headers = {} }: Expectation,
): string[] => {
  const statuses = typeof status === 'number' ? [status] : status;
  return [
    ...(statuses.includes(answer.status)
      ? []
      : [`status: ${answer.status}, expected ${statuses.join(' or ')}`]),
    ...bodyFaults(answer.text, body),
    ...Object.entries(headers).flatMap(([name, value]) => {
      const found = answer.headers.get(name);
      if (found === null) return [`${name}: is missing`];
      return value === undefined || found === value ? [] : [`${name}: is ${found}, expected ${value}`];
    }),
  ];
};

const run = async (check: Check): Promise<CheckResult> => {
  const startedAt = performance.now();
  const took = (): number => Math.round(performance.now() - startedAt);
  const { method, url, headers, body, expected } = check;
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const faults = faultsOf({ status: response.status, headers: response.headers, text }, expected);
    return { check, milliseconds: took(), faults };
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    const text = reason instanceof Error ? reason.message : String(reason);
    return { check, milliseconds: took(), faults: [`no answer: ${text}`] };
  }
};

export const runChecks = (
  checks: readonly Check[],
  { onResult }: { readonly onResult: (result: CheckResult) => void },
): Promise<CheckResult[]> =>
  inParallel(checks, {
    atOnce: 4,
    run: async (check) => {
      const result = await run(check);
      onResult(result);
      return result;
    },
  });
