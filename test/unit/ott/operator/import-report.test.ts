import { describe, expect, it } from 'vitest';
import { report } from '../../../../operator/ott/events/import-report.ts';
import { counted, part } from '../../../../operator/platform/terminal/counted.ts';
import { createOutput } from '../../../../operator/platform/terminal/output.ts';
import type { ImportRow } from '../../../../shared/ott/catalogue/import-row.ts';

const aRow = (outcome: ImportRow['outcome'], fields: Partial<ImportRow> = {}): ImportRow => ({
  line: 2,
  id: 'final',
  outcome,
  fields: [],
  reasons: [],
  ...fields,
});
const refused = aRow('refused', { reasons: ['title: must not be empty'] });
const blocked = { ...refused, fields: [{ field: 'status', before: 'LIVE', after: 'CANCELLED' }] };
const created = aRow('created');

/** What an import says in the end: its remark, and why it fails. */
const said = (rows: readonly ImportRow[], dryRun = false) => {
  const remarks: string[] = [];
  const stream = { write: () => {} };
  const output = createOutput({
    json: false,
    streams: { stdout: stream, stderr: { write: (text: string) => remarks.push(text) } },
  });
  try {
    report({ rows, dryRun, verbose: false, output });
  } catch (error) {
    return [...remarks, (error as Error).message];
  }
  return remarks;
};

describe('the report of an import', () => {
  it.each<[string, readonly ImportRow[], string[]]>([
    [
      'its only event is refused',
      [refused],
      ['1 refused. Nothing was written.\n', '1 event was not imported; its stored version is unchanged.'],
    ],
    [
      'one of two events is refused',
      [created, refused],
      ['1 created, 1 refused.\n', '1 of 2 events was not imported; its stored version is unchanged.'],
    ],
    [
      'two events are refused, and the block of one is taken',
      [refused, blocked],
      [
        '2 refused, of 1 refused event the block is taken.\n',
        '2 of 2 events were not imported; their stored versions are unchanged except for 1 block.',
      ],
    ],
    ['all is well', [created], ['1 created.\n']],
  ])('is made of whole sentences when %s', (_, rows, sentences) => {
    expect(said(rows)).toEqual(sentences);
  });

  it('says of a dry run what would not be imported', () => {
    expect(said([refused], true)).toEqual([
      '1 refused. This was a dry run: nothing was written.\n',
      '1 event would not be imported.',
    ]);
  });
});

it('things are counted in the singular and the plural', () => {
  expect([counted(0, 'event'), counted(1, 'event'), counted(2, 'event')]).toEqual([
    '0 events',
    '1 event',
    '2 events',
  ]);
  expect([part(1, 1, 'entry', 'entries'), part(0, 1, 'check'), part(1, 2, 'check')]).toEqual([
    '1 entry',
    '0 checks',
    '1 of 2 checks',
  ]);
});
