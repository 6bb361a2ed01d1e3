import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageNamed } from '../../../../config/stages.ts';
import { retryAfterSeconds } from '../../../../shared/platform/refused-before-functions.ts';
import { destroyStage } from '../../../../tools/release/destroy.ts';
import { fillSecrets } from '../../../../tools/release/fill.ts';
import { checkFirewall } from '../../../../tools/release/firewall.ts';
import { rehearseRollback } from '../../../../tools/release/rehearse.ts';
import { walkApplication } from '../../../../tools/release/walk.ts';
import { guidePolicy } from '../../../support/platform/guide-policy.ts';
import {
  answering,
  byOperation,
  operationOf,
  startScriptedAws,
} from '../../../support/platform/scripted-aws.ts';

const arnOf = (name: string) => `arn:aws:cloudwatch:eu-central-1:000000000000:alarm:${name}`;

let aws: Awaited<ReturnType<typeof startScriptedAws>>;
beforeAll(async () => {
  aws = await startScriptedAws();
});
afterAll(() => aws.stop());

describe('the secrets of a new stage', () => {
  it('are stored from temporary files that are deleted afterwards', async () => {
    const files: string[] = [];
    const ran: string[] = [];
    const operator = async (...words: readonly string[]): Promise<void> => {
      const [file] = words.filter((_, index) => words[index - 1] === '--file');
      ran.push(words.map((word) => (word === file ? 'FILE' : word)).join(' '));
      if (file === undefined) return;
      files.push(file);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['{"urls":[]}', 0o600]);
    };

    const environment = { CHAIN_SECRET: '{"urls":[]}', ENTITLEMENT_SECRET: '' };
    await fillSecrets({ checkout: { operator } }, { stage: 'nightly', environment });

    expect(ran).toEqual(['--stage nightly secrets set chain --file FILE', '--stage nightly secrets list']);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
  });

  it('cause an error that lists the missing variables', async () => {
    const filled = fillSecrets(
      { checkout: { operator: async () => {} } },
      { stage: 'nightly', environment: {} },
    );

    await expect(filled).rejects.toThrow(/none of CHAIN_SECRET, .*SIGNING_KEY_SECRET/);
  });
});

describe('the removal of a stage', () => {
  const ran: string[] = [];
  const destroy = (stage: string, outputs: ReadonlyMap<string, string> | undefined) => {
    ran.length = 0;
    const run = async (...words: readonly string[]): Promise<void> => {
      ran.push(words.join(' '));
    };
    return destroyStage(
      { checkout: { run }, stack: { outputs: async () => outputs }, aws: aws.settings },
      { stage },
    );
  };

  it('deletes the tables of the stage, those made by restores included, and no table of another stage', async () => {
    aws.answer(
      byOperation({
        ListTables: answering(200, { TableNames: ['Marquee-nightly-Users-1-2026', 'Marquee-prod-Users-1'] }),
        DeleteTable: answering(200, {}),
      }),
    );

    await destroy('nightly', undefined);

    expect(ran).toEqual(['cdk destroy -c stage=nightly --force']);
    const deleted = aws.calls().filter((call) => operationOf(call) === 'DeleteTable');
    expect(deleted.map(({ body }) => JSON.parse(body))).toEqual([
      { TableName: 'Marquee-nightly-Users-1-2026' },
    ]);
    const needed = new Set(aws.calls().map((call) => `dynamodb:${operationOf(call)}`));
    const policy = guidePolicy('The policy of the nightly account', {});
    expect(new Set(policy.Statement.flatMap(({ Action }) => Action))).toEqual(needed);
  });

  it('is refused if the stage retains its data', async () => {
    await expect(destroy('prod', undefined)).rejects.toThrow('The stage prod sets retainData');
    expect(ran).toEqual([]);
  });

  it('fails without deleting tables if the stack still exists', async () => {
    aws.answer(byOperation({}));

    await expect(destroy('nightly', new Map())).rejects.toThrow('Marquee-nightly is still there');
    expect(aws.calls()).toEqual([]);
  });
});

