import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { runCommand } from '../../../operator/run.ts';
import { restoredName } from '../../../operator/stage/restore/restored-table.ts';
import { notRestored, type RestoreContext, restorable } from '../../../operator/stage/restore/tables.ts';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { answering, operationOf, stackWith, startScriptedAws } from '../../support/platform/scripted-aws.ts';
import { resourcesOf, templateOf } from '../../support/platform/stack.ts';

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
      const context: RestoreContext = {
        liveName: () => '',
        signing: 'none',
        undecided: nothingUndecided(),
        mintedAfter: async () => ({ last: 0, ids: [] }),
        toldAbout: async () => [],
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

describe('the command restore for a table with an earlier state', () => {
  const day = 24 * 60 * 60;
  const daysAgo = (days: number): number => Math.floor(Date.now() / 1_000) - days * day;
  const folder = mkdtempSync(join(tmpdir(), 'marquee-restore-'));
  const outputsFile = join(folder, 'outputs.json');
  let aws: Awaited<ReturnType<typeof startScriptedAws>>;
  beforeAll(async () => {
    aws = await startScriptedAws();
    writeFileSync(
      outputsFile,
      JSON.stringify({ aws_endpoint_url: aws.settings.endpoint, oidc_issuer: 'http://127.0.0.1' }),
    );
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await aws.stop();
  });
  afterEach(() => vi.restoreAllMocks());

  const outputs = ['UsersTable', 'WalletsTable', 'ChainSecretArn', 'SignerKeyIds'];
  const stack = stackWith('local', Object.fromEntries(outputs.map((name) => [name, name])));
  /** Restores users from the table `Old`. The command asks for consent, which nobody gives, if it does not refuse. */
  const restoreUsers = async (tables: { readonly Old: object; readonly UsersTable: object }) => {
    let said = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
    aws.answer((outgoing, call) => {
      if (operationOf(call) === 'DescribeStacks') return stack(outgoing, call);
      const { TableName } = z
        .object({ TableName: z.enum(['Old', 'UsersTable']) })
        .parse(JSON.parse(call.body));
      answering(200, { Table: { TableName, TableStatus: 'ACTIVE', ...tables[TableName] } })(outgoing, call);
    });
    return { exitCode: await runCommand(['--outputs', outputsFile, 'restore', 'users=Old']), said };
  };
  const notRefused = { exitCode: 3 };
  const refused = {
    exitCode: 2,
    said: expect.stringContaining('only what was deleted in the last 30 days is remembered'),
  };

  it.each([
    { days: 29, outcome: notRefused },
    { days: 31, outcome: refused },
  ])('judges a state of $days days ago that DynamoDB has restored', async ({ days, outcome }) => {
    const Old = { RestoreSummary: { RestoreDateTime: daysAgo(days), RestoreInProgress: false } };

    expect(await restoreUsers({ Old, UsersTable: { CreationDateTime: daysAgo(1) } })).toMatchObject(outcome);
  });

  it.each([
    { days: 29, outcome: notRefused },
    { days: 31, outcome: refused },
  ])("judges a removed stage's table for a live table that is $days days old", async ({ days, outcome }) => {
    const tables = {
      Old: { CreationDateTime: daysAgo(900) },
      UsersTable: { CreationDateTime: daysAgo(days) },
    };

    expect(await restoreUsers(tables)).toMatchObject(outcome);
  });
});
