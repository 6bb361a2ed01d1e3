import type * as z from 'zod';
import { type Clock, systemClock } from '../time/clock.ts';
import type { SecretsClient } from './secrets-client.ts';

const lifetimeMilliseconds = 5 * 60 * 1_000;
/**
 * After a failed read, the expired value is used for this long before the next try. Without this pause, every call
 * would wait for Secrets Manager while it is down.
 */
const pauseMilliseconds = 30_000;

/** Reads a secret at its first use, and again after five minutes. */
export interface SecretReader<Value> {
  /** @throws Error if the secret cannot be read or has the wrong shape, and no earlier value is known. */
  read(): Promise<Value>;
  /** Reads the secret again, whatever its age. For the one retry after a service refused the credentials. */
  refresh(): Promise<Value>;
}

export const secretReader = <Value>({
  client,
  secretId,
  schema,
  clock = systemClock,
}: {
  readonly client: SecretsClient;
  readonly secretId: string;
  readonly schema: z.ZodType<Value>;
  readonly clock?: Clock;
}): SecretReader<Value> => {
  let known: { readonly value: Value; readonly readAt: number } | undefined;
  let reading: Promise<Value> | undefined;

  const fetchValue = async (): Promise<Value> => {
    const text = await client.read(secretId);
    const parsed = parseSecret(text, schema);
    if ('wrong' in parsed) {
      throw new Error(`Secret ${secretId} does not have the expected shape: ${parsed.wrong.join(', ')}`);
    }
    known = { value: parsed.value, readAt: clock() };
    return parsed.value;
  };

  const refresh = (): Promise<Value> => {
    reading ??= fetchValue().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    refresh,
    read: async () => {
      if (known !== undefined && clock() - known.readAt < lifetimeMilliseconds) return known.value;
      const stale = known;
      try {
        return await refresh();
      } catch (error) {
        if (stale === undefined) throw error;
        // The expired value is still used while Secrets Manager is unavailable, or if the new value does not have the
        // expected shape.
        known = { value: stale.value, readAt: clock() - lifetimeMilliseconds + pauseMilliseconds };
        return stale.value;
      }
    },
  };
};

/**
 * The value of a secret, or the names of its wrong fields. It returns no messages of JSON.parse and zod, because these
 * may quote the value.
 */
export const parseSecret = <Value>(
  text: string,
  schema: z.ZodType<Value>,
): { readonly value: Value } | { readonly wrong: readonly string[] } => {
  const parsed = schema.safeParse(jsonOrText(text));
  return parsed.success
    ? { value: parsed.data }
    : { wrong: parsed.error.issues.map((issue) => issue.path.join('.') || '(whole)') };
};

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
