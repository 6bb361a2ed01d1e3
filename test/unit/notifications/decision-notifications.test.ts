import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { subjectOf } from '../../../shared/notifications/messages/message.ts';
import { wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import {
  decisionOf,
  notificationsOfDecision,
} from '../../../shared/notifications/publish/decision-notifications.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { aDecidedEntry, aDecisionRecord } from '../../support/nft/decisions.ts';
import { aChangeRecord } from '../../support/users/users.ts';

const contract = '0x00000000000000000000000000000000000000cc';
const toldOf = (entry: Entry) => {
  const decision = decisionOf(entry);
  return decision === undefined ? [] : notificationsOfDecision(decision);
};

/** The notifications of a record if every application subscribes to everything. */
const toldInRecord = (record: unknown, registered: (id: string) => void = () => {}) =>
  changeInRecord({
    subs: {
      ofRegistration: async (id) => {
        registered(id);
        return new Map();
      },
      ensureMany: async () => new Map(),
      endAll: async () => {},
    },
  })(record)?.notifications({ applications: [], subscribed: async (notifications) => notifications });

describe('the notifications of a decided transaction', () => {
  it('are one message for each token of a mint', () => {
    const told = toldOf(aDecidedEntry({ tokens: 2 }));

    expect(told.map(({ applicationId, message }) => [applicationId, wireMessage(message)])).toEqual(
      ['1', '2'].map((id) => [
        'one',
        {
          operation_type: 'token_update',
          contract_address: '0x00000000000000000000000000000000000000cc',
          id,
          status: 'confirmed',
          transaction_hash: '0xab',
          date_time: '2027-01-15T08:00:00.123000',
        },
      ]),
    );
  });

  it('contain the reason why a contract failed', () => {
    const purpose = { kind: 'deploy', applicationId: 'one', contract } as const;

    const [told] = toldOf(aDecidedEntry({ purpose, status: 'failed', failureReason: 'REVERTED' }));

    expect(told && wireMessage(told.message)).toMatchObject({
      operation_type: 'contract_update',
      status: 'failed',
      failure_reason: 'REVERTED',
    });
  });

  it('name the royalty as the only changed part after a change of the royalty', () => {
    const purpose = { kind: 'set-royalty', applicationId: 'one', contract, royalty: null } as const;

    const [told] = toldOf(aDecidedEntry({ purpose }));

    expect(told && wireMessage(told.message)).toMatchObject({
      operation_type: 'contract_update',
      part: 'royalty',
    });
  });

  it('name the metadata as the only changed part, for a contract and for each token of a batch', () => {
    const ofContract = { kind: 'update-contract-metadata', applicationId: 'one', contract } as const;
    const ofTokens = { ...ofContract, kind: 'update-metadata', from: '9', to: '10' } as const;

    const told = [ofContract, ofTokens].flatMap((purpose) =>
      toldOf(aDecidedEntry({ purpose, status: 'failed', failureReason: 'REVERTED' })),
    );

    const part = { part: 'metadata', status: 'failed', failure_reason: 'REVERTED' };
    expect(told.map(({ message }) => wireMessage(message))).toMatchObject([
      { operation_type: 'contract_update', ...part },
      { operation_type: 'token_update', id: '9', ...part },
      { operation_type: 'token_update', id: '10', ...part },
    ]);
    // The subjects differ, so that no message replaces one about the contract or token itself, or about another part of
    // it.
    const [token] = toldOf(aDecidedEntry());
    const royalty = toldOf(aDecidedEntry({ purpose: { ...ofContract, kind: 'set-royalty', royalty: null } }));
    const all = [...told, ...royalty, ...(token === undefined ? [] : [token])];
    expect(new Set(all.map(({ message }) => subjectOf(message))).size).toBe(5);
  });

  it('name the token that was revoked', () => {
    const purpose = { kind: 'revoke', applicationId: 'one', contract, tokenId: '9' } as const;

    const [told] = toldOf(aDecidedEntry({ purpose }));

    expect(told && wireMessage(told.message)).toMatchObject({
      operation_type: 'token_update',
      id: '9',
      part: 'revocation',
      status: 'confirmed',
    });
  });

  it.each([
    ['is pending', { status: 'pending' }],
    ['was superseded', { status: 'superseded' }],
    ['makes nothing', { purpose: { kind: 'noop' } }],
  ] as const)('are not sent for an entry that %s', (_, entry) => {
    expect(toldOf(aDecidedEntry(entry))).toEqual([]);
  });

  it.each([
    ['tokens', { tokens: 95 }],
    [
      'a contract that failed',
      {
        purpose: { kind: 'deploy', applicationId: 'one', contract },
        failureReason: 'REVERTED',
        status: 'failed',
      },
    ],
    [
      'metadata of a contract',
      { purpose: { kind: 'update-contract-metadata', applicationId: 'one', contract } },
    ],
    [
      'metadata of tokens',
      { purpose: { kind: 'update-metadata', applicationId: 'one', contract, from: '1', to: '95' } },
    ],
    ['a revocation', { purpose: { kind: 'revoke', applicationId: 'one', contract, tokenId: '9' } }],
    ['a royalty', { purpose: { kind: 'set-royalty', applicationId: 'one', contract, royalty: null } }],
  ] as const)(
    'are the same when read from the stream record and when read from the log (%s)',
    async (_, entry) => {
      expect(await toldInRecord(aDecisionRecord(entry))).toEqual(toldOf(aDecidedEntry(entry)));
    },
  );

  it('are not created from a stream record of another table', async () => {
    const registered = vi.fn();

    await toldInRecord(aChangeRecord({ registrationId: 'r1' }), registered);

    expect(registered).toHaveBeenCalledExactlyOnceWith('r1');
  });

  it('cannot be read from a stream record of the log without a decision', () => {
    expect(() => toldInRecord(aDecisionRecord({ status: 'pending' }))).toThrow();
    expect(() => toldInRecord(aDecisionRecord({ purpose: { kind: 'noop' } }))).toThrow();
  });
});
