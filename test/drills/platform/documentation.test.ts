import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../../support/platform/api-client.ts';
import { commandBlocks } from '../../support/platform/markdown-commands.ts';
import { copyProject, type ProjectCopy } from '../../support/platform/project-copy.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The remarks above blocks that are not run here. */
const remarks = [/^AWS only$/, /^started by the test$/, /^not run: .+$/];

/** The remark above a block that keeps running. The next block runs once this one has printed the quoted text. */
const ownTerminal = /^in a terminal of its own, until it prints "(.+)"$/;

const documents = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/receiver/README.md',
  'examples/receiver-python/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** The output that the commands of a document must print, at the latest soon after they end. */
const expectedOutput: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [
    /"operation_type":"data_update"/,
    /reads \{"user_data":\{"email":"alice@example\.com"/,
    /"event_id":"cup-final"/,
  ],
  'docs/customer-guide.md': [/"event_id":"gala"/, /"status":"reserved"/],
  'examples/receiver/README.md': [/Subscribed to /, /is now .*"club_id"/],
};

/** The program that npm runs for `npm run operator`. */
const operatorScript = (): string => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return scripts.operator ?? '';
};

describe('the commands in the documents', () => {
  let system: System;

  let project: ProjectCopy;

  beforeAll(async () => {
    // No port of this system is a default one, and the commands find it by its state in the project's folder.
    system = await startSystem({ stateDirectoryPrefix: 'marquee-documents-' });
    project = copyProject();
    symlinkSync(system.stateDirectory, join(project.root, '.local'));
  });
  afterAll(async () => {
    project?.remove();
    await system?.dispose();
  });

  /** The commands, unchanged but for the port of a server that they start themselves. */
  const withOwnPort = (commands: string, port: number): string => commands.replaceAll('8080', String(port));

  it('create a confirmed token with two calls, as in the README', async () => {
    const { outputs } = system;
    const first = commandBlocks('README.md').find(({ commands }) => commands.includes('/mint'));
    const commands = withOwnPort(first?.commands ?? '', 0);
    expect(commands.match(/curl /g)).toHaveLength(2);

    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', `${commands}\necho; echo "$CONTRACT"`],
      {
        cwd: project.root,
        env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      },
    );

    const contract = stdout.trim().split('\n').at(-1);
    await waitFor(
      async () => {
        const token = await callApi<{ is_confirmed: boolean }>(
          `${outputs.base_url}/api/v1/nft/contracts/${contract}/tokens/1`,
          { key: outputs.applications[0]?.api_key ?? '' },
        );
        expect(token.json.is_confirmed).toBe(true);
      },
      { interval: 250 },
    );
  });

  it.each(documents)('%s', { timeout: 240_000 }, async (document) => {
    const blocks = commandBlocks(document);
    for (const { remark, line } of blocks.filter((block) => block.remark !== undefined)) {
      expect(
        [...remarks, ownTerminal].some((known) => known.test(remark ?? '')),
        `${document}:${line}: ${remark}`,
      ).toBe(true);
    }
    const port = await freePort();
    const script = blocks
      .filter(({ remark = '' }) => remark === '' || ownTerminal.test(remark))
      .map(({ line, commands, remark = '' }) => {
        const [, printed] = ownTerminal.exec(remark) ?? [];
        const run = withOwnPort(commands, port);
        const shown = join(system.stateDirectory, `${basename(document)}-${line}`);
        return [
          `echo '# ${document}:${line}'`,
          printed === undefined
            ? run
            : `: > ${shown}; { ${run}} 2>&1 | tee ${shown} &\nuntil grep -q '${printed}' ${shown}; do sleep 0.1; done`,
        ].join('\n');
      })
      .join('\n');
    if (script === '') return;
    // npm doubles the time that a command takes, so only the first command of a document is started by npm.
    let started = 0;
    const quicker = script.replaceAll('npm run -s operator --', (written) =>
      started++ === 0 ? written : operatorScript(),
    );

    // A process group of its own, so that commands that keep running are killed with the shell.
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', quicker], {
      cwd: project.root,
      // npm extends the `PATH` of its scripts in the same way.
      env: {
        ...process.env,
        PATH: [join(project.root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    shell.stdout.on('data', collect);
    shell.stderr.on('data', collect);
    try {
      const [exitCode] = await once(shell, 'exit');

      expect(exitCode, output).toBe(0);
      for (const expected of expectedOutput[document] ?? []) {
        await waitFor(() => expect(output).toMatch(expected), { interval: 100 });
      }
    } finally {
      try {
        process.kill(-(shell.pid ?? 0), 'SIGKILL');
      } catch (error) {
        // All processes of the group have already ended.
        expect(error).toMatchObject({ code: 'ESRCH' });
      }
    }
  });
});
