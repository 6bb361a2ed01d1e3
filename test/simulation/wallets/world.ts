import { hashMessage } from 'viem/utils';
import type { Address, Hex } from '../../../shared/chain/hex.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { worldsOf } from '../frame.ts';
import { createStore } from '../store.ts';
import { between, oneOf } from '../streams.ts';
import { createInvariants } from './invariants.ts';
import { isKey, keyAddress, signedByKey } from './keys.ts';
import { createWallets, environment, origin, signatureOf } from './service.ts';

const minute = 60_000;
const tables = {
  Applications: { keys: ['pk'] },
  Users: { keys: ['user_sub'] },
  ApplicationUserSubs: { keys: ['pk', 'sk'] },
  Wallets: { keys: ['pk'] },
  Nfts: { keys: ['pk', 'sk'] },
} as const;

const kinds = ['link', 'unlink', 'list', 'remove', 'register', 'use again', 'use of another'] as const;
type Kind = (typeof kinds)[number];
const themes: readonly [readonly [Kind, ...Kind[]], ...(readonly [Kind, ...Kind[]])[]] = [
  ['link', 'link', 'link', 'unlink', 'list', 'remove', 'register', 'use again', 'use of another'],
  ['link'],
  ['link', 'link', 'unlink', 'use again'],
  ['link', 'link', 'remove', 'register'],
];

interface Challenge {
  readonly challenge_id: string;
  readonly message: string;
}

interface Proof {
  readonly user: string;
  readonly address: Address;
  readonly body: { readonly challenge_id: string; readonly signature: string };
}

const requestOf = <Path, Body>(
  user: string,
  { path, body }: { readonly path?: Path; readonly body?: Body },
) => {
  const headers: Readonly<Record<string, string>> = { authorization: `${user} client-one` };
  return { path, body, header: (name: string) => headers[name] } as unknown as HttpRequest<
    never,
    never,
    never
  >;
};

