import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { callSignal } from '../../../shared/deadline.ts';
import { httpFunction } from '../../../shared/http/http-function.ts';
import { isOutage } from '../../../shared/outage.ts';
import { aContext, anApiEvent } from '../../support/api-event.ts';

/** As the SDK throws what a service refuses with. */
const refused = (name: string): Error =>
  Object.assign(new Error(name), { name, $fault: 'client', $metadata: {} });

describe('an outage that a running function sees', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TransactionInProgressException',
  ])('is answered 503, and when to try again (%s)', async (name) => {
    const handler = httpFunction({
      handler: async () => {
        throw refused(name);
      },
    });

    const { statusCode, headers, body } = await handler(anApiEvent(), aContext());

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(body)).toEqual({ status: 503, message: 'SERVICE_UNAVAILABLE' });
  });

  it('is a call that would outlast the function, which is ended in time to say so', async () => {
    const handler = httpFunction({
      handler: async () => {
        await setTimeout(60_000, undefined, { signal: callSignal(60_000) });
        return { status: 200 };
      },
    });

    const { statusCode } = await handler(anApiEvent(), aContext({ getRemainingTimeInMillis: () => 510 }));

    expect(statusCode).toBe(503);
  });

  it('is no refusal of this very request', () => {
    expect(isOutage(refused('ValidationException'))).toBe(false);
    expect(isOutage(refused('AccessDeniedException'))).toBe(false);
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  });
});
