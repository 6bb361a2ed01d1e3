import { deliveryWorld } from '../../support/notifications/delivery-world.ts';
import { aLadder } from '../../support/notifications/recording.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';
import { redeliveryStore, tables } from './redelivery-store.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.parse('2026-11-01T00:00:00Z');

/** With these steps, a message that is always refused is given up within hours. */
const steps = [5 * minute, 30 * minute, 2 * hour];
const failures = 6;
const length = 36 * hour;
/** Five minutes, at most half an hour until the redelivery is brought forward again, and what a pass of it takes. */
const within = hour;

const refused = 'bad';

/**
 * An endpoint that always refuses one user, and now and then fails to accept one message while it accepts those around it.
 * The lines about accepted and failed deliveries come in any order. Returns what does not hold.
 */
export const besideTraffic = async ({ seed }: { readonly seed: number }) => {
  const random = seededRandom(seed);
  const time = { now: () => start };
  const { client } = redeliveryStore({ now: () => time.now(), indexLag: () => 3 * second * random() });
  const world = deliveryWorld({
    client,
    tables,
    start,
    ladder: aLadder({ steps }),
    faults: {
      recordDelay: (of) => second * (1 + (of === 'failure' ? 90 : 5) * random()),
      strike: () => (random() < 0.02 ? 'others first' : 'nothing'),
    },
  });
  time.now = world.clock;
  const tries = new Map<string, number>();
  await world.subscribe({
    id: 'main',
    answer: (_, subject) => {
      if (subject.endsWith(`#${refused}`)) return 400;
      if (!subject.includes('#victim-')) return 200;
      const tried = (tries.get(subject) ?? 0) + 1;
      tries.set(subject, tried);
      return tried <= 4 ? 500 : 200;
    },
  });
  world.at(start, () => world.change(refused));
  for (let failure = 0; failure < failures; failure++) {
    const at = start + hour + Math.floor(random() * (length - 2 * hour));
    world.at(at, () => world.change(`victim-${failure}`));
    for (let after = -minute; after < 4 * minute; after += second * (3 + 20 * random())) {
      world.at(at + after, () => world.change(`other-${Math.floor(20 * random())}`));
    }
  }
  await world.runUntil(start + length);

  const violations: string[] = [];
  for (let failure = 0; failure < failures; failure++) {
    const own = world.heard.filter(({ subject }) => subject.endsWith(`#victim-${failure}`));
    const failedAt = own.findLast(({ answer }) => answer === 500)?.at ?? 0;
    const accepted = own.filter(({ answer }) => answer === 200);
    const isInTime = accepted.some(({ at }) => at <= failedAt + within);
    if (!isInTime || accepted.length > 1) {
      violations.push(
        `victim-${failure} failed at ${(failedAt - start) / hour} h, and was accepted ${accepted.length} times`,
      );
    }
  }
  const copies = world.heard.filter(
    ({ isCopy, subject }) => isCopy && subject.endsWith(`#${refused}`),
  ).length;
  // A refusal can look like an outage, and copies sent during an outage do not count.
  if (copies > 2 * (steps.length + failures)) violations.push(`the refused message was sent ${copies} times`);
  return { violations, copies };
};
