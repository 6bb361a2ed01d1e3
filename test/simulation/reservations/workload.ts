/** The requests in a world in which tokens are reserved for users. */
import { between, oneOf, type Streams } from '../streams.ts';
import { createRequests, includesBurns, type RequestKind, type Workload } from '../workload.ts';
import { everyUser, type UserEvent } from './users.ts';

const themes: readonly [
  {
    readonly kinds: readonly [RequestKind, ...RequestKind[]];
    readonly isLimited?: true;
    readonly isPure?: true;
  },
  ...{
    readonly kinds: readonly [RequestKind, ...RequestKind[]];
    readonly isLimited?: true;
    readonly isPure?: true;
  }[],
] = [
  { kinds: ['reserve', 'claim', 'claim', 'claim'], isPure: true },
  { kinds: ['reserve', 'reserve', 'mint', 'claim', 'claim', 'revoke', 'revoke'], isLimited: true },
  { kinds: ['reserve', 'reassign', 'claim', 'claim', 'claim for a user', 'metadata', 'revoke', 'mint'] },
  { kinds: ['reserve', 'reassign', 'reassign', 'claim', 'claim', 'claim for a user'] },
  { kinds: ['reserve', 'claim', 'revoke', 'deploy', 'batch'], isLimited: true },
];

export const createReservationWorkload = (
  streams: Streams,
  applications: readonly [string, ...string[]],
): Workload => {
  const random = streams.of('workload');
  const { kinds, isLimited, isPure = false } = oneOf(random, themes);
  const activeMilliseconds = between(random, 30_000, 180_000);
  const revokes = includesBurns(kinds);
  // Concurrent claims, in a world in which only they could cost a noop transaction.
  const isCalm = isPure && random() < 0.4;
  const requests = createRequests(streams, {
    applications,
    kinds,
    isBurst: isCalm,
    burstMilliseconds: 1_000,
    isLimited: isLimited === true,
    revokes,
    keyless: oneOf(random, [0, 0.2, 1]),
    count: between(random, 4, 16),
    activeMilliseconds,
  });
  const [first, ...others] = everyUser(applications);
  const userEvents =
    first === undefined || random() < 0.5
      ? []
      : Array.from(
          { length: between(random, 1, 4) },
          (): UserEvent => ({
            ...oneOf(random, [first, ...others]),
            kind: oneOf(random, ['link', 'unlink', 'remove']),
            at: between(random, 0, activeMilliseconds),
          }),
        );
  return {
    requests,
    activeMilliseconds,
    operatorActions: [],
    revokes,
    userEvents,
    isPure,
    isCalm,
    isEachAnswered: false,
  };
};
