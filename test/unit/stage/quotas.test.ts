import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Quotas, readQuotas } from '../../../operator/stage/preflight/quotas.ts';

type Answer = { readonly QuotaName: string; readonly Value: number } | { readonly __type: string };
/** Keyed by the call, the service and the code of the quota. */
type Answers = Readonly<Record<string, Answer>>;

const applied = 'GetServiceQuota';
const byDefault = 'GetAWSDefaultServiceQuota';
const signatures = 'kms L-DC14942D';
const published = 'sns L-F8E2BA85';
const filterPolicies = 'sns L-B96EDA7D';

describe('the quotas of the account', () => {
  let answers: Answers;
  let server: Server;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { ServiceCode, QuotaCode } = JSON.parse(await text(request));
      const call = String(request.headers['x-amz-target']).split('.').at(-1);
      const answer = answers[`${call} ${ServiceCode} ${QuotaCode}`] ?? { __type: 'NoSuchResourceException' };
      const isRefusal = '__type' in answer;
      response.writeHead(isRefusal ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(isRefusal ? answer : { Quota: answer }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const read = (known: Answers): Promise<Quotas> => {
    answers = known;
    return readQuotas({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
  };

  it.each([
    'Cryptographic operations (ECC) request rate',
    'Cryptographic operations (ECC and SM2) request rate',
  ])('are those applied to the account, whatever their name at AWS is: %s', async (QuotaName) => {
    const quotas = await read({
      [`${applied} ${signatures}`]: { QuotaName, Value: 1_200 },
      [`${byDefault} ${signatures}`]: { QuotaName, Value: 1_000 },
      [`${applied} ${published}`]: { QuotaName: 'Messages Published per Second', Value: 9_000 },
      [`${applied} ${filterPolicies}`]: { QuotaName: 'Filter Policies per Topic', Value: 400 },
    });

    expect(quotas).toEqual({
      signaturesPerSecond: { value: 1_200 },
      publishedPerSecond: { value: 9_000 },
      filterPoliciesPerTopic: { value: 400 },
    });
  });

  it('are AWS’s defaults if none was applied to the account', async () => {
    const { filterPoliciesPerTopic } = await read({
      [`${byDefault} ${filterPolicies}`]: { QuotaName: 'Filter Policies per Topic', Value: 200 },
    });

    expect(filterPoliciesPerTopic).toEqual({ value: 200 });
  });

  it('are unknown if the quota is missing, has an unexpected name, or cannot be read', async () => {
    const quotas = await read({
      [`${applied} ${published}`]: { QuotaName: 'Topics per Account', Value: 100_000 },
      [`${applied} ${filterPolicies}`]: { __type: 'AccessDeniedException' },
    });

    expect(quotas).toEqual({
      signaturesPerSecond: { unknown: 'not known: Service Quotas has no L-DC14942D of kms' },
      publishedPerSecond: {
        unknown:
          'not known: Service Quotas shows an unexpected name for L-F8E2BA85 of sns: "Topics per Account"',
      },
      filterPoliciesPerTopic: {
        unknown: 'not known: these credentials may not ask Service Quotas for L-B96EDA7D of sns',
      },
    });
  });
});
