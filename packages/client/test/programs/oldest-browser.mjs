// Uses the client as a page does. The program is bundled, and runs without what the oldest browsers do not have.
import { BadRequestError, createClient, MarqueeError, NoAnswerError } from '@marquee/client';

const base = process.env.BASE;
const client = (options = {}) => createClient({ baseUrl: base, apiKey: 'key', ...options });
const outcomes = {};
const outcomeOf = async (name, work) => {
  outcomes[name] = await work().then(
    (value) => value ?? null,
    (error) => `${error.name}: ${error.message}${error.cause === undefined ? '' : ` (${error.cause})`}`,
  );
};

const main = async () => {
  outcomes.missing = [
    typeof URL.canParse,
    typeof AbortSignal.prototype.throwIfAborted,
    'reason' in AbortSignal.prototype,
    typeof crypto.randomUUID,
    typeof Object.hasOwn,
    typeof [].at,
    typeof ''.replaceAll,
  ];
  await outcomeOf('reads', () => client().getEvent('free'));
  await outcomeOf('lists', async () => {
    const ids = [];
    for await (const { event_id } of client().listEvents()) ids.push(event_id);
    return ids;
  });
  await outcomeOf('repeats', () => client().createContract({ name: 'A', symbol: 'A', chain: 'MATIC' }));
  await outcomeOf('refused', () => client().getEvent('bad'));
  // Errors keep their classes.
  outcomes.isBadRequest = await client()
    .getEvent('bad')
    .catch((error) => error instanceof BadRequestError && error instanceof MarqueeError);
  await outcomeOf('late', () => client().getEvent('never', { timeout: 100 }));
  await outcomeOf('lateTry', () =>
    client({ tryMilliseconds: 50, deadlineMilliseconds: 400 }).getEvent('never'),
  );
  await outcomeOf('cancelled', () => {
    const controller = new AbortController();
    const call = client().getEvent('never', { signal: controller.signal });
    controller.abort();
    return call;
  });
  await outcomeOf('cancelledBefore', () => {
    const controller = new AbortController();
    controller.abort();
    return client().getEvent('never', { signal: controller.signal });
  });
  await outcomeOf('page', () => client().getEvent('page'));
  outcomes.cause = await client()
    .getEvent('page')
    .catch((error) => error instanceof NoAnswerError && error.cause instanceof SyntaxError);
  await outcomeOf('plays', async () => {
    const renewals = [];
    for await (const { continuation } of client().playStream('match', { session: 'x' }))
      renewals.push(continuation ?? 'end');
    return renewals;
  });
  await outcomeOf('waits', () => client().waitUntilConfirmed({ address: 'pending' }, { timeout: 100 }));
  await outcomeOf('wrongAddress', async () => createClient({ baseUrl: 'no address' }));
  console.log(JSON.stringify(outcomes));
};
main();
