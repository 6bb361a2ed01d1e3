import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../../operator/run.ts';
import { anApplication } from '../../support/platform/applications.ts';
import {
  type AwsAnswer,
  answering,
  byOperation,
  operationOf,
  stackWith,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';

let aws: Awaited<ReturnType<typeof startScriptedAws>>;
beforeAll(async () => {
  aws = await startScriptedAws();
});
afterAll(() => aws.stop());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const stack = stackWith('staging', {
  ApplicationsTable: 'Applications',
  UsagePlansByTier: JSON.stringify({ standard: 'plan-standard', premium: 'plan-premium' }),
});

/** Runs `applications …` for the stage staging, and returns the exit code and what was said on standard error. */
const applications = async (...words: readonly string[]) => {
  const { endpoint, region, credentials } = aws.settings;
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  let said = '';
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  return { exitCode: await runCommand(['--stage', 'staging', 'applications', ...words]), said };
};

describe('the name of an application', () => {
  it.each([
    ['\u200B', 'Must contain a visible character'],
    ['Caf\uFFFD', 'U+FFFD'],
    ['a\u0007', 'U+0007'],
    ['a\nb', 'Must be a single line'],
  ])('is refused if it is %j, by both commands that set it', async (name, reason) => {
    aws.answer(byOperation({ DescribeStacks: stack }));

    for (const words of [
      ['create', 'acme'],
      ['set', 'acme'],
    ]) {
      const { exitCode, said } = await applications(...words, '--name', name);
      expect(exitCode).toBe(2);
      expect(said).toContain(reason);
    }
  });
});

describe('the command that creates an application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-create-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('refuses a limit of streams that the stage cannot enforce, before it creates a key', async () => {
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ ott: { rules: [], streams_at_once: 2 } }));
    aws.answer(byOperation({ DescribeStacks: stack }));

    // Staging does not sign streams.
    expect(await applications('create', 'acme', '--file', file)).toEqual({
      exitCode: 1,
      said: expect.stringContaining('ott.streams_at_once: this stage does not sign with cookies'),
    });

    expect(aws.calls().map(operationOf)).toEqual(['DescribeStacks']);
  });
});

describe('the command that moves an application to another tier', () => {
  const stored = anApplication({ apiKeyIds: ['gone', 'kept'] });
  const notFound = answering(404, { message: 'no key' }, { 'x-amzn-errortype': 'NotFoundException' });
  /** The gateway has the key `kept` in the plan of the tier `standard`. */
  const gateway: AwsAnswer = (outgoing, call) => {
    if (call.path.startsWith('/apikeys/kept'))
      return answering(200, { id: 'kept', enabled: true })(outgoing, call);
    if (call.path === '/usageplans/plan-standard/keys/kept') return answering(202, '')(outgoing, call);
    const joins = call.path === '/usageplans/plan-premium/keys' && JSON.parse(call.body).keyId === 'kept';
    return (joins ? answering(201, { id: 'kept' }) : notFound)(outgoing, call);
  };

  it('moves the keys that the gateway has, and tells how to forget those that it lost', async () => {
    const byName = byOperation({
      DescribeStacks: stack,
      GetItem: answering(200, { Item: marshall({ pk: 'APPLICATION#one', ...stored }) }),
      TransactWriteItems: answering(200, {}),
    });
    aws.answer((outgoing, call) => (operationOf(call) === '' ? gateway : byName)(outgoing, call));

    expect(await applications('set', 'one', '--tier', 'premium')).toEqual({
      exitCode: 0,
      said: expect.stringContaining(
        'npm run -s operator -- --stage staging applications remove-key one gone',
      ),
    });

    const calls = aws.calls();
    const joined = calls.filter(({ path }) => path === '/usageplans/plan-premium/keys');
    expect(joined.map(({ body }) => JSON.parse(body).keyId)).toEqual(['kept']);
    expect(calls.find((call) => operationOf(call) === 'TransactWriteItems')?.body).toContain('"premium"');
  });
});

describe('the list of applications', () => {
  it('is a table of one line for each application on a terminal of 80 columns', async () => {
    const stored = ['arena', 'demo', 'partner'].map((id) =>
      anApplication({ id, name: `Demonstration ${id}`, clientIds: [`${id}-web`] }),
    );
    aws.answer(
      byOperation({
        DescribeStacks: stack,
        Scan: answering(200, {
          Items: stored.map((each) => marshall({ pk: `APPLICATION#${each.id}`, ...each })),
        }),
      }),
    );
    const width = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
    onTestFinished(() => {
      Object.defineProperty(process.stdout, 'columns', width ?? { value: undefined, configurable: true });
    });
    Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true });

    expect(await applications('list')).toMatchObject({ exitCode: 0 });

    const written = vi
      .mocked(process.stdout.write)
      .mock.calls.map(([text]) => String(text))
      .join('');
    expect(written).toMatch(
      /^id +name .*clients\narena .* arena-web\ndemo .* demo-web\npartner .* partner-web\n$/,
    );
  });
});
