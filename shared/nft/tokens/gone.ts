/** How tokens end. A token that is gone is not minted again, opens nothing, and is not burnt once more. */

import type { ChangeField, PartChange } from '../collections/part-change.ts';
import type { BurningKind } from '../transactions/purpose.ts';
import type { Nft } from './nft.ts';

/** What a change leaves of the token, for each field that has the last change of one of the token's parts. */
const leaves = { metadataChange: 'the token', revocation: 'nothing' } as const satisfies Record<
  ChangeField<Nft>,
  'the token' | 'nothing'
>;

/** All fields in which a token names the nonce of a change. */
export const changeFields = Object.keys(leaves) as readonly ChangeField<Nft>[];

/** The field in which a token has its last burn of each kind. */
export const burnFieldOf = { revoke: 'revocation' } as const satisfies Record<
  BurningKind,
  { [Field in ChangeField<Nft>]: (typeof leaves)[Field] extends 'nothing' ? Field : never }[ChangeField<Nft>]
>;

export type BurnField = (typeof burnFieldOf)[BurningKind];
export const burnFields: readonly BurnField[] = [...new Set(Object.values(burnFieldOf))];

export interface Burn {
  readonly field: BurnField;
  readonly change: PartChange;
}

/** The burns of a token that took effect, or may still take effect. */
export const liveBurns = (token: Pick<Nft, BurnField>): readonly Burn[] =>
  burnFields.flatMap((field) => {
    const change = token[field];
    return change === undefined || change.status === 'failed' ? [] : [{ field, change }];
  });

/** Whether the token is burnt, or a recorded transaction may still burn it. */
export const isGone = (token: Pick<Nft, BurnField>): boolean => liveBurns(token).length > 0;

/** Whether the token is burnt, and this is final. */
export const isBurnt = (token: Pick<Nft, BurnField>): boolean =>
  liveBurns(token).some(({ change }) => change.status === 'confirmed');

/** The failure reason of a token that was revoked while it was reserved. */
export const revokedReason = 'revoked';

export const isRevokedReservation = ({ status, failureReason, reservedFor }: Nft): boolean =>
  status === 'failed' && failureReason === revokedReason && reservedFor !== undefined;
