import * as z from 'zod';
import { addressSchema } from '../../chain/hex.ts';
import type { TransactionKind } from '../../platform/watched.ts';
import { royaltySchema } from '../collections/contract.ts';

const collection = { applicationId: z.string().min(1), contract: addressSchema };

/**
 * What a transaction is for, by kind. The type, the stored form (see `purposeItem`), and the form in the table's stream
 * follow from these fields.
 */
const purposeFields = {
  deploy: collection,
  mint: {
    ...collection,
    /** The lowest token id. The token ids of a mint are consecutive. */
    firstTokenId: z.string().min(1),
    /** The address to which each token is minted, in the order of the ids. At least one. */
    destinations: z.array(addressSchema).min(1).readonly(),
  },
  /** Mints a token that was reserved, when it is claimed. */
  claim: { ...collection, tokenId: z.string().min(1), destination: addressSchema },
  /** Announces new metadata of the tokens with ids from `from` to `to`, both included. */
  'update-metadata': { ...collection, from: z.string().min(1), to: z.string().min(1) },
  'update-contract-metadata': collection,
  'set-royalty': { ...collection, royalty: royaltySchema.nullable() },
  revoke: { ...collection, tokenId: z.string().min(1) },
  'set-base': { ...collection, base: z.string() },
  /** Uses a nonce that would otherwise block all later nonces. */
  noop: {},
} as const satisfies Record<TransactionKind, z.ZodRawShape>;

/**
 * How a transaction affects the contracts and tokens that the service shows. `mints reserved tokens`: the tokens are
 * stored already and have their places in the supply, so if the mint fails, they become reserved again. `burns a
 * token`: a change after which nobody has the token, and after which it must not be minted again. `nothing` also
 * applies to a change of the metadata's base URL, which is stored only on the chain.
 */
const effects = {
  deploy: 'creates a contract',
  mint: 'creates tokens',
  claim: 'mints reserved tokens',
  'update-metadata': 'changes',
  'update-contract-metadata': 'changes',
  'set-royalty': 'changes',
  revoke: 'burns a token',
  'set-base': 'nothing',
  noop: 'nothing',
} as const satisfies Record<
  TransactionKind,
  'creates a contract' | 'creates tokens' | 'mints reserved tokens' | 'changes' | 'burns a token' | 'nothing'
>;

type KindWith<Effect> = {
  [Kind in TransactionKind]: (typeof effects)[Kind] extends Effect ? Kind : never;
}[TransactionKind];

/** The kinds of transactions that change an existing contract or token. */
export type UpdateKind = KindWith<'changes' | 'burns a token'>;

export type BurningKind = KindWith<'burns a token'>;

type FieldsOf<Kind extends TransactionKind> = (typeof purposeFields)[Kind];

export type PurposeOf<Kind extends TransactionKind> = {
  [Each in Kind]: { readonly kind: Each } & {
    readonly [Field in keyof FieldsOf<Each>]: z.output<FieldsOf<Each>[Field]>;
  };
}[Kind];

export type Purpose = PurposeOf<TransactionKind>;
export type UpdatePurpose = PurposeOf<UpdateKind>;

export const createsTokens = <Each extends { readonly kind: string }>(
  purpose: Each,
): purpose is Extract<Each, { readonly kind: KindWith<'creates tokens'> }> =>
  Object.hasOwn(effects, purpose.kind) && effects[purpose.kind as TransactionKind] === 'creates tokens';

/** The kinds that mint tokens on the chain. */
export type MintingKind = KindWith<'creates tokens' | 'mints reserved tokens'>;

export const mintsTokens = (purpose: Purpose): purpose is PurposeOf<MintingKind> =>
  effects[purpose.kind] === 'creates tokens' || effects[purpose.kind] === 'mints reserved tokens';

export const burnsToken = (purpose: Purpose): purpose is PurposeOf<BurningKind> =>
  effects[purpose.kind] === 'burns a token';

export const isUpdate = (purpose: Purpose): purpose is UpdatePurpose =>
  effects[purpose.kind] === 'changes' || burnsToken(purpose);

/** Strict: a field that is not known could change what proves the work. */
export const purposeSchema = z.union(
  Object.entries(purposeFields).map(([kind, fields]) => z.strictObject({ kind: z.literal(kind), ...fields })),
) as unknown as z.ZodType<Purpose>;

/** A row for each kind. Code with a missing row does not compile. */
export type ByKind<Result, Kind extends TransactionKind = TransactionKind> = {
  readonly [Each in Kind]: (purpose: PurposeOf<Each>) => Result;
};

/** The result of the row of a purpose's kind. */
export const byKind = <Result, Kind extends TransactionKind>(
  rows: ByKind<Result, Kind>,
  purpose: PurposeOf<Kind> & { readonly kind: Kind },
): Result => (rows[purpose.kind] as (purpose: PurposeOf<Kind>) => Result)(purpose);
