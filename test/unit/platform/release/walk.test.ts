import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutAt } from '../../../../tools/release/checkout.ts';
import { walkThrough } from '../../../../tools/release/walk.ts';
import { answers, startTinyServer, type TinyServer } from '../../../support/ott/tiny-server.ts';
import { answering, byOperation, startScriptedAws } from '../../../support/platform/scripted-aws.ts';

/** The command line of a checkout: `smoke` exits with 3 if it gets the key in its environment. */
const operator = `
  if (process.argv.includes('create')) console.log('{"api_key":"secret-key"}');
  if (process.argv.includes('smoke')) process.exit(process.env.SMOKE_API_KEY === 'secret-key' ? 3 : 1);
`;

describe('the walk through a new stage', () => {
  const root = mkdtempSync(join(tmpdir(), 'marquee-walk-'));
  let aws: Awaited<ReturnType<typeof startScriptedAws>>;
  let api: TinyServer;
  beforeAll(async () => {
    aws = await startScriptedAws();
    api = await startTinyServer();
    mkdirSync(join(root, 'operator'));
    writeFileSync(join(root, 'operator/main.ts'), operator);
  });
  afterAll(async () => {
    rmSync(root, { recursive: true });
    await aws.stop();
    await api[Symbol.asyncDispose]();
  });

  it('does not show the API key that it creates when smoke fails', async () => {
    const xml = { 'content-type': 'text/xml' };
    aws.answer(
      byOperation({
        Subscribe: answering(200, '<SubscribeResponse/>', xml),
        GetTopicAttributes: answering(
          200,
          '<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes><entry><key>SubscriptionsConfirmed</key><value>1</value></entry></Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>',
          xml,
        ),
      }),
    );
    const published_at = '2026-11-28T12:00:00.000Z';
    const notification = { id: 't', published_at, deliveries: [] };
    const delivered = { endpoint_id: 'e', status: 'delivered', status_code: 200 };
    const answerTo = (path: string) => {
      if (path.endsWith('/endpoints')) return [{ id: 'e', address: 'https://e.test', state: 'confirmed' }];
      if (path.endsWith('/test')) return notification;
      if (path.includes('/notifications')) return [{ ...notification, deliveries: [delivered] }];
      return { address: '0x01', id: '1', is_confirmed: true };
    };
    api.behave((request, response) => answers(answerTo(request.path))(request, response));
    const outputs = new Map([
      ['BaseUrl', api.url],
      ['ApiUrlB2b', api.url],
      ['AlarmTopicArn', 'arn:aws:sns:eu-central-1:000000000000:alarms'],
    ]);

    const said: string[] = [];
    const walked = walkThrough(
      {
        checkout: checkoutAt(root),
        stack: { outputs: async () => outputs },
        aws: aws.settings,
        say: (remark) => said.push(remark),
      },
      { stage: 'nightly', endpoint: 'https://endpoint.example', destination: '0x02' },
    );

    await expect(walked).rejects.toThrow(
      /^node operator\/main\.ts --stage nightly smoke --notifications --alarms failed with 3\.$/,
    );
    // Nothing is minted before SNS and API Gateway know the endpoint and the key.
    expect(said.map((remark) => remark.split(' ').slice(0, 3).join(' '))).toEqual([
      'Waits until API',
      'Waits until SNS',
      'The collection 0x01',
      'Token 1 is',
      'Its notification was',
    ]);
  });
});
