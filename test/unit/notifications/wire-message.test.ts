import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messageParts, selectableOperationTypes } from '../../../shared/notifications/messages/message.ts';
import { messageIn, wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import { aMessageOf } from '../../support/notifications/messages.ts';

const body = {
  operation_type: 'data_update',
  application_user_sub: 'sub',
  date_time: '2026-11-20T09:15:02.123456',
};

const guide = readFileSync(new URL('../../../docs/customer-guide.md', import.meta.url), 'utf8');
const operatorGuide = readFileSync(new URL('../../../docs/operator-guide.md', import.meta.url), 'utf8');

const openapi = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: { readonly operation_type?: unknown } }>;
  };
  readonly webhooks: unknown;
};

describe.each(Object.values(aMessageOf).map((message) => [message.operationType, message] as const))(
  'a message of the type %s',
  (type, message) => {
    const written = wireMessage(message);

    it('is read as it was written', () => {
      expect(messageIn(JSON.parse(JSON.stringify(written)))).toEqual(message);
    });

    it('is in one webhook of the OpenAPI document', () => {
      const told = Object.entries(openapi.components.schemas).filter(
        ([name, { properties }]) =>
          JSON.stringify(properties?.operation_type ?? '').includes(`"${type}"`) &&
          JSON.stringify(openapi.webhooks).includes(`/${name}"`),
      );

      expect(told).toHaveLength(1);
    });

    it('has its place in the customer guide', () => {
      expect(guide).toContain(`\`${type}\``);
    });
  },
);

it.each(messageParts)('the part %s of a message is in the customer guide', (part) => {
  expect(guide).toContain(`"part": "${part}"`);
});

it('the operator guide lists the operation types that an endpoint can select', () => {
  const [, listed = ''] = /`--operations ([\w,]+)`/.exec(operatorGuide) ?? [];

  expect(listed.split(',').sort()).toEqual([...selectableOperationTypes].sort());
});

describe('the notification message to a customer', () => {
  it('has exactly the three documented fields', () => {
    const message = {
      operationType: 'data_update',
      applicationUserSub: 'sub',
      dateTime: '2026-11-20T09:15:02.123456',
    } as const;

    expect(wireMessage(message)).toEqual(body);
    expect(messageIn(wireMessage(message))).toEqual(message);
  });

  const event = { operation_type: 'event_update', event_id: 'final', date_time: body.date_time };

  it.each([
    { ...event, change: 'status', status: 'LIVE' },
    { ...event, change: 'removed' },
    { operation_type: 'event_update', change: 'many', date_time: body.date_time },
  ])('about events is read as it was written: $change', (written) => {
    const message = messageIn(written);

    expect(message && wireMessage(message)).toEqual(written);
  });

  const others: Record<string, unknown> = {
    'an event that has no status any more, but was changed': { ...event, change: 'changed' },
    'an event that was removed, but has a status': { ...event, change: 'removed', status: 'LIVE' },
    'many events with the id of one': { ...event, change: 'many' },
    'a field more': { ...body, extra: 1 },
    'a field less': { operation_type: 'data_update', application_user_sub: 'sub' },
    'another operation': { ...body, operation_type: 'unknown' },
    'a time with a zone': { ...body, date_time: '2026-11-20T09:15:02.123Z' },
    text: 'text',
    null: null,
  };
  for (const [what, other] of Object.entries(others)) {
    it(`cannot be parsed from ${what}`, () => {
      expect(messageIn(other)).toBeUndefined();
    });
  }
});
