import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../../../operator/run.ts';
import {
  byOperation,
  operationOf,
  stackWith,
  startScriptedAws,
} from '../../../support/platform/scripted-aws.ts';

describe('the command that creates an application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-create-'));
  let aws: Awaited<ReturnType<typeof startScriptedAws>>;
  beforeAll(async () => {
    aws = await startScriptedAws();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await aws.stop();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('refuses a limit of streams that the stage cannot enforce, before it creates a key', async () => {
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ ott: { rules: [], streams_at_once: 2 } }));
    const { endpoint, region, credentials } = aws.settings;
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    vi.stubEnv('AWS_REGION', region);
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    aws.answer(
      byOperation({
        DescribeStacks: stackWith('staging', {
          ApplicationsTable: 'Applications',
          UsagePlansByTier: '{"standard":"plan"}',
        }),
      }),
    );
    let said = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });

    // Staging does not sign streams.
    expect(await runCommand(['--stage', 'staging', 'applications', 'create', 'acme', '--file', file])).toBe(
      1,
    );

    expect(said).toContain('ott.streams_at_once: this stage does not sign with cookies');
    expect(aws.calls().map(operationOf)).toEqual(['DescribeStacks']);
  });
});
