import { describe, expect, it } from 'vitest';
import { changeMoments } from '../../../operator/stage/find/change-moments.ts';
import { findEndpoints } from '../../../operator/stage/find/endpoint-timeline.ts';
import {
  type EntryTimelineDependencies,
  entryMoments,
  entryTimeline,
} from '../../../operator/stage/find/entry-timeline.ts';
import { sentMoments } from '../../../operator/stage/find/notification-moments.ts';
import { findNotification } from '../../../operator/stage/find/notification-timeline.ts';
import { inTime, moment } from '../../../operator/stage/find/timeline.ts';
import { endpointsNow } from '../../../operator/stage/status/endpoints-now.ts';
import type { Attempt, Entry } from '../../../shared/nft/transactions/entry.ts';
import type { Endpoint } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { NotificationRecord } from '../../../shared/notifications/record/record.ts';
import type { Redelivery } from '../../../shared/notifications/redeliver/redelivery.ts';
import { aReceipt } from '../../support/nft/receipt.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';

const start = Date.parse('2026-11-21T12:00:00.500Z');

const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  hash: '0x01',
  raw: '0x02',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1n,
  signedAt: start,
  ...changes,
});
const anEntry = (changes: Partial<Entry> = {}): Entry => ({
  signer: '137#0xaa',
  nonce: 7,
  purpose: { kind: 'noop' },
  gas: 21_000n,
  attempts: [attempt()],
  status: 'confirmed',
  missingLooks: 0,
  ...changes,
});
const redelivery: Redelivery = {
  since: start,
  attempt: 0,
  nextAt: start + 100,
  isPaused: false,
  failureNotedAt: start,
  rowsChangedAt: start,
  failures: 1,
};
const receipt = aReceipt('0x01', { blockNumber: 12, blockHash: '0x03' });

const told = async (entry: Entry, changes: Partial<EntryTimelineDependencies> = {}) => {
  const moments = await entryMoments(
    {
      chain: { receipts: async () => new Map([[receipt.transactionHash, receipt]]) },
      transactionLog: { find: async () => undefined },
      // The time of a block has whole seconds.
      blockTimes: async () => new Map([[12, Math.floor(start / 1_000) * 1_000]]),
      ...changes,
    },
    entry,
  );
  return inTime(moments).map(({ what, isUnknown }) => (isUnknown ? `? ${what}` : what));
};

