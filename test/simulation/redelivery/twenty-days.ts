import { type Answer, deliveryWorld, type Strike } from '../../support/notifications/delivery-world.ts';
import { aLadder } from '../../support/notifications/recording.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';
import { redeliveryStore, tables } from './redelivery-store.ts';
import { whatIsShown } from './what-is-shown.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-11-01T00:00:00Z');

type Outage = readonly [from: number, to: number];

/** The subject that one endpoint refuses whenever it is sent. */
const refused = 'user-0';

const isDuring = (outages: readonly Outage[], at: number): boolean =>
  outages.some(([from, to]) => at >= from && at < to);

/** Outages of minutes to hours, and an evening on which the endpoint answers for ten minutes and fails for ten. */
const manyOutages = (random: () => number, days: number): Outage[] => {
  const outages: Outage[] = [];
  for (let at = start + hour; at < start + (days - 3) * day; at += (6 + 30 * random()) * hour) {
    outages.push([at, at + (2 + 600 * random() ** 3) * minute]);
  }
  const evening = start + Math.floor(days / 2) * day + 18 * hour;
  for (let at = evening; at < evening + 4 * hour; at += 20 * minute) outages.push([at, at + 10 * minute]);
  return outages;
};

export interface TwentyDays {
  readonly seed: number;
  /** @default 10,000 */
  readonly changes?: number;
  /** @default 20 */
  readonly days?: number;
  /** How long the third endpoint is down, from the second day on. @default 16 days, or as long as `days` allows */
  readonly longestOutage?: number;
  /**
   * Whether processes die, answers are lost or arrive in another order, and outcomes are late or missing. @default
   * false
   */
  readonly withFaults?: boolean;
}

/**
 * Changes of users over some weeks for an endpoint that is well, one that is often down for a short time and always
 * refuses one user, and one that is down for very long. Returns what does not hold.
 */
