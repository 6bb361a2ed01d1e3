import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recordLifetimeMilliseconds } from '../../shared/notifications/record/record.ts';
import { deliveryWorld } from '../support/notifications/delivery-world.ts';
import { aLadder } from '../support/notifications/recording.ts';
import { redeliveryStore, tables } from './redelivery/redelivery-store.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const total = (steps: readonly number[]): number => steps.reduce((sum, step) => sum + step, 0);
const textOf = (milliseconds: number): string => {
  const minutes = Math.floor(milliseconds / minute);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  return days > 2 ? `${days} d ${hours} h ${minutes % 60} min` : `${days * 24 + hours} h ${minutes % 60} min`;
};

/** The pauses before each attempt for one message, as Svix publishes them. */
const svix = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const users = 100;
const changesOfEach = 10;
const outage = 12 * hour;

/** How many messages an endpoint that was down gets when it is up again. */
const messagesAtRecovery = async (): Promise<number> => {
  let now = () => 0;
  const { client } = redeliveryStore({ now: () => now(), indexLag: () => 0 });
  const world = deliveryWorld({ client, tables });
  now = world.clock;
  const start = world.time.now;
  await world.subscribe({ id: 'main', answer: (at) => (at < start + outage ? 500 : 200) });
  for (let change = 0; change < users * changesOfEach; change++) {
    await world.change(`user-${change % users}`);
    await world.pass((outage - 2 * minute) / (users * changesOfEach));
  }
  await world.pass(day);
  return world.heard.filter(({ isCopy, answer }) => isCopy && answer === 200).length;
};

it('the customer guide contains the computed comparison of retries per endpoint and per message', async () => {
  const { steps } = aLadder();
  const guide = readFileSync(new URL('../../docs/customer-guide.md', import.meta.url), 'utf8');

  const rows = [
    ['attempts', `${steps.length} for an endpoint`, `${svix.length} for each message`],
    ['the last attempt is made after', textOf(total(steps)), textOf(total(svix))],
    ['messages at recovery', await messagesAtRecovery(), users * changesOfEach],
    [
      'longest outage after which nothing is lost',
      `${recordLifetimeMilliseconds / day} days`,
      textOf(total(svix)),
    ],
  ];
  for (const row of rows) expect(guide).toContain(`| ${row.join(' | ')} |`);
});
