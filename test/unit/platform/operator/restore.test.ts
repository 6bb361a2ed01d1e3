import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { restoredName } from '../../../../operator/platform/restore/restored-table.ts';
import { notRestored, restorable } from '../../../../operator/platform/restore/tables.ts';
import { nothingUndecided } from '../../../../shared/nft/store/restored-nfts.ts';
import { resourcesOf, templateOf } from '../../../support/platform/stack.ts';

const reference = z.object({ Ref: z.string() });
const tableProperties = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string() })),
  TimeToLiveSpecification: z.object({ AttributeName: z.string() }).optional(),
});

/** The tables of the stage by the outputs that have their names. */
const tables = new Map(
  Object.entries(templateOf('prod').Outputs).flatMap(([output, { Value }]) => {
    const id = reference.safeParse(Value).data?.Ref;
    const found = resourcesOf(templateOf('prod'), 'AWS::DynamoDB::Table').find(([each]) => each === id);
    return found === undefined ? [] : [[output, tableProperties.parse(found[1].Properties)]];
  }),
);

describe('the command restore', () => {
  it('covers every table of the stage, or gives a reason why not', () => {
    const known = [...Object.values(restorable), ...Object.values(notRestored)].map(({ output }) => output);

    expect(known.toSorted()).toEqual([...tables.keys()].toSorted());
    expect(tables.size).toBe(resourcesOf(templateOf('prod'), 'AWS::DynamoDB::Table').length);
  });

  it.each(Object.values(restorable))(
    'uses the declared keys and time to live of $output',
    ({ output, of }) => {
      const table = { client: {} as never, tableName: 'table' };
      const context = {
        liveName: () => '',
        undecided: nothingUndecided(),
        mintedAfter: async () => ({ last: 0, ids: [] }),
      };

      const { keys, timeToLive } = of({ live: table, restored: table }, context);

      const declared = tables.get(output);
      expect(timeToLive).toBe(declared?.TimeToLiveSpecification?.AttributeName);
      expect(keys).toEqual(declared?.KeySchema.map(({ AttributeName }) => AttributeName));
    },
  );

  it('names a restored table by its time, so that a repeated run finds it', () => {
    expect(restoredName('Marquee-prod-Users', new Date('2026-11-20T09:15:00.000Z'))).toBe(
      'Marquee-prod-Users-20261120T091500Z',
    );
  });
});