export const twentyDays = async ({
  seed,
  changes = 10_000,
  days = 20,
  longestOutage = Math.min(16, days - 4) * day,
  withFaults = false,
}: TwentyDays) => {
  const random = seededRandom(seed);
  const time = { now: () => start };
  const { store, client } = redeliveryStore({
    now: () => time.now(),
    indexLag: () => (withFaults ? 3 * second * random() : 0),
  });
  const missing = new Set<number>();
  let lines = 0;
  let isOver = false;
  const strike = (): Strike => {
    if (!withFaults || isOver) return 'nothing';
    const drawn = random();
    if (drawn < 0.000_3) return 'dies before';
    if (drawn < 0.000_6) return 'dies after';
    if (drawn < 0.002) return 'twice';
    return drawn < 0.02 ? 'others first' : 'nothing';
  };
  const outages: Readonly<Record<string, readonly Outage[]>> = {
    well: [],
    often: manyOutages(random, days),
    long: [[start + day, start + day + longestOutage]],
  };
  const world = deliveryWorld({
    client,
    tables,
    start,
    ladder: aLadder(),
    faults: {
      strike,
      recordDelay: (of) => {
        if (!withFaults) return second;
        const isVeryLate = random() < (of === 'failure' ? 0.2 : 0.001);
        return second * (1 + 30 * random() ** 4 + (isVeryLate ? 400 : 0));
      },
      isLogged: () => {
        lines += 1;
        if (!withFaults || random() > 0.000_5) return true;
        missing.add(lines);
        return false;
      },
    },
  });
  time.now = world.clock;
  for (const [id, own] of Object.entries(outages)) {
    await world.subscribe({
      id,
      answer: (at, subject): Answer => {
        if (isDuring(own, at)) return 500;
        return id === 'often' && subject.endsWith(`#${refused}`) ? 400 : 200;
      },
    });
  }
  const users = Math.ceil(changes / 5);
  for (let change = 0; change < changes; change++) {
    const when = start + Math.floor(random() * (days - 2) * day);
    const user = `user-${Math.floor(random() * users)}`;
    world.at(when, () => world.change(user));
  }
  const violations: string[] = [];
  const shown = whatIsShown(world);
  const look = async (until: number): Promise<void> => {
    while (world.clock() < until) {
      await world.runUntil(Math.min(until, world.clock() + 7 * minute));
      await shown.look('often');
      await shown.look('long');
    }
  };
  await look(start + (days - 1) * day);
  isOver = true;
  await look(start + days * day);

  const originals = world.heard.filter(({ isCopy }) => !isCopy);
  const copies = world.heard.filter(({ isCopy }) => isCopy);
  const isRefused = (endpointId: string, subject: string) =>
    endpointId === 'often' && subject.endsWith(`#${refused}`);

  // Checks that no message is lost if SNS has logged its failure.
  const newest = new Map<string, string>();
  const accepted = new Map<string, string>();
  const raise = (of: Map<string, string>, key: string, dateTime: string): void => {
    if ((of.get(key) ?? '') < dateTime) of.set(key, dateTime);
  };
  for (const { endpointId, subject, dateTime, answer } of world.heard) {
    raise(newest, `${endpointId} ${subject}`, dateTime);
    if (answer === 200) raise(accepted, `${endpointId} ${subject}`, dateTime);
  }
  const lost = [...newest].filter(([key, dateTime]) => {
    const [endpointId = '', subject = ''] = key.split(' ');
    return (accepted.get(key) ?? '') < dateTime && !isRefused(endpointId, subject);
  });
  // Each missing line hides at most one loss.
  if (lost.length > missing.size) violations.push(`lost: ${lost.map(([key]) => key).join(', ')}`);

  // Each missing line hides at most one loss here, too.
  violations.push(...shown.hidden(missing.size), ...(withFaults ? [] : shown.late()));

  // Checks that an endpoint without failures receives exactly what it would receive without redelivery.
  const ofWell = world.heard.filter(({ endpointId }) => endpointId === 'well');
  if (ofWell.length !== changes || ofWell.some(({ isCopy }) => isCopy)) {
    violations.push(`the endpoint that is well heard ${ofWell.length} messages of ${changes}`);
  }

  // Besides probes, at most one message a subject and outage.
  const sent = new Map(copies.map((copy) => [`${copy.endpointId} ${copy.messageId}`, copy]));
  const acceptedCopies = new Map<string, number>();
  for (const { endpointId, subject, answer } of copies) {
    if (answer !== 200) continue;
    const key = `${endpointId} ${subject}`;
    acceptedCopies.set(key, (acceptedCopies.get(key) ?? 0) + 1);
  }
  /** How many outages each subject was in, by its failed originals. */
  const struckBy = new Map<string, Set<number>>();
  for (const { endpointId, subject, answer, at } of originals) {
    if (answer === 200) continue;
    const key = `${endpointId} ${subject}`;
    const index = (outages[endpointId] ?? []).findIndex(([from, to]) => at >= from && at < to);
    struckBy.set(key, (struckBy.get(key) ?? new Set()).add(index));
  }
  let surplus = 0;
  for (const [key, count] of acceptedCopies) surplus += Math.max(0, count - (struckBy.get(key)?.size ?? 0));
  // If a process dies, a page of twenty messages may be sent twice.
  if (surplus > 20 * world.kills() + missing.size) {
    violations.push(`${surplus} messages more than one a subject and outage; ${world.kills()} kills`);
  }

  // Checks that a message that an endpoint always refuses is not sent again and again.
  const ofRefused = [...sent.values()].filter(({ endpointId, subject }) => isRefused(endpointId, subject));
  const rungs = world.ladder.steps.length + (outages.often ?? []).length;
  if (ofRefused.length > 2 * rungs) violations.push(`a refused message was sent ${ofRefused.length} times`);

  for (const id of Object.keys(outages)) {
    const redelivery = await world.state(id);
    const left = [...newest.keys()].some((key) => key === `often data_update#${refused}`);
    const mayBeOpen = id === 'often' && left;
    if (redelivery !== undefined && !mayBeOpen) violations.push(`${id} is still ${redelivery.state}`);
  }
  return {
    violations,
    kills: world.kills(),
    missing: missing.size,
    copies: Object.fromEntries(
      Object.keys(outages).map((id) => [
        id,
        [...sent.values()].filter(({ endpointId }) => endpointId === id).length,
      ]),
    ),
    ofRefused: ofRefused.length,
    surplus,
    items: store.items(tables.Notifications).length,
    world,
  };
};
