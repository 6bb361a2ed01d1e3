/** What the users and the customers of a world do. */
import { hashMessage } from 'viem/utils';
import type { Address } from '../../../shared/chain/hex.ts';
import { claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import { reserveTokens } from '../../../shared/nft/reservations/reserve.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import { revokeToken, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { unvoidToken, voidToken } from '../../../shared/ott/tickets/void-token.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { environment as ott } from '../ott/service.ts';
import type { Histories } from '../reservations/histories.ts';
import { lookAtSome } from '../reservations/join-histories.ts';
import type { AnsweredDeed } from '../reservations/told.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store.ts';
import { tokensIn } from '../stored.ts';
import { between, oneOf } from '../streams.ts';
import { origin, signatureOf } from '../wallets/service.ts';
import type { JoinedWorld } from '../world.ts';
import type { Limits } from './limits.ts';
import type { People, Registration } from './people.ts';
import { type Accounts, accountClient } from './service.ts';
import type { Action } from './workload.ts';

export const userSubOf = (fan: number): string => `fan-${fan}-of-the-club`;
/** Each user has a wallet, and two share another one. */
const walletsOf = (fan: number): readonly [Address, Address] => [
  `0x${fan.toString(16).padStart(40, 'c')}`,
  `0x${'f'.padStart(40, 'd')}`,
];

/** Refusals after which nothing is to be tried again. */
const isFinal = ({ code }: ServiceError): boolean => !passing.includes(code);
const passing: readonly string[] = [
  'CONFLICT',
  'SERVICE_UNAVAILABLE',
  'CHAIN_UNAVAILABLE',
  'CLAIM_IN_PROGRESS',
  'IDEMPOTENCY_KEY_IN_USE',
  'WALLET_TOO_NEW',
  'INTERNAL_ERROR',
];

export type Outcome<Answer> =
  | { readonly answer: Answer }
  | { readonly refusal: string }
  /** It is unknown what became of it. */
  | undefined;

const requestOf = ({
  authorization,
  body,
  path,
}: {
  readonly authorization: string;
  readonly body?: unknown;
  readonly path?: unknown;
}) => {
  const headers: Readonly<Record<string, string>> = { authorization };
  return { path, body, header: (name: string) => headers[name] } as unknown as HttpRequest<
    never,
    never,
    never
  >;
};

const voidsIn = (store: Store, contract: Address): string[] => {
  const { Item } = store.get({ TableName: ott.EVENTS_TABLE, Key: { pk: `VOID#${contract}` } });
  return Object.keys((Item?.tokens as object | undefined) ?? {});
};

export interface ActsOptions
  extends Pick<
    JoinedWorld,
    'scheduler' | 'streams' | 'faults' | 'history' | 'store' | 'someContract' | 'sleep' | 'onViolation'
  > {
  readonly service: Service;
  readonly accounts: Accounts;
  readonly people: People;
  readonly histories: Histories;
  readonly limits: Limits;
}

export const createActs = (options: ActsOptions) => {
  const { scheduler, streams, faults, history, store, someContract, sleep } = options;
  const { service, accounts, people, histories, limits, onViolation } = options;

  /** Tries as a caller does that gets no answer, or is asked to come again. */
  const insist = async <Answer>(
    task: string,
    call: (label: string) => Promise<Answer>,
    triesAtMost = 4,
  ): Promise<Outcome<Answer>> => {
    const random = streams.of(`caller of ${task}`);
    if (triesAtMost > 1 && faults.strike('caller: asks twice', task))
      void call(`${task} at once again`).catch(() => {});
    for (let tried = 1; tried <= triesAtMost; tried += 1) {
      try {
        return { answer: await call(`${task}, try ${tried}`) };
      } catch (error) {
        const refusal = error instanceof ServiceError ? error.code : String(error);
        history.say('caller', `${task} fails: ${refusal}`);
        if (error instanceof ServiceError && isFinal(error)) return { refusal };
        await sleep(between(random, 500, 8_000));
      }
    }
    return undefined;
  };
  /** Notes an answer, and that what it says was done after `askedAt`. */
  const noting = async <Answer>(
    done: Promise<Outcome<Answer>>,
    deed: Omit<AnsweredDeed, 'askedAt' | 'answeredAt'>,
  ): Promise<void> => {
    const askedAt = scheduler.now();
    const outcome = await done;
    if (outcome !== undefined && 'answer' in outcome)
      histories.onAnswered({ ...deed, askedAt, answeredAt: scheduler.now() });
  };

  const identify = (task: string, { fan, applicationId }: Pick<Action, 'fan' | 'applicationId'>) =>
    insist(task, (label) =>
      accounts.identify.invoke(label, (handler) =>
        handler(requestOf({ authorization: `${userSubOf(fan)} client-${applicationId}` })),
      ),
    );
  const change = (task: string, { fan, clientId }: Pick<Action, 'fan'> & { readonly clientId: string }) =>
    insist(task, (label) =>
      accounts.put.invoke(label, (handler) =>
        handler(
          requestOf({
            authorization: `${userSubOf(fan)} ${clientId}`,
            body: { data: { [task]: `what ${userSubOf(fan)} said in ${task}.` } },
          }),
        ),
      ),
    );
  const link = async (
    task: string,
    { fan, applicationId }: Pick<Action, 'fan' | 'applicationId'>,
    address: Address,
  ) => {
    const authorization = `${userSubOf(fan)} client-${applicationId}`;
    const challenge = await insist(`challenge of ${task}`, (label) =>
      accounts.challenge.invoke(label, (handler) =>
        handler(requestOf({ authorization, body: { address, origin } })),
      ),
    );
    if (challenge === undefined || 'refusal' in challenge) return;
    const { challenge_id, message } = challenge.answer.body as {
      readonly challenge_id: string;
      readonly message: string;
    };
    const body = { challenge_id, signature: signatureOf(address, hashMessage(message)) };
    await insist(task, (label) =>
      accounts.link.invoke(label, (handler) =>
        handler(requestOf({ authorization, path: { address }, body })),
      ),
    );
  };

  /** The user proved to be the user so many seconds before. */
  const ageOf = { fresh: 60, old: 700, 'in the future': -100, unknown: undefined } as const;
  const erase = async (task: string, userSub: string, login: keyof typeof ageOf): Promise<void> => {
    const registered = people.current(userSub);
    const age = ageOf[login];
    const authTime = age === undefined ? '' : ` ${Math.floor(scheduler.now() / 1_000) - age}`;
    const authorization = `${userSub} ${accountClient}${authTime}`;
    const outcome = await insist(task, (label) =>
      accounts.erase.invoke(label, (handler) => handler(requestOf({ authorization }))),
    );
    if (outcome === undefined || 'refusal' in outcome) return;
    if (login !== 'fresh') onViolation(`${userSub} is erased with a login that is ${login}`);
    if (registered !== undefined && registered.endedAt === undefined)
      onViolation(`${userSub} is told to be erased, and is not`);
  };

  const applicationIn = async (
    found: { readonly applications: Pick<Applications, 'findByApiKeyId'> },
    id: string,
  ): Promise<Application> => {
    const application = await found.applications.findByApiKeyId(`key-${id}`);
    if (application === undefined) throw new Error(`There is no application ${id}`);
    return application;
  };

  /** The identifier that an application knows of a user: mostly the present one. */
  const identifierOf = (
    random: () => number,
    { fan, applicationId }: Pick<Action, 'fan' | 'applicationId'>,
  ): string | undefined => {
    const all = people
      .ofUser(userSubOf(fan))
      .flatMap(({ identifiers }) => identifiers.get(applicationId) ?? []);
    const current = people.current(userSubOf(fan))?.identifiers.get(applicationId);
    return random() < 0.9 && current !== undefined ? current : all[Math.floor(random() * all.length)];
  };
  const holderOf = ({ reservedFor }: Nft): Registration | undefined =>
    people
      .all()
      .find(({ identifiers }) => [...identifiers.values()].some((one) => standInOf(one) === reservedFor));

  const act = async ({ id, kind, fan, applicationId }: Action): Promise<void> => {
    const task = `${kind} ${id}`;
    const random = streams.of(task);
    const userSub = userSubOf(fan);
    history.say('caller', `${task}: ${userSub}, ${applicationId}`);
    const contract = someContract(streams.of(`contract of ${task}`), applicationId)?.address;
    const hasKey = random() < 0.8;
    const idempotency = { scope: kind, key: hasKey ? task : undefined, body: id };
    const tries = hasKey ? 4 : 1;
    const [own, shared] = walletsOf(fan);
    const wallet = random() < 0.85 ? own : shared;
    const tokens =
      contract === undefined ? [] : tokensIn(store).filter((token) => token.contract === contract);
    const token = tokens[Math.floor(random() * tokens.length)];

    switch (kind) {
      case 'change':
        // The page of the account belongs to no application.
        await change(task, { fan, clientId: id % 3 === 0 ? 'account-page' : `client-${applicationId}` });
        await identify(`identify after ${task}`, { fan, applicationId });
        return;
      case 'link':
        return link(task, { fan, applicationId }, wallet);
      case 'unlink':
        await insist(task, (label) =>
          accounts.unlink.invoke(label, (handler) =>
            handler(
              requestOf({ authorization: `${userSub} client-${applicationId}`, path: { address: wallet } }),
            ),
          ),
        );
        return;
      case 'remove':
        await insist(task, (label) => {
          limits.onRemoval(userSub);
          return accounts.remove.invoke(label, (remove) => remove(userSub));
        });
        return;
      case 'erase':
      case 'erase with an old login':
        return erase(
          task,
          userSub,
          kind === 'erase' ? 'fresh' : oneOf(random, ['old', 'in the future', 'unknown']),
        );
      case 'look':
        return lookAtSome(task, options, histories);
      case 'reserve': {
        const destination = identifierOf(random, { fan, applicationId });
        if (contract === undefined || destination === undefined) return;
        const wanted = Array.from({ length: between(random, 1, 2) }, () => ({
          destination,
          metadata: someMetadata(task),
        }));
        await insist(
          task,
          (label) =>
            service.mint.invoke(label, async (dependencies) =>
              reserveTokens(dependencies, {
                application: await applicationIn(dependencies, applicationId),
                idempotency,
                contract,
                tokens: wanted,
              }),
            ),
          tries,
        );
        return;
      }
      default:
    }
    if (contract === undefined || token === undefined) return;
    const { tokenId } = token;
    switch (kind) {
      case 'claim': {
        // Mostly a token that the user has.
        const mine = tokens.filter((one) => holderOf(one)?.userSub === userSub);
        const claimed = random() < 0.9 ? (mine[Math.floor(random() * mine.length)] ?? token) : token;
        const order = { userSub, contract, tokenId: claimed.tokenId, address: wallet };
        return noting(
          insist(task, (label) =>
            service.claim.invoke(label, async (dependencies) =>
              claimOwnToken(dependencies, {
                ...order,
                application: await applicationIn(dependencies, applicationId),
              }),
            ),
          ),
          { what: 'claimed', contract, tokenId: claimed.tokenId, to: wallet },
        );
      }
      case 'give':
      case 'claim for a user': {
        const destination = kind === 'give' ? identifierOf(random, { fan, applicationId }) : wallet;
        if (destination === undefined) return;
        return noting(
          insist(
            task,
            (label) =>
              service.mint.invoke(label, async (dependencies) =>
                setDestination(dependencies, {
                  application: await applicationIn(dependencies, applicationId),
                  idempotency,
                  contract,
                  tokenId,
                  destination,
                }),
              ),
            tries,
          ),
          { what: kind === 'give' ? 'given' : 'claimed', contract, tokenId, to: destination },
        );
      }
      case 'metadata':
      case 'revoke':
        return noting(
          insist(
            task,
            (label) =>
              service.change.invoke(label, async (dependencies) => {
                const application = await applicationIn(dependencies, applicationId);
                const update = { application, idempotency, contract };
                if (kind === 'revoke') return revokeToken(dependencies, { ...update, tokenId });
                const metadata = [someMetadata(task)];
                return updateTokenMetadata(dependencies, { ...update, from: tokenId, metadata });
              }),
            tries,
          ),
          { what: kind === 'revoke' ? 'revoked' : 'updated', contract, tokenId },
        );
      case 'void':
        return noting(
          insist(task, (label) =>
            accounts.tickets.invoke(label, (dependencies) =>
              voidToken(dependencies, { contract, tokenId, by: 'tickets void' }),
            ),
          ),
          { what: 'voided', contract, tokenId },
        );
      case 'unvoid': {
        const voids = voidsIn(store, contract);
        const voided = voids[Math.floor(random() * voids.length)];
        if (voided === undefined) return;
        return noting(
          insist(task, (label) =>
            accounts.tickets.invoke(label, (dependencies) =>
              unvoidToken(dependencies, { contract, tokenId: voided, by: 'tickets unvoid' }),
            ),
          ),
          { what: 'unvoided', contract, tokenId: voided },
        );
      }
      default:
    }
  };

  return {
    act,
    /** Registers a user, who links a wallet and gets tokens, before anything else happens. */
    begin: async (fan: number, applications: readonly string[]): Promise<void> => {
      const random = streams.of(`beginning of ${fan}`);
      for (const applicationId of applications) {
        const who = { fan, applicationId };
        await change(`registration of ${fan} in ${applicationId}`, {
          fan,
          clientId: `client-${applicationId}`,
        });
        await identify(`identifier of ${fan} in ${applicationId}`, who);
      }
      const [applicationId = ''] = applications;
      if (random() < 0.85) await link(`first wallet of ${fan}`, { fan, applicationId }, walletsOf(fan)[0]);
      if (random() < 0.15) await link(`second wallet of ${fan}`, { fan, applicationId }, walletsOf(fan)[1]);
      for (const each of applications) {
        if (random() < 0.8) await act({ id: fan * 1_000, kind: 'reserve', fan, applicationId: each, at: 0 });
      }
    },
  };
};