describe('the timeline of a transaction', () => {
  it("links to the chain's block explorer if the stage has one, except for a superseded transaction", async () => {
    const dependencies: EntryTimelineDependencies = {
      chain: { receipts: async () => new Map() },
      transactionLog: { find: async () => undefined },
      blockTimes: async () => new Map(),
    };
    const linked = { ...dependencies, explorer: 'https://explorer.example' };
    const of = async (entry: Entry, on = linked) => (await entryTimeline(on, entry)).fields.explorer;

    expect(await of(anEntry())).toBe('https://explorer.example/tx/0x01');
    expect(await of(anEntry({ minedHash: '0x09' }))).toBe('https://explorer.example/tx/0x09');
    expect(await of(anEntry({ status: 'superseded' }))).toBeUndefined();
    expect((await entryTimeline(dependencies, anEntry())).fields.explorer).toBeUndefined();
  });

  it('starts with the acceptance, and marks a confirmation whose time is not recorded', async () => {
    expect(await told(anEntry({ triedAt: start + 100 }))).toEqual([
      'accepted and recorded: noop, signed as 0x01 for at most 30 gwei per unit of gas',
      'waiting as the first unmined transaction of its signer',
      'mined in block 12, 21000 gas, 0x01',
      '? confirmed at finality; the time is not recorded',
    ]);
  });

  it('ends with the decision at finality and its reason', async () => {
    const decided = { decidedAt: start + 5_000, minedHash: '0x01' } as const;

    expect((await told(anEntry(decided))).at(-1)).toBe('confirmed at finality');
    expect((await told(anEntry({ ...decided, status: 'failed', failureReason: 'REVERTED' }))).at(-1)).toBe(
      'failed at finality: REVERTED',
    );
  });

  it.each<[string, Entry['purpose']]>([
    [
      'mint of tokens 7–9',
      {
        kind: 'mint',
        applicationId: 'demo',
        contract: '0xbb',
        firstTokenId: '7',
        destinations: ['0x1', '0x2', '0x3'],
      },
    ],
    [
      'mint of token 7',
      { kind: 'mint', applicationId: 'demo', contract: '0xbb', firstTokenId: '7', destinations: ['0x1'] },
    ],
    [
      'update-metadata of tokens 2–3',
      { kind: 'update-metadata', applicationId: 'demo', contract: '0xbb', from: '2', to: '3' },
    ],
    [
      'set-royalty, to 2.5 % for 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      {
        kind: 'set-royalty',
        applicationId: 'demo',
        contract: '0xbb',
        royalty: { receiver: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', basisPoints: 250 },
      },
    ],
    ['set-royalty, to none', { kind: 'set-royalty', applicationId: 'demo', contract: '0xbb', royalty: null }],
  ])('names the purpose of the transaction: %s', async (what, purpose) => {
    expect((await told(anEntry({ purpose })))[0]).toContain(`accepted and recorded: ${what}, signed`);
  });

  it('lists each replacement and the withdrawal', async () => {
    const attempts = [
      attempt(),
      attempt({ hash: '0x04', signedAt: start + 1_000, maxFeePerGas: 60_000_000_000n }),
      attempt({ hash: '0x05', signedAt: start + 2_000, cancels: true }),
    ];

    const moments = await told(anEntry({ attempts, status: 'pending' }), {
      chain: { receipts: async () => new Map() },
    });

    expect(moments).toEqual([
      'accepted and recorded: noop, signed as 0x01 for at most 30 gwei per unit of gas',
      'replaced by 0x04 for at most 60 gwei per unit of gas',
      'withdrawn by an operator through 0x05 for at most 30 gwei per unit of gas',
      'nonce 7 is not final yet',
    ]);
  });

  it('marks what no RPC endpoint can answer: the receipt, or the time of the block', async () => {
    const silent = { receipts: () => Promise.reject(new Error('down')) };
    const empty = { receipts: async () => new Map() };

    expect(await told(anEntry(), { chain: silent })).toContain(
      '? no RPC endpoint says whether the transaction is on the chain',
    );
    expect(await told(anEntry(), { chain: empty })).toContain(
      'mined, 0x01; the RPC endpoint no longer has its receipt',
    );
    expect((await told(anEntry({ status: 'failed' }), { chain: empty })).join()).toContain(
      '? the RPC endpoint has no receipt',
    );
    expect((await told(anEntry(), { blockTimes: async () => new Map() })).join()).toContain(
      "no RPC endpoint tells the block's time",
    );
  });

  it('starts with the superseded entry whose work it repeats', async () => {
    const before = anEntry({ nonce: 6, status: 'superseded' });
    const transactionLog = { find: async () => before };

    const moments = await told(anEntry({ supersedes: 6 }), { transactionLog });

    expect(
      moments.indexOf('nonce 6 was used by another transaction, so this transaction was given up'),
    ).toBeGreaterThan(0);
    expect(moments.filter((what) => what.startsWith('accepted'))).toHaveLength(2);
  });
});

