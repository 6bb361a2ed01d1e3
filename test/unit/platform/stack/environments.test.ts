import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stageNames } from '../../../../config/stages.ts';
import { resourcesOf, templateOf } from '../../../support/platform/stack.ts';

const root = new URL('../../../../functions/', import.meta.url);
const folders = globSync('*/*/index.ts', { cwd: root }).map((file) => dirname(file));

/** The value of this variable decides which other variables are required. */
const choice = 'PLAYBACK_SIGNING';
/** A function does not report these as missing, since a stage may do without them. */
const optional = [
  'DEFAULT_APPLICATION_ID',
  'GEOLOCATION_CACHE_SECONDS',
  'GEOLOCATION_SECRET_ARN',
  'GEOLOCATION_URL',
  'ORIGIN_VERIFY_SECRET_ARN',
];
/** Read by the Powertools library. */
const readByPowertools = ['POWERTOOLS_METRICS_NAMESPACE', 'POWERTOOLS_SERVICE_NAME'];

/** The environment variables of a stage's functions, by folder, which is also the service name. */
const declaredIn = (stage: string): ReadonlyMap<unknown, Readonly<Record<string, unknown>>> =>
  new Map(
    resourcesOf(templateOf(stage), 'AWS::Lambda::Function').map(([, { Properties }]) => {
      const { Variables } = Properties.Environment as { readonly Variables: Record<string, unknown> };
      return [Variables.POWERTOOLS_SERVICE_NAME, Variables];
    }),
  );

const asked = new Map<string, Promise<string[]>>();

/** The variables that a function reports as missing when it is started with at most `PLAYBACK_SIGNING`. */
const missed = (folder: string, chosen: string | undefined): Promise<string[]> => {
  const key = `${folder} ${chosen}`;
  const answer = asked.get(key) ?? askWhatIsMissed(folder, chosen);
  asked.set(key, answer);
  return answer;
};

const askWhatIsMissed = async (folder: string, chosen: string | undefined): Promise<string[]> => {
  vi.resetModules();
  if (chosen !== undefined) vi.stubEnv(choice, chosen);
  const started: Promise<unknown> = import(new URL(`${folder}/index.ts`, root).href);
  const error = await started.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  const issues = /^Invalid environment variables of the function: (.*)$/s.exec(
    error instanceof Error ? error.message : '',
  )?.[1];
  if (issues === undefined) throw error;
  return issues.split('; ').map((issue) => issue.split(':', 1)[0] ?? '');
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(stageNames)('the environment variables in the template of stage %s', (stage) => {
  const declared = declaredIn(stage);

  it('exist for exactly the function folders', () => {
    expect([...declared.keys()].sort()).toEqual([...folders].sort());
  });

  it.each(folders)('are exactly those that %s reads', async (folder) => {
    const { [choice]: chosen, ...variables } = declared.get(folder) ?? {};

    const read = await missed(folder, typeof chosen === 'string' ? chosen : undefined);

    expect(Object.keys(variables)).toEqual(expect.arrayContaining(read));
    const known = [...read, ...optional, ...readByPowertools];
    expect(known).toEqual(expect.arrayContaining(Object.keys(variables)));
  });
});

describe('a numeric environment variable whose value 0 would be dangerous', () => {
  it.each([
    ['wallets/link-wallet', 'CHAIN_ID'],
    ['nft/mint-token', 'CHAIN_ID'],
    ['wallets/list-wallets', 'TICKET_SECONDS'],
    ['ott/get-stream', 'TICKET_SECONDS'],
    ['ott/get-stream', 'SESSION_SECONDS'],
    ['ott/get-stream', 'PLAYBACK_SECONDS'],
  ])('makes the start of %s fail if %s is 0', async (folder, name) => {
    vi.resetModules();
    vi.stubEnv(choice, 'cookies');
    vi.stubEnv(name, '0');

    const started = import(new URL(`${folder}/index.ts`, root).href);

    await expect(started).rejects.toThrow(`${name}: Too small`);
  });
});
