import { setTimeout } from 'node:timers/promises';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { isListening } from './is-listening.ts';
import type { Subscriptions } from './subscription.ts';

const startMilliseconds = 60_000;
/** Longer than SNS tries to deliver the message, with the default of three retries, so that its outcome is known. */
const confirmationMilliseconds = 90_000;
const pollMilliseconds = 250;

/** @throws OperatorError with the message `otherwise` when `condition` is still false after `milliseconds`. */
const waitUntil = async (
  condition: () => Promise<boolean>,
  { milliseconds, otherwise }: { readonly milliseconds: number; readonly otherwise: string },
): Promise<void> => {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new OperatorError({ message: otherwise });
    await setTimeout(pollMilliseconds);
  }
};

/**
 * If the endpoint is on this machine, waits until it accepts connections. An endpoint that is still starting would miss
 * the confirmation message, which SNS sends again only after 20 s.
 */
export const waitForServer = async (endpoint: string): Promise<void> => {
  const url = URL.parse(endpoint);
  if (url?.hostname !== '127.0.0.1' && url?.hostname !== 'localhost') return;
  await waitUntil(() => isListening(url), {
    milliseconds: startMilliseconds,
    otherwise: `Nothing listens at ${url.host}: start your endpoint first.`,
  });
};

/**
 * Waits until the endpoint has confirmed its new subscription.
 *
 * @throws OperatorError with the endpoint's answer when it did not accept the confirmation message.
 */
export const waitForConfirmation = async (
  {
    subscriptions,
    endpoints,
  }: {
    readonly subscriptions: Pick<Subscriptions, 'list'>;
    readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  },
  added: {
    readonly arn: string;
    readonly endpoint: string;
    readonly applicationId: string;
    readonly endpointId: string;
  },
): Promise<void> => {
  const { arn, endpoint, applicationId, endpointId } = added;
  await waitUntil(
    async () => {
      const listed = await subscriptions.list();
      if (listed.some((each) => each.arn === arn && each.state === 'confirmed')) return true;
      const known = (await endpoints.ofApplication(applicationId)).find(({ id }) => id === endpointId);
      if (known?.lastFailure === undefined) return false;
      throw new OperatorError({
        message: `${endpoint} did not accept the confirmation message: ${known.lastFailure.reason}. Repeat this command when the cause is mended.`,
      });
    },
    {
      milliseconds: confirmationMilliseconds,
      otherwise: `${endpoint} has not confirmed within ${confirmationMilliseconds / 1_000} s, and SNS reports no failure: the endpoint answered 2xx but did not request the SubscribeURL, or SNS still tries.`,
    },
  );
};
