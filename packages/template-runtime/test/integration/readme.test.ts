import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** The first line of a block in the README names its file. */
const files = [...readme.matchAll(/```\w+\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, file = '', text = '']) => ({
  file,
  text,
}));
/** The folder of the installed packages, which has this package too. */
const installed = join(dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))), '..');

let folder: string | undefined;
let program: ChildProcess | undefined;
afterEach(async () => {
  if (program !== undefined && program.exitCode === null) {
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it('the app in the README starts and answers a call', async () => {
  folder = mkdtempSync(join(tmpdir(), 'an app '));
  for (const { file, text } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(installed, join(folder, 'node_modules'));
  expect(files.map(({ file }) => file)).toEqual(['start.ts', 'app.ts', 'cdk.json', 'function/index.mjs']);

  program = spawn(process.execPath, ['start.ts'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const ready = Promise.withResolvers<string>();
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const [, url] = /Ready: (\S+)/.exec(printed) ?? [];
      if (url !== undefined) ready.resolve(url);
    });
  }
  program.once('exit', (code) => ready.reject(new Error(`ended with ${code}:\n${printed}`)));

  const answer = await fetch(await ready.promise);

  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: 'Hello, world' });
});
