import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readQuotas } from '../../../operator/preflight/quotas.ts';

const listed: Readonly<Record<string, readonly object[]>> = {
  kms: [{ QuotaName: 'Cryptographic operations (ECC) request rate', Value: 1_200 }],
  sns: [{ QuotaName: 'Messages Published per Second', Value: 9_000 }],
};

it('quotas are read by their names, page by page, and the least that AWS gives where one is not listed', async () => {
  const server = createServer(async (request, response) => {
    const { ServiceCode, NextToken } = JSON.parse(await text(request));
    const page =
      NextToken === undefined ? { Quotas: [], NextToken: 'next' } : { Quotas: listed[ServiceCode] };
    response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const quotas = await readQuotas({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });

    expect(quotas).toEqual({
      signaturesPerSecond: { value: 1_200, isListed: true },
      publishedPerSecond: { value: 9_000, isListed: true },
      filterPoliciesPerTopic: { value: 200, isListed: false },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
