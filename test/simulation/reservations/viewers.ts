/**
 * Users who play an event whose tickets are the tokens of a collection, and the promises about the answers that they
 * get.
 */
import { ticketsOf } from '../../../functions/ott/dependencies.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbVoidChanges } from '../../../shared/ott/store/void-tickets.ts';
import { circuitBreaker } from '../../../shared/platform/outside/circuit-breaker.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import type { Random } from '../../support/platform/seeded-random.ts';
import { blockMilliseconds } from '../chain.ts';
import { requestOf } from '../ott/pages.ts';
import { createStreaming, environment } from '../ott/service.ts';
import { lagAtMost } from '../past.ts';
import { plainClient } from '../plain-client.ts';
import { stage } from '../service.ts';
import { between, oneOf } from '../streams.ts';
import type { JoinedWorld } from '../world.ts';
import { createHolders, type Holding } from './holders.ts';
import { applicationUserSubOf, everyUser, type SimulatedUser, userSubOf } from './users.ts';

const minute = 60_000;
const ticketSeconds = 30;
const clockMilliseconds = 30_000;
/**
 * How long a user has held a ticket before the service must know of it. By the tables: until the index has it. By the
 * chain: an answer is reused for 15 seconds, and a clock that is behind opens a wallet half a minute late.
 */
const knownByTables = lagAtMost;
const knownByChain = 15_000 + clockMilliseconds + lagAtMost;

const refusals = ['PURCHASE_REQUIRED', 'ENTITLEMENT_UNAVAILABLE'];