describe('the rehearsal of a rollback', () => {
  const outputs = new Map([
    ['RehearsalAlarm', 'Marquee-nightly-AlarmRehearsal-1'],
    [
      'RollbackTriggerArns',
      [arnOf('Marquee-nightly-BaseApi-1'), arnOf('Marquee-nightly-Canary-1')].join(','),
    ],
  ]);
  const stackIn = (status: string, updatedAt: string) =>
    answering(
      200,
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Marquee-nightly</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><LastUpdatedTime>${updatedAt}</LastUpdatedTime><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      { 'content-type': 'text/xml' },
    );
  const earlier = '2026-11-21T00:00:00Z';
  /** The deployment leaves the stack in this status. A rollback of an earlier rehearsal is the stack's last update before. */
  const rehearse = async (
    status: string,
    { isDeployed = false, updatedAt = '2026-11-22T00:00:00Z' } = {},
  ) => {
    const ran: string[] = [];
    aws.answer(
      byOperation({
        SetAlarmState: answering(200, {}),
        DescribeStacks: (outgoing, call) =>
          (ran.length === 0 ? stackIn('UPDATE_ROLLBACK_COMPLETE', earlier) : stackIn(status, updatedAt))(
            outgoing,
            call,
          ),
      }),
    );
    const run = async (...words: readonly string[]): Promise<void> => {
      ran.push(words.join(' '));
      if (!isDeployed) throw new Error('rolled back');
    };
    const stack = { outputs: async () => outputs };
    await rehearseRollback({ checkout: { run }, stack, aws: aws.settings }, { stage: 'nightly' });
    return ran;
  };

  it('deploys a changed tag while the rehearsal alarm, which has no subscriber, is in ALARM', async () => {
    expect(await rehearse('UPDATE_ROLLBACK_COMPLETE')).toEqual([
      `cdk deploy -c stage=nightly --require-approval never --tags rehearsal=rollback --rollback-trigger-alarm-arns ${arnOf('Marquee-nightly-AlarmRehearsal-1')}`,
    ]);
    const states = aws.calls().filter((call) => operationOf(call) === 'SetAlarmState');
    expect(states.at(0)?.body).toContain('ALARM');
    expect(states.at(-1)?.body).toContain('"OK"');
  });

  it.each([
    ['the change stays', 'UPDATE_COMPLETE', { isDeployed: true }],
    ['the deployment fails otherwise', 'UPDATE_COMPLETE', {}],
    ['the rollback fails', 'UPDATE_ROLLBACK_FAILED', {}],
    ['the deployment fails before it begins', 'UPDATE_ROLLBACK_COMPLETE', { updatedAt: earlier }],
  ])('fails if %s', async (_, status, deployment) => {
    await expect(rehearse(status, deployment)).rejects.toThrow(`the stack is in ${status}`);
  });
});

describe('the stage of the nightly workflow', () => {
  it('has the application that the workflow creates as its default, so that the canary and smoke get answers', () => {
    expect(stageNamed('nightly').ott.defaultApplication).toBe(walkApplication);
  });
});

describe('the nightly check of the firewall', () => {
  /** Answers 200 to the first calls, then this. */
  const refusing = (refusal: () => Response): typeof globalThis.fetch => {
    let calls = 0;
    return async () => {
      calls += 1;
      return calls > 50 ? refusal() : new Response('[]');
    };
  };
  const headers = { 'retry-after': '60', 'access-control-allow-origin': '*' };
  const check = (refusal: () => Response) =>
    checkFirewall({ fetch: refusing(refusal) }, { baseUrl: 'https://api.example.com' });

  it('passes when the firewall answers 429 as documented', async () => {
    await expect(check(() => new Response('', { status: 429, headers }))).resolves.toBeUndefined();
  });

  const busy = (status: number) =>
    new Response('', { status, headers: { ...headers, 'retry-after': String(retryAfterSeconds.gateway) } });

  it.each([429, 503])('does not take a %i of API Gateway itself for the firewall’s', async (status) => {
    const patience = new AbortController();
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 3) patience.abort();
    };

    const checked = checkFirewall(
      { fetch: async () => busy(status), pause, patience: patience.signal },
      { baseUrl: 'https://api.example.com' },
    );

    await expect(checked).rejects.toThrow(/refused none of the calls .* API Gateway itself refused 60/);
  });

  it('waits while API Gateway itself refuses, until the firewall does', async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return calls <= 30 ? busy(429) : new Response('', { status: 429, headers });
    };

    await checkFirewall({ fetch, pause: async () => {} }, { baseUrl: 'https://api.example.com' });

    expect(calls).toBe(40);
  });

  it.each([
    ['another status', { status: 403, headers }, 'with 403'],
    [
      'no Retry-After',
      { status: 429, headers: { 'access-control-allow-origin': '*' } },
      'without retry-after',
    ],
    [
      'an answer that no page can read',
      { status: 429, headers: { 'retry-after': '60' } },
      'without access-control',
    ],
  ])('fails with %s', async (_, answer, fault) => {
    await expect(check(() => new Response('', answer))).rejects.toThrow(fault);
  });
});