/** A world of users who link wallets, unlink them and are removed, often the same wallets at the same time. */
export const runWorld = worldsOf('wallets', (frame) => {
  const { scheduler, streams, faults, history, startsAt, onViolation, isAsked, sleep } = frame;
  const surroundings = { scheduler, streams, history, faults };
  const shape = streams.of('world');
  const store = createStore(tables, { now: scheduler.now });
  const invariants = createInvariants({ store, scheduler, onViolation });
  const service = createWallets({
    ...surroundings,
    store,
    onGivenUp: (removals) => onViolation(`${removals} removals were given up`),
  });
  const TableName = environment.APPLICATIONS_TABLE;
  store.put({
    TableName,
    Item: { pk: 'APPLICATION#one', ...anApplication({ wallets: { origins: [origin] } }) },
  });
  store.put({ TableName, Item: { pk: 'CLIENT#client-one', application_id: 'one' } });

  const users = between(shape, 1, 3);
  const wallets = oneOf(shape, [1, 1, 2, 7]);
  const theme = oneOf(shape, themes);
  /** Checking the signature of a key takes longer than everything else in a world, so few worlds have keys. */
  const hasKeys = streams.of('key wallets')() < 0.125;
  const activeMilliseconds = between(shape, minute, 15 * minute);
  const span = shape() < 0.4 ? 5_000 : activeMilliseconds;
  const known: Proof[] = [];
  const removed = new Set<string>();

  /** Tries as a caller does that gets no answer. `undefined` if it never gets one, or is refused. */
  const insist = async <Answer>(
    task: string,
    call: (label: string) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    if (faults.strike('caller: asks twice', task)) void call(`${task} at once again`).catch(() => {});
    for (let tried = 1; tried <= 4; tried += 1) {
      try {
        return await call(`${task}, try ${tried}`);
      } catch (error) {
        const { code } = error as { readonly code?: string };
        history.say('caller', `${task} fails: ${code ?? String(error)}`);
        if (code !== undefined && code !== 'CONFLICT') return undefined;
        await sleep(between(streams.of(task), 500, 5_000));
      }
    }
    return undefined;
  };
  const register = (task: string, user: string) =>
    insist(task, (label) =>
      service.put.invoke(label, (handler) =>
        handler(requestOf(user, { body: { data: { [task]: 1 } } }) as never),
      ),
    );
  const link = (task: string, { user, address, body }: Proof) =>
    insist(task, (label) =>
      service.link.invoke(label, (handler) => handler(requestOf(user, { path: { address }, body }))),
    );
  const prove = async (task: string, proof: Proof): Promise<void> => {
    const { user, address, body } = proof;
    if ((await link(task, proof)) !== undefined) invariants.onLinked(user, address, body);
  };
  /** At first, some sign with the key of another wallet. */
  const slip = async (task: string, proof: Omit<Proof, 'body'>, challenge: Challenge): Promise<void> => {
    if (!isKey(proof.address) || streams.of(`slip of ${task}`)() >= 0.2) return;
    const signature = await signedByKey(proof.address, challenge.message, 1);
    const body = { challenge_id: challenge.challenge_id, signature };
    if ((await link(`slip of ${task}`, { ...proof, body })) !== undefined)
      onViolation(`${proof.user} links ${proof.address} with the signature of another key`);
  };
  const act = async (task: string, kind: Kind, user: string, address: Address): Promise<void> => {
    history.say('caller', `${task}: ${user}, ${address.slice(-2)}`);
    switch (kind) {
      case 'register':
        await register(task, user);
        return;
      case 'link': {
        const challenge = await insist(`challenge of ${task}`, (label) =>
          service.challenge.invoke(label, (handler) =>
            handler(requestOf(user, { body: { address, origin } })),
          ),
        );
        if (challenge === undefined) return;
        const { challenge_id, message } = challenge.body as Challenge;
        await slip(task, { user, address }, { challenge_id, message });
        const signature: Hex = isKey(address)
          ? await signedByKey(address, message, 0)
          : signatureOf(address, hashMessage(message));
        const proof = { user, address, body: { challenge_id, signature } };
        known.push(proof);
        await sleep(between(streams.of(task), 0, 20_000));
        await prove(task, proof);
        return;
      }
      case 'use again':
      case 'use of another': {
        const proof = known[Math.floor(streams.of(task)() * known.length)];
        if (proof === undefined) return;
        await prove(task, kind === 'use again' ? proof : { ...proof, user });
        return;
      }
      case 'unlink': {
        const before = invariants.proofsOf(user, address);
        const answer = await insist(task, (label) =>
          service.unlink.invoke(label, (handler) => handler(requestOf(user, { path: { address } }))),
        );
        if (answer !== undefined) invariants.onUnlinked(user, address, before);
        return;
      }
      case 'list':
        await insist(task, (label) => service.list.invoke(label, (handler) => handler(requestOf(user, {}))));
        return;
      case 'remove':
        removed.add(user);
        await insist(task, (label) => service.remove.invoke(label, (remove) => remove(user)));
    }
  };

  for (let user = 1; user <= users; user += 1) {
    scheduler.at(startsAt, () => void register(`registration ${user}`, `user-${user}`));
  }
  for (let id = 1; id <= between(shape, 2, 16); id += 1) {
    const own = streams.of(`workload of action ${id}`);
    const kind = oneOf(own, theme);
    const user = `user-${between(own, 1, users)}`;
    const wallet = between(own, 1, wallets);
    // Every second one, so that keys and contracts are linked in the same world.
    const address: Address =
      hasKeys && wallet % 2 === 1 ? keyAddress(wallet) : `0x${wallet.toString(16).padStart(40, 'a')}`;
    const at = 2_000 + between(own, 0, span);
    const task = `${kind} ${id}`;
    if (isAsked(task)) scheduler.at(startsAt + at, () => void act(task, kind, user, address));
  }
  const forget = (): void => {
    scheduler.at(scheduler.now() + minute, forget);
    if (!faults.strike('table: forgets what has expired', 'wallets')) return;
    for (const { pk, expires_at: end } of store.items(environment.WALLETS_TABLE)) {
      if (typeof end === 'number' && end * 1_000 < scheduler.now())
        store.delete({ TableName: environment.WALLETS_TABLE, Key: { pk } });
    }
  };
  scheduler.at(startsAt, forget);

  return {
    activeMilliseconds: activeMilliseconds + minute,
    recover: () => {},
    comeToRest: async () => {
      await sleep(2 * minute);
      // The operator repeats a removal until it is answered, as the runbook says.
      for (const user of removed) {
        await service.remove.invoke(`last removal of ${user}`, (remove) => remove(user));
      }
      while (!service.removals.isRead()) await sleep(1_000);
    },
    unfinished: () => [],
    checkAll: invariants.checkAll,
  };
});
