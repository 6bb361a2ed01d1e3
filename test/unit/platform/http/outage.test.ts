import { setTimeout } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../../shared/chain/errors.ts';
import { LogBusyError, RecordingUnknownError } from '../../../../shared/nft/errors.ts';
import { EntitlementUnavailableError } from '../../../../shared/ott/errors.ts';
import { IssuerUnavailableError } from '../../../../shared/platform/auth/errors.ts';
import { ServiceUnavailableError } from '../../../../shared/platform/errors.ts';
import { httpFunction } from '../../../../shared/platform/http/http-function.ts';
import { isOutage } from '../../../../shared/platform/outage.ts';
import { callSignal, withDeadline } from '../../../../shared/platform/time/deadline.ts';
import { aContext, anApiEvent } from '../../../support/ott/api-event.ts';
import { refusal } from '../../../support/platform/refusal.ts';

/** The error that the SDK throws when a service refuses a call. */
const refused = (name: string): Error =>
  Object.assign(new Error(name), { name, $fault: 'client', $metadata: {} });

const cancelled = (...codes: readonly string[]) =>
  new TransactionCanceledException({
    message: 'Cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

describe('an outage during a request', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TransactionInProgressException',
  ])('is answered with 503 and a Retry-After header (%s)', async (name) => {
    const handler = httpFunction({
      handler: async () => {
        throw refused(name);
      },
    });

    const { statusCode, headers, body } = await handler(anApiEvent(), aContext());

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(body)).toEqual(refusal({ status: 503, message: 'SERVICE_UNAVAILABLE' }));
  });

  it.each([
    new ServiceUnavailableError({ message: 'silent' }),
    new ChainUnavailableError({ message: 'silent' }),
    new LogBusyError({ message: 'busy' }),
    new RecordingUnknownError({ message: 'silent' }),
    new EntitlementUnavailableError(),
    new IssuerUnavailableError({ issuer: 'https://id.example.com' }),
  ])('is answered with 503 and a Retry-After header ($name)', async (error) => {
    const handler = httpFunction({
      handler: async () => {
        throw error;
      },
    });

    const { statusCode, headers } = await handler(anApiEvent(), aContext());

    expect(statusCode).toBe(503);
    expect(headers?.['retry-after']).toMatch(/^\d+$/);
  });

  it("counts a call that begins after the request's deadline, and such a call is aborted without a warning of Node", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);

    const call = withDeadline(-1, () => setTimeout(60_000, undefined, { signal: callSignal(60_000) }));

    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  it('counts a call that would outlast the function, and such a call is aborted early enough to answer 503', async () => {
    let call: AbortSignal | undefined;
    const handler = httpFunction({
      handler: async () => {
        call = callSignal(60_000);
        await setTimeout(60_000, undefined, { signal: call });
        return { status: 200 };
      },
    });

    const { statusCode } = await handler(anApiEvent(), aContext({ getRemainingTimeInMillis: () => 510 }));

    expect(statusCode).toBe(503);
    // The call itself was aborted, not only the wait for it.
    expect(call?.aborted).toBe(true);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'counts a transaction that was cancelled only because of %s',
    (Code) => {
      expect(isOutage(cancelled('None', Code, 'None'))).toBe(true);
      expect(isOutage(cancelled(Code, 'ConditionalCheckFailed'))).toBe(false);
    },
  );

  it('does not count errors that the request itself caused', () => {
    expect(isOutage(cancelled('None', 'ConditionalCheckFailed'))).toBe(false);
    expect(isOutage(cancelled('ValidationError', 'None'))).toBe(false);
    expect(isOutage(cancelled())).toBe(false);
    expect(isOutage(refused('ValidationException'))).toBe(false);
    expect(isOutage(refused('AccessDeniedException'))).toBe(false);
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  });
});
