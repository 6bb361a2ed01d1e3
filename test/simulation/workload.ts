/** The requests of the callers of a world. */
import type { Address } from '../../shared/chain/hex.ts';
import { burnFieldOf } from '../../shared/nft/tokens/gone.ts';
import type { BurningKind } from '../../shared/nft/transactions/purpose.ts';
import type { TransactionKind } from '../../shared/platform/watched.ts';
import type { UserEvent } from './reservations/users.ts';
import { between, oneOf, type Streams } from './streams.ts';

export type RequestKind =
  | 'deploy'
  | 'mint'
  | 'batch'
  | 'metadata'
  | 'contract metadata'
  | 'royalty'
  | 'revoke'
  | ReservationKind;

/** `claim for a user`: the application has a reserved token minted to an address. */
export type ReservationKind = 'reserve' | 'reassign' | 'claim' | 'claim for a user';

/** The contents of a request. A repeated request has the same contents. */
export interface Request {
  readonly id: number;
  readonly kind: RequestKind;
  readonly applicationId: string;
  /** `undefined` if the caller sends none. */
  readonly key: string | undefined;
  /** The options of a contract that is to be deployed. */
  readonly options: {
    readonly maxSupply?: number | undefined;
    readonly revocable: boolean;
    readonly royalty: { readonly receiver: Address; readonly basisPoints: number } | null;
  };
  /** When the request is sent, in milliseconds from the beginning. */
  readonly at: number;
}

/** The requests that cause transactions of each kind. None: `set-base` is the operator's, and a noop fills a nonce. */
const requestsOf: Readonly<Record<TransactionKind, readonly RequestKind[]>> = {
  deploy: ['deploy'],
  mint: ['mint', 'batch'],
  claim: ['claim', 'claim for a user'],
  'update-metadata': ['metadata'],
  'update-contract-metadata': ['contract metadata'],
  'set-royalty': ['royalty'],
  revoke: ['revoke'],
  'set-base': [],
  noop: [],
};
const burns: ReadonlySet<RequestKind> = new Set(
  (Object.keys(burnFieldOf) as BurningKind[]).flatMap((kind) => requestsOf[kind]),
);

/** Whether some of these requests burn tokens. */
export const includesBurns = (kinds: readonly RequestKind[]): boolean =>
  kinds.some((kind) => burns.has(kind));

interface Theme {
  readonly kinds: readonly [RequestKind, ...RequestKind[]];
  readonly isLimited?: true;
  readonly isBurst?: true;
}

const themes: readonly [Theme, ...Theme[]] = [
  {
    kinds: ['mint', 'mint', 'mint', 'batch', 'metadata', 'contract metadata', 'royalty', 'revoke', 'deploy'],
  },
  { kinds: ['mint', 'mint', 'batch'], isLimited: true },
  { kinds: ['mint', 'mint', 'mint', 'batch'], isLimited: true },
  { kinds: ['mint', 'mint', 'batch', 'deploy'] },
  { kinds: ['mint', 'batch'], isBurst: true },
  { kinds: ['mint', 'metadata', 'contract metadata', 'royalty', 'royalty'] },
  { kinds: ['mint', 'mint', 'batch', 'revoke', 'revoke'] },
];

export interface Workload {
  readonly requests: readonly Request[];
  readonly activeMilliseconds: number;
  readonly operatorActions: readonly number[];
  readonly revokes: boolean;
  readonly userEvents: readonly UserEvent[];
  /** Whether the world's users are not those of `reservations/users.ts`. @default false */
  readonly hasOwnUsers?: boolean;
  /** Whether tokens are only reserved and claimed, so that without faults no noop transaction is needed. */
  readonly isPure: boolean;
  /** Whether nothing fails. */
  readonly isCalm: boolean;
  /** Whether each request with a key must end with an answer or a final refusal. */
  readonly isEachAnswered: boolean;
}

export const receiverOf = (request: number, index: number): Address =>
  `0x${(0xaa0000 + request * 100 + index).toString(16).padStart(40, '0')}`;

/** Each application first deploys a collection; then `count` requests of these kinds follow. */
export const createRequests = (
  streams: Streams,
  {
    applications,
    kinds,
    isLimited,
    isBurst = false,
    burstMilliseconds = 4_000,
    revokes,
    keyless,
    count,
    activeMilliseconds,
  }: {
    readonly applications: readonly [string, ...string[]];
    readonly kinds: readonly [RequestKind, ...RequestKind[]];
    readonly isLimited: boolean;
    readonly isBurst?: boolean;
    readonly burstMilliseconds?: number;
    readonly revokes: boolean;
    /** The share of requests without an idempotency key. */
    readonly keyless: number;
    readonly count: number;
    readonly activeMilliseconds: number;
  },
): readonly Request[] =>
  Array.from({ length: applications.length + count }, (_, index): Request => {
    const id = index + 1;
    const own = streams.of(`workload of request ${id}`);
    const isFirst = index < applications.length;
    const at = isBurst ? 20_000 + between(own, 0, burstMilliseconds) : between(own, 0, activeMilliseconds);
    return {
      id,
      kind: isFirst ? 'deploy' : oneOf(own, kinds),
      applicationId: isFirst ? (applications[index] ?? applications[0]) : oneOf(own, applications),
      key: own() < keyless ? undefined : `key ${id}`,
      options: {
        maxSupply: isLimited || own() < 0.2 ? between(own, 2, 12) : undefined,
        revocable: revokes,
        royalty: own() < 0.3 ? { receiver: receiverOf(id, 0), basisPoints: 500 } : null,
      },
      at: isFirst ? 0 : at,
    };
  });

export const createWorkload = (streams: Streams, applications: readonly [string, ...string[]]): Workload => {
  const random = streams.of('workload');
  const { kinds, isLimited, isBurst } = oneOf(random, themes);
  const activeMilliseconds = between(random, 30_000, 180_000);
  const revokes = includesBurns(kinds);
  const keyless = oneOf(random, [0, 0.2, 0.2, 1]);
  const count = between(random, 2, isBurst === true ? 20 : 12);
  const requests = createRequests(streams, {
    applications,
    kinds,
    isLimited: isLimited === true,
    ...(isBurst !== undefined && { isBurst }),
    revokes,
    keyless,
    count,
    activeMilliseconds,
  });
  const operatorActions =
    random() < 0.3
      ? Array.from({ length: between(random, 1, 4) }, () => between(random, 10_000, activeMilliseconds))
      : [];
  return {
    requests,
    activeMilliseconds,
    operatorActions,
    revokes,
    userEvents: [],
    isPure: false,
    isCalm: false,
    isEachAnswered: true,
  };
};