/** Viewers of a world in which tokens are reserved. */
export const joinViewers = ({
  scheduler,
  streams,
  faults,
  history,
  startsAt,
  store,
  chain,
  endpoints,
  activeMilliseconds,
  someContract,
  onViolation,
  isAsked,
  sleep,
}: JoinedWorld) => {
  const shape = streams.of('viewers');
  const client = plainClient(store);
  const catalogue = dynamoDbCatalogue({ client, tableName: environment.EVENTS_TABLE });
  const voids = dynamoDbVoidChanges({
    client,
    tables: { events: environment.EVENTS_TABLE, history: stage.TOKEN_HISTORY_TABLE },
  });
  const urls = endpoints.endpoints.map(({ url }) => url);
  const holders = createHolders({
    store,
    chain,
    faults,
    now: scheduler.now,
    onChange: (holding) => askAfterChange(holding),
  });
  const service = createStreaming({
    scheduler,
    streams,
    faults,
    history,
    store,
    lifeSeconds: ticketSeconds,
    entitlementOf: () => ({ outcome: 'denied', reason: 'no_purchase', vip: false }),
    ticketsOf: (process, surroundings) =>
      ticketsOf(
        {
          ...stage,
          ...environment,
          GRANTS_TABLE: 'Grants',
          LAST_KNOWN_GOOD_SECONDS: 120,
          TICKET_SECONDS: ticketSeconds,
        },
        {
          ...surroundings,
          secrets: { read: async () => JSON.stringify({ urls }) },
          exchange: endpoints.exchangeOf(process),
          breakerOf: ({ isHanging }) => circuitBreaker({ service: 'rpc', ...surroundings, isHanging }),
        },
      ),
  });
  const { id, ...shop } = anOttApplication();
  store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `APPLICATION#${id}`, id, ...shop } });
  for (const one of shop.clientIds)
    store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `CLIENT#${one}`, application_id: id } });

  const events = new Set<Address>();
  const openEvent = async (contractAddress: Address): Promise<void> => {
    if (events.has(contractAddress)) return;
    events.add(contractAddress);
    const after = anEvent({
      id: contractAddress,
      access: 'paid',
      stream: { type: 'hls', url: `https://streams.example.com/${contractAddress}/index.m3u8` },
      tickets: [{ contractAddress }],
    });
    await catalogue.write([{ after }]);
  };

  const skew = (): number =>
    faults.struck.some((fault) => fault.startsWith('process: clock apart')) ? clockMilliseconds : 0;
  const isEntitlementSure = (): boolean => !faults.struck.some((fault) => fault.startsWith('entitlement'));

  const checkPlayed = (holding: Holding, endsAt: number): void => {
    holders.look(holding);
    const { user } = holding.of;
    if (endsAt > holding.heldUntil + ticketSeconds * 1_000 + skew())
      onViolation(`${userSubOf(user)} plays until ${endsAt}, but holds no ticket since ${holding.heldUntil}`);
  };
  const checkRefused = (
    holding: Holding,
    { code, askedAt }: { readonly code: string; readonly askedAt: number },
  ) => {
    if (!refusals.includes(code) || !isEntitlementSure()) return;
    holders.look(holding);
    const { of, sureByTablesSince, sureSince } = holding;
    const isSure =
      (sureByTablesSince !== undefined && sureByTablesSince <= askedAt - knownByTables) ||
      (sureSince !== undefined && sureSince <= askedAt - knownByChain);
    if (isSure) onViolation(`${userSubOf(of.user)} holds a ticket and gets ${code}`);
  };

  /** When to ask again. */
  const ask = async (holding: Holding, task: string): Promise<{ readonly renewAt?: number }> => {
    const { user, contract: event } = holding.of;
    const askedAt = scheduler.now();
    try {
      const request = requestOf({ user: userSubOf(user), client: 'web', event }, { query: {} });
      const { body } = await service.stream.invoke(task, (handler) => handler(request));
      const { expires_at, renew_at } = body as { readonly expires_at: string; readonly renew_at: string };
      history.say(task, () => `plays until ${expires_at.slice(11, 19)}`);
      checkPlayed(holding, Date.parse(expires_at));
      return { renewAt: Date.parse(renew_at) };
    } catch (error) {
      const { code = String(error) } = error as { readonly code?: string };
      history.say(task, () => `gets ${code}`);
      checkRefused(holding, { code, askedAt });
      return {};
    }
  };

  let changes = 0;
  /**
   * Users who have just got or lost a ticket request the stream within the seconds in which an index may not contain
   * the change.
   */
  const askAfterChange = (holding: Holding): void => {
    changes += 1;
    const task = `viewer after change ${changes}`;
    if (!faults.haveEnded())
      scheduler.at(scheduler.now() + between(streams.of(task), 0, lagAtMost), () => void ask(holding, task));
  };

  const tokensOf = (contract: Address | undefined) =>
    store
      .items(stage.NFTS_TABLE)
      .filter(({ pk, status }) => status !== undefined && String(pk).endsWith(`#${contract}`));
  /** Mostly a user for whom a token is reserved. */
  const someHolder = (
    own: Random,
    { users, contract }: { readonly users: readonly SimulatedUser[]; readonly contract: Address },
  ): SimulatedUser | undefined => {
    const reserved = tokensOf(contract).filter(({ reservedFor }) => reservedFor !== undefined);
    const token = own() < 0.8 ? reserved[Math.floor(own() * reserved.length)] : undefined;
    return users.find((user) => String(token?.reservedFor).endsWith(applicationUserSubOf(user)));
  };

  let playing = 0;
  const play = async (viewer: number): Promise<void> => {
    const own = streams.of(`viewer ${viewer}`);
    let contract = someContract(own);
    for (let waited = 0; contract === undefined && waited < 6; waited += 1) {
      await sleep(10_000);
      contract = someContract(own);
    }
    const [first, ...others] = everyUser(contract === undefined ? [] : [contract.applicationId]);
    if (contract === undefined || first === undefined) return;
    await openEvent(contract.address);
    const users = [first, ...others] as const;
    const holding = holders.watch({
      user: someHolder(own, { users, contract: contract.address }) ?? oneOf(own, users),
      contract: contract.address,
    });
    for (let call = 1; scheduler.now() < startsAt + activeMilliseconds; call += 1) {
      const { renewAt = 0 } = await ask(holding, `viewer ${viewer}, call ${call}`);
      await sleep(Math.max(between(own, 10_000, 30_000), renewAt - scheduler.now()));
    }
    last.push(holding);
  };
  const last: Holding[] = [];

  const makeVoid = async (which: number): Promise<void> => {
    const own = streams.of(`void ${which}`);
    const contract = someContract(own)?.address;
    const tokens = tokensOf(contract);
    const token = tokens[Math.floor(own() * tokens.length)];
    if (token === undefined || contract === undefined) return;
    const tokenId = String(Number(token.sk));
    history.say('customer', `voids token ${tokenId} of ${contract}`);
    await voids.add({ contract, tokenId, voidedAt: scheduler.now(), by: 'voidToken' });
  };

  const at = (part: string, act: () => void): void => {
    const time = startsAt + between(streams.of(`time of ${part}`), 0, activeMilliseconds);
    if (isAsked(part)) scheduler.at(time, act);
  };
  for (let viewer = 1; viewer <= between(shape, 1, 3); viewer += 1) {
    at(`viewer ${viewer}`, () => {
      playing += 1;
      void play(viewer).finally(() => {
        playing -= 1;
      });
    });
  }
  if (shape() < 0.3) at('void 1', () => void makeVoid(1));

  const onBlock = (): void => {
    holders.onBlock();
    scheduler.at(scheduler.now() + blockMilliseconds, onBlock);
  };
  scheduler.at(startsAt + blockMilliseconds, onBlock);

  return {
    onLost: holders.lookAtAll,
    comeToRest: async (): Promise<void> => {
      while (playing > 0) await sleep(minute);
    },
    /** Checks, when all is quiet, that exactly those who hold a ticket can play. */
    checkAll: async (): Promise<void> => {
      holders.endDoubt();
      for (const [index, holding] of last.entries()) {
        const { renewAt } = await ask(holding, `last viewer ${index + 1}`);
        holders.look(holding);
        if ((renewAt !== undefined) !== holding.isHeld)
          onViolation(
            `${userSubOf(holding.of.user)} ${holding.isHeld ? 'holds' : 'does not hold'} a ticket at last`,
          );
      }
    },
  };
};
