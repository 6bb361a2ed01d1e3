import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { localTemplate } from '../support/platform/local-assembly.ts';
import { type Part, parts } from './faults.ts';
import { tables as notificationTables } from './notifications/service.ts';
import { tables as sessionTables } from './ott/tables.ts';
import { plantedFaults } from './planted.ts';
import { tables as moneyTables } from './service.ts';

/** The worlds of a commit are always the same, and the next commit has others. */
const seedOfCommit = (): number => {
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return Number.parseInt(hash.slice(0, 8), 16);
};

/**
 * The parts whose worlds run in one process, and how many of each part: more of those that take less time. They run at the
 * same time as the planted faults.
 */
const searches: readonly { readonly of: readonly Part[]; readonly worlds: number }[] = [
  {
    of: ['money', 'notifications', 'reservations', 'restores', 'sessions', 'catalogue', 'accounts'],
    worlds: 34,
  },
  { of: ['wallets'], worlds: 800 },
];

const command = fileURLToPath(new URL('command.ts', import.meta.url));

/** Runs `npm run simulate` in a process of its own, which is faster than Vitest's. Returns its output. */
const simulate = async (...options: readonly string[]): Promise<string> => {
  const parameters = ['--max-semi-space-size=32', command, ...options];
  // Modules that have been compiled once are kept for the next run.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-simulation') };
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { env }).catch(
    // It ends with an error if something does not hold.
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => ({
      stdout: stdout + stderr,
    }),
  );
  return stdout;
};

describe.concurrent('simulated worlds', () => {
  it.each(searches)(
    'of $of keep every promise, and have one history for one seed',
    async ({ of, worlds }) => {
      const from = String(seedOfCommit());

      const output = await simulate(
        ...of.flatMap((part) => ['--part', part]),
        ...['--from', from, '--worlds', String(of.length * worlds)],
      );

      expect(output).not.toMatch(/^World /m);
      for (const part of of) {
        const [result = output] = new RegExp(`\\d+ worlds of ${part} .*`).exec(output) ?? [];
        expect(result).toMatch(new RegExp(`^${worlds} worlds of ${part} from ${from}, .*; 0 failed\\.$`));
        console.log(result);
      }
    },
  );

  it('run of each part', () => {
    expect(searches.flatMap(({ of }) => of).toSorted()).toEqual(parts.toSorted());
  });

  it('detect each planted fault and each bug that they have found before', async () => {
    const output = await simulate('--planted', '--kept');

    const lines = output.trimEnd().split('\n');
    expect(lines).toHaveLength(plantedFaults.length);
    for (const line of lines) expect(line).toMatch(/: found by world \d+: /);
  });

  it('are listed in docs/simulation.md with the faults that they detect', () => {
    const page = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8');

    for (const part of parts) {
      const rows = plantedFaults
        .filter((fault) => fault.part === part)
        .map(({ name, seed }) => `| ${name} | ${seed} |`);

      expect(page).toContain(`|---|---|\n${rows.join('\n')}\n\n`);
    }
  });

  it('have the same keys and indexes as the template’s tables', () => {
    const declared = Object.values(localTemplate().Resources)
      .filter(({ Type }) => Type === 'AWS::DynamoDB::Table')
      .map(({ Metadata, Properties }) => {
        const [id = ''] = /[^/]+(?=\/Table\/Resource$)/.exec(String(Metadata?.['aws:cdk:path'])) ?? [];
        return { id, Properties };
      });

    for (const [id, { keys, ...table }] of Object.entries({
      ...notificationTables,
      ...sessionTables,
      ...moneyTables,
    })) {
      const properties = declared.find((each) => each.id === id)?.Properties ?? {};
      const namesOf = (schema: unknown) =>
        (schema as readonly { readonly AttributeName: string }[]).map(({ AttributeName }) => AttributeName);
      const indexes = [
        ...((properties.GlobalSecondaryIndexes as readonly object[] | undefined) ?? []),
        ...((properties.LocalSecondaryIndexes as readonly object[] | undefined) ?? []),
      ] as readonly { readonly IndexName: string; readonly KeySchema: unknown }[];

      expect(namesOf(properties.KeySchema), id).toEqual(keys);
      expect(
        Object.fromEntries(indexes.map(({ IndexName, KeySchema }) => [IndexName, namesOf(KeySchema)])),
        id,
      ).toEqual('indexes' in table ? table.indexes : {});
    }
  });
});
