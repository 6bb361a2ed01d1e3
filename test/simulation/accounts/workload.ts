/** What happens to the users of a world, and to the tokens that are reserved for them. */
import { between, oneOf, type Streams } from '../streams.ts';
import { createRequests, type Workload } from '../workload.ts';

export const kinds = [
  'change',
  'link',
  'unlink',
  'reserve',
  'give',
  'claim',
  'claim for a user',
  'metadata',
  'revoke',
  'void',
  'unvoid',
  'erase',
  'erase with an old login',
  'remove',
  'look',
] as const;
export type Kind = (typeof kinds)[number];

export interface Action {
  readonly id: number;
  readonly kind: Kind;
  /** The number of the user whose action it is, or for whom it is. */
  readonly fan: number;
  readonly applicationId: string;
  /** In milliseconds from the beginning. */
  readonly at: number;
}

const themes: readonly [readonly [Kind, ...Kind[]], ...(readonly [Kind, ...Kind[]])[]] = [
  kinds,
  ['reserve', 'give', 'give', 'claim', 'claim', 'erase', 'change', 'look'],
  ['claim', 'claim', 'claim', 'claim for a user', 'erase', 'erase', 'change', 'revoke'],
  ['give', 'give', 'claim', 'void', 'unvoid', 'metadata', 'erase', 'look'],
  ['change', 'change', 'change', 'erase', 'erase', 'erase with an old login'],
  ['link', 'link', 'unlink', 'erase', 'change', 'claim'],
  ['change', 'claim', 'give', 'link', 'remove', 'remove'],
];

/** When users are registered, have linked their wallets for long enough to claim, and have tokens. */
const readyMilliseconds = 40_000;

export interface AccountsWorkload extends Workload {
  readonly fans: number;
  readonly actions: readonly Action[];
  readonly changesPerHour: number;
}

export const createAccountsWorkload = (
  streams: Streams,
  applications: readonly [string, ...string[]],
): AccountsWorkload => {
  const random = streams.of('workload');
  const theme = oneOf(random, themes);
  const fans = between(random, 1, 3);
  // Often all at the same moment.
  const span = oneOf(random, [500, 3_000, 3_000, 30_000, 120_000]);
  const activeMilliseconds = readyMilliseconds + span + 5_000;
  const changesPerHour = oneOf(random, [3, 5, 60]);
  const actions = Array.from({ length: between(random, 2, 14) }, (_, index): Action => {
    const own = streams.of(`workload of action ${index + 1}`);
    return {
      id: index + 1,
      kind: oneOf(own, theme),
      fan: between(own, 1, fans),
      applicationId: oneOf(own, applications),
      at: readyMilliseconds + between(own, 0, span),
    };
  });
  return {
    requests: createRequests(streams, {
      applications,
      kinds: ['mint'],
      isLimited: false,
      revokes: true,
      keyless: 0.2,
      count: 0,
      activeMilliseconds,
    }),
    activeMilliseconds,
    operatorActions: [],
    revokes: true,
    userEvents: [],
    hasOwnUsers: true,
    isPure: false,
    isCalm: false,
    isEachAnswered: true,
    fans,
    actions,
    changesPerHour,
  };
};
