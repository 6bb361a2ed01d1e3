/**
 * Simulates customers' servers: which requests they send, how they repeat them, and what the responses promised them.
 */

import type { Contract } from '../../shared/nft/collections/contract.ts';
import { deployContract } from '../../shared/nft/submit/deploy.ts';
import { mintTokens } from '../../shared/nft/submit/mint.ts';
import {
  revokeToken,
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../shared/nft/submit/update.ts';
import type { Nft } from '../../shared/nft/tokens/nft.ts';
import type { Applications } from '../../shared/platform/applications/ports/applications.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { numberedMetadata, someMetadata } from '../support/nft/metadata.ts';
import type { Answer } from './answer.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { reservationCall } from './reservations/callers.ts';
import type { AnsweredDeed } from './reservations/told.ts';
import type { Scheduler } from './scheduler.ts';
import type { Service } from './service.ts';
import { between, oneOf, type Streams } from './streams.ts';
import { type Request, receiverOf } from './workload.ts';

export interface CallersOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly service: Service;
  readonly onAnswer: (answer: Answer) => void;
  readonly onDeed: (deed: AnsweredDeed) => void;
  readonly onViolation: (what: string) => void;
}

/** Refusals after which a caller does not repeat its request. */
const definite = new Set([
  'SUPPLY_EXHAUSTED',
  'DAILY_LIMIT_REACHED',
  'LIMIT_TOO_SMALL',
  'CONTRACT_NOT_FOUND',
  'CONTRACT_FAILED',
  'NFT_NOT_FOUND',
  'NFT_FAILED',
  'NOT_REVOCABLE',
  'IDEMPOTENCY_KEY_REUSED',
  'NFT_NOT_RESERVED',
  'NFT_ALREADY_CLAIMED',
  'USER_NOT_FOUND',
  'WALLET_NOT_LINKED',
]);

type Call = (task: string) => Promise<Answer>;

const triesAtMost = 5;

