import { type Answer, deliveryWorld, type Strike } from '../../support/notifications/delivery-world.ts';
import { aLadder } from '../../support/notifications/recording.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';
import { redeliveryStore, tables } from './redelivery-store.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.parse('2026-11-01T00:00:00Z');

const steps = [5 * minute, 30 * minute, 2 * hour, 5 * hour];
const changesUntil = start + 20 * hour;
const end = start + 60 * hour;
/** A row that a process was working on when it died is due again after five minutes, and is looked at a minute later. */
const patience = 14 * minute;
const users = 12;
const changes = 80;

/** Is always refused. */
const refused = 'bad';
/** Is refused twice each time, and then accepted. */
const moody = 'moody';
/** An older message about it fails after a newer one was accepted. */
const late = 'late';

/**
 * A short world in which everything is frequent that is rare in the others: lines of the log that come twice, late, in
 * another order, or never; probes without an outcome; an outage after the last change, so that only a probe can end it; an
 * address that is removed during an outage and added again. Returns what does not hold.
 */
export const corners = async ({ seed }: { readonly seed: number }) => {
  const random = seededRandom(seed);
  const time = { now: () => start };
  const { store, client } = redeliveryStore({ now: () => time.now(), indexLag: () => 5 * second * random() });
  let isQuiet = false;
  let missing = 0;
  let missingCopies = 0;
  let unrecorded = 0;
  const chance = (probability: number): boolean => !isQuiet && random() < probability;
  const strike = (): Strike => {
    const drawn = random();
    if (isQuiet || drawn > 0.03) return 'nothing';
    if (drawn < 0.000_1) return 'dies before';
    if (drawn < 0.000_2) return 'dies after';
    return drawn < 0.004 ? 'twice' : 'others first';
  };
  const world = deliveryWorld({
    client,
    tables,
    start,
    ladder: aLadder({ steps }),
    faults: {
      strike,
      // A worker holds its application for two minutes.
      suspendedFor: () => second * (chance(0.05) ? 150 : 12 * random()),
      recordDelay: (of) => {
        if (of === 'message' && chance(0.01)) {
          unrecorded += 1;
          return 20 * minute * random();
        }
        return second * (1 + (of === 'failure' ? 120 : 6) * random());
      },
      isLogged: ({ isCopy }) => {
        if (!chance(isCopy ? 0.1 : 0.003)) return true;
        if (isCopy) missingCopies += 1;
        else missing += 1;
        return false;
      },
      isLoggedTwice: () => chance(0.2),
    },
  });
  time.now = world.clock;

  /** SNS's attempts for one message, and in between the one for the next message about the same subject. */
  const answersToLate: readonly Answer[] = [500, 500, 200, 500, 500];
  const outages: (readonly [from: number, to: number])[] = [];
  for (let at = start + hour; at < changesUntil - 3 * hour; at += (1 + 4 * random()) * hour) {
    outages.push([at, at + (3 + 80 * random()) * minute]);
  }
  outages.push([changesUntil - hour, changesUntil + 6 * hour * random()]);
  const isDown = (at: number): boolean => outages.some(([from, to]) => at >= from && at < to);
  let moods = 0;
  let lates = 0;
  await world.subscribe({ id: 'well', answer: () => 200 });
  await world.subscribe({
    id: 'main',
    answer: (at, subject): Answer => {
      if (subject.endsWith(`#${late}`)) {
        lates += 1;
        return answersToLate[(lates - 1) % answersToLate.length] ?? 200;
      }
      if (isDown(at)) return 500;
      if (subject.endsWith(`#${refused}`)) return 400;
      if (!subject.endsWith(`#${moody}`)) return 200;
      moods += 1;
      return moods % 3 === 0 ? 200 : 400;
    },
  });
  for (let change = 0; change < changes; change++) {
    const name = `user-${Math.floor(users * random())}`;
    world.at(start + Math.floor(random() * (changesUntil - start)), () => world.change(name));
  }
  for (const each of [refused, moody]) world.at(start + 30 * minute, () => world.change(each));
  for (const after of [2, 6, 11]) {
    world.at(start + after * hour, () => world.change(late));
    world.at(start + after * hour + 30 * second, () => world.change(late));
  }
  const removedIn = outages[Math.floor(random() * (outages.length - 1))] ?? [start, start];
  const removedAt = removedIn[0] + Math.floor((removedIn[1] - removedIn[0]) * random());
  const addedAt = removedAt + Math.floor(30 * minute * random());
  world.at(removedAt, () => world.remove('main'));
  world.at(addedAt, () => world.addAgain('main'));
  const violations: string[] = [];
  /** Since when something is amiss that may be so for a moment. */
  const amiss = new Map<string, number>();
  const check = async (): Promise<void> => {
    const now = world.clock();
    const {
      redelivery,
      failingSince,
      removedAt: removed,
      formerlyRemovedAt = 0,
    } = await world.endpoint('main');
    const rows = store
      .items(tables.Notifications)
      .filter(({ pk }) => String(pk).startsWith('UNDELIVERED#club/main'))
      // Older ones are deleted when the endpoint fails again.
      .filter(({ published_at }) => Number(published_at) > formerlyRemovedAt);
    const isSending = redelivery !== undefined && failingSince === undefined && removed === undefined;
    const waits = rows.some(
      ({ next_at, is_given_up }) => is_given_up === false && Date.parse(String(next_at)) < now,
    );
    const found: Readonly<Record<string, boolean>> = {
      'rows without a redelivery': rows.length > 0 && redelivery === undefined && removed === undefined,
      'a due row is not looked at': isSending && waits,
    };
    for (const [what, isSo] of Object.entries(found)) {
      if (!isSo) amiss.delete(what);
      else if (!amiss.has(what)) amiss.set(what, now);
      else if (now - (amiss.get(what) ?? now) > patience) {
        violations.push(`${what} at ${(now - start) / hour} h`);
        amiss.set(what, Number.POSITIVE_INFINITY);
      }
    }
  };
  const runUntil = async (until: number): Promise<void> => {
    while (world.clock() < until) {
      await world.runUntil(Math.min(until, world.clock() + 3 * minute));
      await check();
    }
  };
  await runUntil(changesUntil + 2 * hour);
  isQuiet = true;
  await runUntil(end);

  const ofMain = world.heard.filter(({ endpointId }) => endpointId === 'main');
  const publishedAt = (dateTime: string): number => Date.parse(`${dateTime.slice(0, 23)}Z`);
  const bySubject = Map.groupBy(
    ofMain.filter(({ dateTime }) => publishedAt(dateTime) >= removedAt),
    ({ subject }) => subject,
  );
  const lost: string[] = [];
  let surplus = 0;
  for (const [subject, heard] of bySubject) {
    if (subject.endsWith(`#${refused}`)) continue;
    const newest =
      heard
        .map(({ dateTime }) => dateTime)
        .sort()
        .at(-1) ?? '';
    const accepted = heard.filter(({ answer }) => answer === 200);
    if (accepted.every(({ dateTime }) => dateTime < newest)) lost.push(subject);
    const failed = new Set(
      heard.filter(({ isCopy, answer }) => !isCopy && answer !== 200).map(({ messageId }) => messageId),
    );
    surplus += Math.max(0, accepted.filter(({ isCopy }) => isCopy).length - failed.size);
  }
  if (lost.length > missing) violations.push(`lost: ${lost.join(', ')}`);
  // An acceptance that is not in the record, or not yet, and a copy whose sender died or got no answer, can cost one more.
  const excused = world.kills() + world.repeated() + missing + missingCopies + unrecorded;
  if (surplus > excused) violations.push(`${surplus} copies too many; ${excused} excused`);
  const former = ofMain.filter(
    ({ at, isCopy, dateTime }) => isCopy && at > addedAt + 2 * minute && publishedAt(dateTime) < removedAt,
  );
  if (former.length > 0) violations.push(`sent from before the removal: ${former[0]?.subject}`);
  const copies = new Set(
    ofMain
      .filter(({ isCopy, subject }) => isCopy && subject.endsWith(`#${refused}`))
      .map(({ messageId }) => messageId),
  ).size;
  const rungs = steps.length + outages.length;
  if (copies > 2 * rungs) violations.push(`the refused message was sent ${copies} times`);
  if (
    missing + unrecorded === 0 &&
    ofMain.some(({ isCopy, subject }) => isCopy && subject.endsWith(`#${late}`))
  ) {
    violations.push('a subject was sent again whose newest message was accepted');
  }
  if (world.heard.some(({ endpointId, isCopy }) => endpointId === 'well' && isCopy)) {
    violations.push('a copy was sent to the endpoint that is well');
  }
  const left = await world.state('main');
  const mayBeLeft = bySubject.has(`data_update#${refused}`);
  if (left !== undefined && !mayBeLeft) violations.push(`main is still ${left.state}`);
  return { violations, copies, surplus, kills: world.kills() };
};