describe('the changes in a timeline', () => {
  const recorded = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      signer: '137#0xaa',
      nonce: count - index,
      signedAt: start + (count - index) * 1_000,
    }));
  const changesOf = async (
    read: () => Promise<{ changes: ReturnType<typeof recorded>; isMore: boolean }>,
    { known = [], entries }: { known?: { signer: string; nonce: number }[]; entries?: Entry[] } = {},
  ) => {
    const find = async ({ nonce }: { nonce: number }) =>
      entries === undefined ? anEntry({ nonce }) : entries.find((entry) => entry.nonce === nonce);
    const moments = await changeMoments(
      {
        chain: { receipts: async () => new Map() },
        transactionLog: { find },
        blockTimes: async () => new Map(),
        changes: { ofContract: read, ofToken: read },
      },
      {
        read: (changes) => changes.ofContract({ applicationId: 'demo', contract: '0xbb' }),
        known,
      },
    );
    return moments.map(({ what, isUnknown }) => (isUnknown ? `? ${what}` : what));
  };
  const accepted = (moments: string[]) => moments.filter((what) => what.includes('accepted and recorded'));

  it('are detailed for the newest, one line each for older ones, and a count for the oldest', async () => {
    const moments = await changesOf(async () => ({ changes: recorded(130), isMore: false }));

    expect(moments[0]).toBe('? 30 older changes are not shown here');
    expect(moments[1]).toMatch(/^nonce 31: a change was recorded/);
    expect(accepted(moments)).toHaveLength(20);
    expect(accepted(moments).at(-1)).toMatch(/^nonce 130: /);
    const more = await changesOf(async () => ({ changes: recorded(1), isMore: true }));
    expect(more[0]).toBe('? further older changes, which this command does not read, are not shown here');
  });

  it('are shown once if another nonce repeated the change, and marked if the log has no entry', async () => {
    const entries = [anEntry({ nonce: 1, status: 'superseded' }), anEntry({ nonce: 2, supersedes: 1 })];

    const moments = await changesOf(async () => ({ changes: recorded(3), isMore: false }), { entries });

    expect(accepted(moments).map((what) => what.slice(0, 8))).toEqual(['nonce 1:', 'nonce 2:']);
    expect(moments.at(-1)).toBe(
      '? a change was recorded with nonce 3, but the transaction log has no entry for this nonce',
    );
  });

  it('are marked as unreadable if the index is missing, but include the known changes', async () => {
    const moments = await changesOf(() => Promise.reject(new Error('no such index')), {
      known: [{ signer: '137#0xaa', nonce: 5 }],
    });

    expect(moments[0]).toBe('? the recorded changes cannot be read: no such index');
    expect(accepted(moments)).toEqual([expect.stringMatching(/^nonce 5: /)]);
  });
});

describe('the moments of a timeline', () => {
  it('keep their place after the previous moment if they have no time', () => {
    const late = moment(start + 5, 'late');
    const told = inTime([late, moment(undefined, 'after late'), moment(start, 'early')]);

    expect(told.map(({ what }) => what)).toEqual(['early', 'late', 'after late']);
  });
});

describe('the notifications in a timeline', () => {
  const record: NotificationRecord = {
    id: 'message-1',
    applicationId: 'demo',
    publishedAt: start,
    message: { operationType: 'data_update', applicationUserSub: 'sub', dateTime: '2026-11-21 12:00:00.000' },
    deliveries: [
      {
        messageId: 'message-1',
        destination: 'https://user:secret@a.example/hook',
        isDelivered: false,
        statusCode: 500,
        attempts: 4,
        dwellMilliseconds: 60_012,
        at: start + 60_000,
        reason: 'Internal',
        redrivenAt: start + 90_000,
      },
    ],
  };
  const nobody = { endpoints: { ofApplication: async (): Promise<Endpoint[]> => [] }, clock: () => start };
  const of = async (records: NotificationRecord[], known = nobody) =>
    (
      await sentMoments(
        { ...known, records: { ofSubject: async () => records } },
        { applicationId: 'demo', message: record.message },
      )
    ).map(({ what, isUnknown }) => (isUnknown ? `? ${what}` : what));

  it('show publication, dead letter, redrive and delivery, without the credentials of an address', async () => {
    const redriven: NotificationRecord = {
      ...record,
      id: 'message-2',
      redriveOf: 'message-1',
      endpointId: 'e1',
      deliveries: [
        {
          messageId: 'message-2',
          destination: 'https://a.example/hook',
          isDelivered: true,
          attempts: 1,
          at: start,
          reason: '',
        },
      ],
    };

    const moments = await of([redriven, record]);

    expect(moments).toMatchObject([
      expect.stringContaining('(message message-1)'),
      expect.stringMatching(
        /^SNS gave up on .* attempt 4 after 60 s: 500 Internal; the message became a dead letter$/,
      ),
      expect.stringMatching(/^published again for/),
      expect.stringMatching(
        /^published, a redrive of message message-1: .* for one endpoint only \(message message-2\)$/,
      ),
      'delivered to https://a.example/hook, attempt 1',
    ]);
    expect(moments.join()).not.toContain('secret');
  });

  it('are found by the message id, with the user, the application and the redrive command', async () => {
    const find = async (id: string) => (id === record.id ? record : undefined);

    expect(await findNotification({ ...nobody, records: { find } }, 'message-1')).toMatchObject({
      kind: 'notification',
      fields: { status: 'failed', application: 'demo', about: 'sub' },
      moments: [{}, { what: expect.stringContaining('a dead letter') }, {}],
      related: ['sub', 'demo'],
      commands: ['dead-letters redrive --application demo'],
    });
    expect(await findNotification({ ...nobody, records: { find } }, 'message-2')).toBeUndefined();
  });

  it('are marked as having no recorded delivery only if an endpoint was subscribed and SNS has made its last attempt', async () => {
    const unrecorded = { ...record, deliveries: [] };
    const [early, late] = [start + 60_000, start + 2 * 3_600_000];
    const last = async (clock: number, endpoint: Partial<Endpoint>) =>
      (
        await of([unrecorded], {
          endpoints: { ofApplication: async () => [anEndpoint({ createdAt: start - 1, ...endpoint })] },
          clock: () => clock,
        })
      ).at(-1);

    expect(await last(early, {})).toMatch(/^the delivery to \S+ has not finished yet$/);
    expect(await last(late, { lastSuccessAt: start + 1 })).toMatch(
      /^\? the outcome of the delivery to \S+ is not recorded$/,
    );
    for (const endpoint of [{}, { createdAt: start + 1 }, { removedAt: start }, { operationTypes: [] }]) {
      expect(await last(late, endpoint)).toBe('no endpoint was subscribed to this notification');
    }
  });
});