export const createCallers = ({
  scheduler,
  streams,
  faults,
  history,
  service,
  onAnswer,
  onDeed,
  onViolation,
}: CallersOptions) => {
  const contracts: Contract[] = [];
  const tokens: Nft[] = [];
  const askedFirst = new Map<number, number>();
  const unanswered = new Map<number, () => Promise<void>>();
  /** The requests whose key has a result, and how each is sent again. */
  const repeatable = new Map<number, { readonly request: Request; readonly call: Call }>();

  const applicationIn = async (
    found: { readonly applications: Pick<Applications, 'findByApiKeyId'> },
    id: string,
  ) => {
    const application = await found.applications.findByApiKeyId(`key-${id}`);
    if (application === undefined) throw new Error(`There is no application ${id}`);
    return application;
  };
  const ofApplication = <Each extends { readonly applicationId: string }>(
    all: readonly Each[],
    id: string,
  ): Each[] => all.filter(({ applicationId }) => applicationId === id);

  /**
   * The values that the request's first try chooses and every other try repeats. `undefined` if there is nothing to
   * change yet.
   */
  const callFor = (request: Request, body: unknown = request.id): Call | undefined => {
    const random = streams.of(`request ${request.id}`);
    const idempotency = { scope: request.kind, key: request.key, body };
    const name = `Request ${request.id}`;
    if (request.kind === 'deploy') {
      return (task) =>
        service.deploy.invoke(task, async (dependencies) => {
          const application = await applicationIn(dependencies, request.applicationId);
          const contract = await deployContract(dependencies, {
            application,
            idempotency,
            base: 'https://api.example.com',
            name,
            symbol: 'SIM',
            description: null,
            image: null,
            media: [],
            ...request.options,
          });
          return { request, contract };
        });
    }
    const [first, ...others] = ofApplication(contracts, request.applicationId);
    if (first === undefined) return undefined;
    const { address: contract } = oneOf(random, [first, ...others]);
    const own = tokens.filter((token) => token.contract === contract);
    const token = own[Math.floor(random() * own.length)];
    switch (request.kind) {
      case 'reserve':
      case 'reassign':
      case 'claim':
      case 'claim for a user':
        return reservationCall(service, { request, random, idempotency, contract, token, applicationIn });
      case 'mint':
      case 'batch': {
        const count = request.kind === 'mint' ? 1 : between(random, 2, 5);
        const wanted = Array.from({ length: count }, (_, index) => ({
          destination: receiverOf(request.id, index),
          metadata: index === 0 ? numberedMetadata(name) : someMetadata(name),
        }));
        return (task) =>
          service.mint.invoke(task, async (dependencies) => {
            const application = await applicationIn(dependencies, request.applicationId);
            const minted = await mintTokens(dependencies, {
              application,
              idempotency,
              contract,
              tokens: wanted,
            });
            return { request, tokens: minted };
          });
      }
      case 'metadata': {
        if (token === undefined) return undefined;
        return (task) =>
          service.change.invoke(task, async (dependencies) => {
            const application = await applicationIn(dependencies, request.applicationId);
            const metadata = [numberedMetadata(token.metadata.name)];
            const update = { application, idempotency, contract, from: token.tokenId, metadata };
            await updateTokenMetadata(dependencies, update);
            return { request, deed: { what: 'updated', contract, tokenId: token.tokenId } };
          });
      }
      case 'contract metadata':
        return (task) =>
          service.change.invoke(task, async (dependencies) => {
            const application = await applicationIn(dependencies, request.applicationId);
            const metadata = { description: name, image: null, media: [] };
            await updateContractMetadata(dependencies, { application, idempotency, contract, metadata });
            return { request };
          });
      case 'royalty': {
        const royalty =
          random() < 0.2 ? null : { receiver: receiverOf(request.id, 0), basisPoints: request.id };
        return (task) =>
          service.change.invoke(task, async (dependencies) => {
            const application = await applicationIn(dependencies, request.applicationId);
            await setRoyalty(dependencies, { application, idempotency, contract, royalty });
            return { request };
          });
      }
      case 'revoke': {
        if (token === undefined) return undefined;
        return (task) =>
          service.change.invoke(task, async (dependencies) => {
            const application = await applicationIn(dependencies, request.applicationId);
            const { tokenId } = token;
            await revokeToken(dependencies, { application, idempotency, contract, tokenId });
            return { request, deed: { what: 'revoked', contract, tokenId } };
          });
      }
    }
  };

  const remember = (answer: Answer): void => {
    const { request, deed } = answer;
    const askedAt = askedFirst.get(request.id) ?? scheduler.now();
    if (deed !== undefined) onDeed({ ...deed, askedAt, answeredAt: scheduler.now() });
    unanswered.delete(answer.request.id);
    history.say('caller', `request ${answer.request.id} is answered`);
    if (
      answer.contract !== undefined &&
      !contracts.some(({ address }) => address === answer.contract?.address)
    ) {
      contracts.push(answer.contract);
    }
    for (const token of answer.tokens ?? []) {
      if (!tokens.some(({ contract, tokenId }) => contract === token.contract && tokenId === token.tokenId)) {
        tokens.push(token);
      }
    }
    onAnswer(answer);
  };

  /** Tries once. Returns whether the caller need not try again. */
  const attempt = async (request: Request, call: Call, task: string): Promise<boolean> => {
    const answered = call(task).then(
      (answer) => {
        remember(answer);
        // A user claims a token without a key.
        if (request.key !== undefined && request.kind !== 'claim')
          repeatable.set(request.id, { request, call });
        return true;
      },
      (error: unknown) => {
        const code = error instanceof ServiceError ? error.code : String(error);
        history.say('caller', `request ${request.id} is refused: ${code}`);
        const isOver = error instanceof ServiceError && definite.has(error.code);
        if (isOver) unanswered.delete(request.id);
        return isOver;
      },
    );
    const isImpatient = faults.strike('caller: gives up early', task);
    const patience = isImpatient ? between(streams.of(`patience @ ${task}`), 100, 3_000) : 12_000;
    return Promise.race([answered, service.sleep(patience).then(() => false)]);
  };

  const ask = async (request: Request): Promise<void> => {
    const name = `request ${request.id}`;
    const random = streams.of(`caller of ${name}`);
    let call = callFor(request);
    for (let waited = 0; call === undefined && waited < 10; waited += 1) {
      await service.sleep(5_000);
      call = callFor(request);
    }
    if (call === undefined) return;
    const chosen = call;
    askedFirst.set(request.id, scheduler.now());
    history.say('caller', `${name}: ${request.kind} by ${request.applicationId}, key ${request.key}`);
    if (request.key !== undefined) {
      unanswered.set(request.id, async () => {
        await attempt(request, chosen, `${name}, at last`);
      });
    }
    for (let tried = 1; tried <= triesAtMost; tried += 1) {
      const task = `${name}, try ${tried}`;
      const isTwice = request.key !== undefined && faults.strike('caller: asks twice', task);
      if (isTwice) void attempt(request, chosen, `${task} again`);
      if (await attempt(request, chosen, task)) return;
      // Without an idempotency key, a repeated request would count as a new one.
      if (request.key === undefined) return;
      await service.sleep(between(random, 200, 20_000));
    }
  };

  return {
    ask: (request: Request, at: number): void => scheduler.at(at, () => void ask(request)),
    /** @param applicationId @default a contract of any application */
    someContract: (random: () => number, applicationId?: string): Contract | undefined => {
      const all = applicationId === undefined ? contracts : ofApplication(contracts, applicationId);
      return all[Math.floor(random() * all.length)];
    },
    /** Requests with a key that got neither an answer nor a refusal that is final. */
    unanswered: (): number[] => [...unanswered.keys()],
    /**
     * Sends each request whose key has a result once more, long after its answer, and then another request with the
     * same key.
     */
    repeatAnswered: async (): Promise<void> => {
      for (const { request, call } of repeatable.values()) {
        const name = `request ${request.id}`;
        const refusal = await call(`${name}, long after`).then(remember, String);
        if (refusal !== undefined) onViolation(`The key of ${name} has no result any more: ${refusal}`);
        const another = callFor(request, `not ${request.id}`);
        if (another === undefined) continue;
        const answer = await another(`${name}, with another body`).then(
          () => 'an answer',
          (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
        );
        if (answer !== 'IDEMPOTENCY_KEY_REUSED')
          onViolation(`Another request with the key of ${name} gets ${answer}`);
      }
    },
    /** Repeats each request that has an idempotency key but no answer yet. */
    askAgain: async (): Promise<void> => {
      await Promise.all([...unanswered.values()].map((again) => again()));
    },
  };
};
