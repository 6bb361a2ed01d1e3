import { applicationUserSubOf as identifierOf } from '../../../shared/nft/reservations/stand-in.ts';
import { stage } from '../service.ts';
import { tokensIn } from '../stored.ts';
import { between } from '../streams.ts';
import type { JoinedWorld } from '../world.ts';
import { type Histories, watchHistories } from './histories.ts';
import { createReaders } from './readers.ts';
import { applicationUserSubOf, everyUser, userSubOf } from './users.ts';

/** Whether the clocks of the world's processes differ. */
export const clocksDifferIn =
  ({ faults }: Pick<JoinedWorld, 'faults'>) =>
  (): boolean =>
    faults.struck.some((fault) => fault.startsWith('process: clock apart'));

/** The histories of the tokens of a world whose users are those of every world. */
export const joinHistories = (world: JoinedWorld): Histories => {
  const { scheduler, streams, startsAt, activeMilliseconds, store, applications, isAsked, onViolation } =
    world;
  for (const { id } of applications)
    store.put({
      TableName: stage.APPLICATIONS_TABLE,
      Item: { pk: `CLIENT#client-${id}`, application_id: id },
    });
  const isRegistered = (userSub: string): boolean =>
    store.get({ TableName: stage.USERS_TABLE, Key: { user_sub: userSub } }).Item?.is_removed === false;
  const all = everyUser(applications.map(({ id }) => id)).map((user) => ({
    applicationId: user.applicationId,
    userSub: userSubOf(user),
    identifier: applicationUserSubOf(user),
  }));
  const histories = watchHistories({
    store,
    now: scheduler.now,
    readers: createReaders(world),
    usersOf: (applicationId) =>
      all.filter((user) => user.applicationId === applicationId && isRegistered(user.userSub)),
    identifierOf: (standIn) => identifierOf(standIn as `0x${string}`),
    isGone: (identifier) => all.some((user) => user.identifier === identifier && !isRegistered(user.userSub)),
    clocksDiffer: clocksDifferIn(world),
    onViolation,
  });
  const shape = streams.of('readers of histories');
  for (let reader = 1; reader <= between(shape, 0, 3); reader += 1) {
    const own = streams.of(`reader ${reader} of histories`);
    const at = startsAt + between(own, 0, activeMilliseconds);
    if (isAsked(`reader ${reader}`))
      scheduler.at(at, () => void lookAtSome(`reader ${reader}`, world, histories));
  }
  return histories;
};

/** Reads the history of a token. */
export const lookAtSome = async (
  task: string,
  { streams, store, history }: Pick<JoinedWorld, 'streams' | 'store' | 'history'>,
  histories: Histories,
): Promise<void> => {
  const tokens = tokensIn(store);
  const token = tokens[Math.floor(streams.of(`token of ${task}`)() * tokens.length)];
  if (token === undefined) return;
  await histories
    .look(task, token)
    .catch((error: unknown) => history.say(task, `gets no history: ${String(error)}`));
};