describe('the endpoints in the status', () => {
  it('are sorted by the longest failure first, without removed endpoints', async () => {
    const failure = { at: start, reason: 'Internal' };
    const list = async () => [
      anEndpoint({ applicationId: 'fine', lastSuccessAt: start }),
      anEndpoint({ applicationId: 'late', failingSince: start, lastFailure: failure }),
      anEndpoint({ applicationId: 'early', failingSince: start - 1, lastFailure: failure }),
      anEndpoint({ applicationId: 'gone', failingSince: 1, lastFailure: failure, removedAt: start }),
    ];

    const { customers, failing } = await endpointsNow({
      endpoints: { list },
      undelivered: { count: async () => 0 },
      clock: () => start,
    });

    expect(failing.map(({ application: applicationId }) => applicationId)).toEqual(['early', 'late']);
    expect(customers).toMatchObject([
      { application: 'early', endpoints: 1, failing: 1, last_success: undefined },
      { application: 'late', failing: 1 },
      { application: 'fine', failing: 0, last_success: '2026-11-21T12:00:00.500Z' },
    ]);
  });

  it('say about how many subjects an endpoint has not accepted notifications', async () => {
    const missed = new Map([
      ['some', 17],
      ['none any more', 0],
    ]);
    const list = async () => [
      ...[...missed.keys()].map((applicationId) => anEndpoint({ applicationId, redelivery })),
      anEndpoint({ applicationId: 'nothing' }),
    ];

    const { undelivered } = await endpointsNow({
      endpoints: { list },
      undelivered: { count: async ({ applicationId }) => missed.get(applicationId) ?? Number.NaN },
      clock: () => start,
    });

    expect(undelivered).toMatchObject([
      { application: 'some', state: 'waiting', subjects: 17, next_at: '2026-11-21T12:00:00.600Z' },
    ]);
  });
});

describe('the timeline of an endpoint', () => {
  const timelineOf = async (endpoint: Partial<Endpoint>, subjects: number) => {
    const [found] = await findEndpoints(
      {
        endpoints: { list: async () => [anEndpoint({ id: 'main', ...endpoint })] },
        undelivered: { count: async () => subjects },
      },
      'main',
    );
    return found;
  };

  it('says about how many subjects the endpoint has not accepted notifications, and which command shows them', async () => {
    expect(await timelineOf({ redelivery }, 1)).toMatchObject({
      fields: { state: 'accepts', undelivered: '1 subject' },
      commands: [expect.any(String), 'dead-letters list --application application-1'],
    });
    expect((await timelineOf({ redelivery }, 10_000))?.fields.undelivered).toBe('10000 subjects or more');
  });

  it.each([
    ['has accepted everything', {}],
    ['was removed', { redelivery, removedAt: start }],
  ])('says nothing of it for an endpoint that %s', async (_, endpoint) => {
    const found = await timelineOf(endpoint, 1);

    expect(found?.fields).not.toHaveProperty('undelivered');
    expect(found?.commands).toHaveLength(1);
  });
});
