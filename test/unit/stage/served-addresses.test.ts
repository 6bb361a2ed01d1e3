import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedAddresses } from '../../../operator/stage/preflight/served-addresses.ts';
import { contractSchema } from '../../../shared/nft/collections/contract.ts';
import { contractItem } from '../../../shared/nft/store/nft-items.ts';
import { anApplication } from '../../support/platform/applications.ts';
import {
  type AwsAnswer,
  answering,
  byOperation,
  refusing,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';
import { aTarget } from '../../support/platform/target.ts';

const contract = contractSchema.parse({
  applicationId: 'one',
  address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  name: 'Fan Club',
  symbol: 'FAN',
  description: null,
  image: null,
  media: [],
  royalty: null,
  salt: '0x01',
  collectionVersion: 1,
  signer: 'signer',
  nonce: 0,
  transactionHash: '0x02',
  status: 'confirmed',
  createdAt: '2026-11-20T00:00:00.000Z',
});
/** Nothing listens at this port. */
const deadEndpoint = 'http://127.0.0.1:2';

describe("the collections at API Gateway's own address", () => {
  let aws: Awaited<ReturnType<typeof startScriptedAws>>;
  beforeAll(async () => {
    aws = await startScriptedAws();
  });
  afterAll(() => aws.stop());

  const collections = (secret: AwsAnswer) => {
    aws.answer(
      byOperation({
        GetSecretValue: secret,
        Scan: answering(200, { Items: [marshall({ pk: 'APPLICATION#one', ...anApplication() })] }),
        Query: answering(200, { Items: [marshall(contractItem(contract))] }),
      }),
    );
    return servedAddresses(async () => aTarget({ aws: aws.settings })).collectionsAtOwnAddress('prod');
  };

  it('are unknown while no RPC endpoint answers, and no address of an endpoint is shown', async () => {
    const secret = answering(200, { SecretString: JSON.stringify({ urls: [`${deadEndpoint}/v2/key`] }) });

    expect(await collections(secret)).toEqual({
      unknown: 'not known: no RPC endpoint says where the collections have their metadata',
    });
  });

  it('are unknown to credentials that may not read them, and the missing permission is named', async () => {
    const message = 'User: one is not authorized to perform: secretsmanager:GetSecretValue';

    expect(await collections(refusing('AccessDeniedException', { message }))).toEqual({
      unknown: `not known: ${message}`,
    });
  });
});
