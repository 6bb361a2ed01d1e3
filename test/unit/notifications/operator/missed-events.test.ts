import { describe, expect, it } from 'vitest';
import { missedBy } from '../../../../operator/notifications/dead-letters/stage-dead-letters.ts';
import type { Endpoint } from '../../../../shared/notifications/endpoints/endpoint.ts';
import type { EventMessage, Message } from '../../../../shared/notifications/messages/message.ts';
import type { NotificationRecord } from '../../../../shared/notifications/record/record.ts';
import { anEndpoint } from '../../../support/notifications/endpoints.ts';

const message: EventMessage = {
  operationType: 'event_update',
  change: 'status',
  eventId: 'final',
  status: 'LIVE',
  dateTime: '2026-11-20T20:00:04.000007',
};

const sentTo = (
  applicationId: string,
  deliveries: readonly boolean[],
  sent: Message = message,
): NotificationRecord => ({
  id: `to ${applicationId}`,
  applicationId,
  message: sent,
  publishedAt: 0,
  deliveries: deliveries.map((isDelivered, index) => ({
    messageId: 'm',
    destination: `https://${applicationId}.example.com/${index}`,
    isDelivered,
    attempts: 1,
    at: 0,
    reason: '',
  })),
});

const subscribed = (applicationId: string, overrides: Partial<Endpoint> = {}) =>
  anEndpoint({
    applicationId,
    destination: `https://${applicationId}.example.com/0`,
    operationTypes: ['data_update', 'event_update'],
    ...overrides,
  });

const missing = (records: readonly NotificationRecord[], endpoints = [subscribed('club')]) =>
  missedBy(
    {
      endpoints: { list: async () => endpoints },
      records: {
        ofSubject: async ({ applicationId }) =>
          records.filter((record) => record.applicationId === applicationId),
      },
    },
    message,
  );

describe('the applications that missed a change of an event', () => {
  it('are those with an endpoint that has not accepted it, each listed once', async () => {
    const records = [sentTo('club', [true, false]), sentTo('shop', [true]), sentTo('tv', [false])];
    const endpoints = ['club', 'club', 'shop', 'tv', 'new'].map((id) => subscribed(id));

    expect(await missing(records, endpoints)).toEqual(['club', 'tv']);
  });

  it('are also those whose failure SNS did not log', async () => {
    const other = { destination: 'https://club.example.com/1' };
    const records = [sentTo('club', [true]), sentTo('shop', [true]), sentTo('tv', [])];
    const endpoints = [subscribed('club'), subscribed('club', other), subscribed('shop'), subscribed('tv')];

    expect(await missing(records, endpoints)).toEqual(['club', 'tv']);
  });

  it('are not those that accepted it when it was sent again', async () => {
    const records = [sentTo('club', []), { ...sentTo('club', [true]), redriveOf: 'to club' }];

    expect(await missing(records)).toEqual([]);
  });

  it('are not those whose other endpoint was added after the change, is removed, or selects other messages', async () => {
    const other = { destination: 'https://club.example.com/1' };

    for (const not of [{ createdAt: 1 }, { removedAt: 1 }, { operationTypes: ['data_update'] as const }]) {
      const endpoints = [subscribed('club'), subscribed('club', { ...other, ...not })];
      expect(await missing([sentTo('club', [true])], endpoints)).toEqual([]);
    }
  });

  it('are not those that missed only another change of the event', async () => {
    const earlier = { ...message, dateTime: '2026-11-20T19:00:00.000001' };

    expect(await missing([sentTo('club', [false], earlier)])).toEqual([]);
    expect(await missing([sentTo('club', [false], earlier), sentTo('club', [false])])).toEqual(['club']);
  });

  it('are not those that missed another message about the same change', async () => {
    const { status: _, ...others } = message;
    const removed: Message = { ...others, change: 'removed' };
    const endpoints = [subscribed('club'), subscribed('shop')];

    expect(await missing([sentTo('club', [false]), sentTo('shop', [false], removed)], endpoints)).toEqual([
      'club',
    ]);
  });

  it('are searched for only among those that have selected such messages', async () => {
    const endpoints = [anEndpoint({ applicationId: 'club', operationTypes: ['data_update'] })];

    expect(await missing([sentTo('club', [false])], endpoints)).toEqual([]);
  });
});
