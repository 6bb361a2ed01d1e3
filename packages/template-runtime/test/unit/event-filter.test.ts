import { describe, expect, it } from 'vitest';
import { compileFilters } from '../../engines/event-sources/filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: { Keys: { pk: { S: 'signer#1' } }, NewImage: { status: { S: 'queued' }, tags: { L: [] } } },
  size: 12,
  labels: ['a', 'b'],
};

describe('an event filter', () => {
  it.each([
    [{ eventName: ['INSERT', 'MODIFY'] }, true],
    [{ eventName: ['REMOVE'] }, false],
    [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'signer#' }] } } } }, true],
    [{ dynamodb: { Keys: { pk: { S: [{ suffix: '#2' }] } } } }, false],
    [{ dynamodb: { OldImage: [{ exists: false }] } }, true],
    [{ dynamodb: { NewImage: { status: { S: [{ exists: true }] } } } }, true],
    [{ dynamodb: { NewImage: { status: { S: [{ 'anything-but': ['done', 'failed'] }] } } } }, true],
    [{ dynamodb: { NewImage: { missing: { S: [{ 'anything-but': ['done'] }] } } } }, false],
    [{ eventName: [{ 'equals-ignore-case': 'insert' }] }, true],
    [{ size: [{ numeric: ['>', 10, '<=', 12] }] }, true],
    [{ size: [{ numeric: ['<', 12] }] }, false],
    [{ labels: ['b'] }, true],
    [{ $or: [{ eventName: ['REMOVE'] }, { size: [12] }] }, true],
    [{ eventName: ['INSERT'], size: [13] }, false],
  ])('%j passes the record: %s', (pattern, expected) => {
    expect(compileFilters([pattern])(record)).toBe(expected);
  });

  it('passes everything without a pattern, and records that match any of several patterns', () => {
    expect(compileFilters([])(record)).toBe(true);
    expect(compileFilters([{ eventName: ['REMOVE'] }, { size: [12] }])(record)).toBe(true);
  });

  it.each([[{ a: [{ cidr: '10.0.0.0/8' }] }], [{ a: [{ numeric: ['!', 1] }] }], ['text']])(
    'rejects the pattern %j',
    (pattern) => {
      expect(() => compileFilters([pattern])).toThrow();
    },
  );
});
