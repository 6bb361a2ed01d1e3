/** What happens to the users of a world. */
import { between, oneOf, type Streams } from '../streams.ts';

const kinds = ['change', 'same change', 'identify', 'remove', 'replay', 'add application'] as const;
type Kind = (typeof kinds)[number];

export interface Action {
  readonly id: number;
  readonly kind: Kind;
  readonly user: string;
  /** The application whose client calls. */
  readonly client: string;
  /** In milliseconds from the beginning. */
  readonly at: number;
}

const themes: readonly [readonly [Kind, ...Kind[]], ...(readonly [Kind, ...Kind[]])[]] = [
  ['change', 'change', 'change', 'same change', 'identify', 'remove', 'replay', 'add application'],
  ['change'],
  ['change', 'change', 'remove', 'identify'],
  ['change', 'change', 'replay'],
  ['change', 'identify', 'add application'],
];

export const createWorkload = (streams: Streams) => {
  const random = streams.of('workload');
  const theme = oneOf(random, themes);
  const activeMilliseconds = between(random, 30_000, 300_000);
  const users = between(random, 1, 4);
  const span = random() < 0.3 ? Math.min(5_000, activeMilliseconds) : activeMilliseconds;
  const actions = Array.from({ length: between(random, 2, 16) }, (_, index): Action => {
    const own = streams.of(`workload of action ${index + 1}`);
    return {
      id: index + 1,
      kind: oneOf(own, theme),
      user: `user-${between(own, 1, users)}`,
      client: oneOf(own, ['one', 'one', 'two']),
      at: between(own, 0, span),
    };
  });
  return { actions, activeMilliseconds };
};
