import { randomUUID } from 'node:crypto';
import { dynamoDbClaims } from '../../shared/adapters/dynamodb/claims.ts';
import { dynamoDbDailyCounts } from '../../shared/adapters/dynamodb/daily-counts.ts';
import { type KeyService, kmsClient } from '../../shared/adapters/kms/client.ts';
import { kmsKeyRing } from '../../shared/adapters/kms/signer.ts';
import { pauseBeforeTry } from '../../shared/adapters/nft-dependencies.ts';
import { polygonChain } from '../../shared/adapters/polygon/chain.ts';
import { rpcSecret } from '../../shared/adapters/polygon/rpc-secret.ts';
import { secretsClient } from '../../shared/adapters/secrets/client.ts';
import { systemClock } from '../../shared/clock.ts';
import { fundsGuard } from '../../shared/nft/submit/funds.ts';
import { accessDeniedIn } from '../access-denied.ts';
import type { Output } from '../output.ts';
import { stageSettings } from '../stage-settings.ts';
import { documentsOf } from '../stores.ts';
import type { Target } from '../target.ts';
import { transactionsOf } from './stores.ts';

/** A missing permission is not a missing answer: the operator is told about it. */
const ringThatTells = ({
  client,
  ...stage
}: Parameters<typeof kmsKeyRing>[0]): ReturnType<typeof kmsKeyRing> => {
  let denied: Error | undefined;
  const publicKey: KeyService['publicKey'] = async (keyId) => {
    try {
      return await client.publicKey(keyId);
    } catch (error) {
      denied ??= accessDeniedIn(error);
      throw error;
    }
  };
  const ring = kmsKeyRing({ ...stage, client: { signDigest: client.signDigest, publicKey } });
  return {
    find: ring.find,
    list: async () => {
      const known = await ring.list();
      if (denied !== undefined) throw denied;
      return known;
    },
  };
};

/**
 * A stage's chain, signers and transaction log, as its functions use them. To sign, the operator's own credentials
 * must allow `kms:Sign` with the stage's keys.
 */
export const stageChain = (target: Target, output: Pick<Output, 'remark'>) => {
  const { nft } = stageSettings(target.stage);
  const { signers, transactionLog } = transactionsOf(target);
  const requests = { client: documentsOf(target), tableName: target.output('RequestsTable') };
  const say = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error } = fields;
    output.remark(error instanceof Error ? `${message}: ${error.message}` : message);
  };
  const urls = rpcSecret({
    client: secretsClient({ settings: target.aws }),
    secretId: target.output('ChainSecretArn'),
  });
  const chain = polygonChain({
    chainId: nft.chainId,
    urls,
    finality: nft.finality,
    minimumPriorityFeePerGas: nft.minimumTip,
    blockTimeMilliseconds: nft.blockSeconds * 1_000,
  });
  const events = { raise: (event: string) => output.remark(event) };
  return {
    chain,
    urls,
    keys: ringThatTells({
      client: kmsClient(target.aws),
      keyIds: target.output('SignerKeyIds').split(','),
      chainId: nft.chainId,
    }),
    signers,
    transactionLog,
    claims: dynamoDbClaims(requests),
    counts: dynamoDbDailyCounts(requests),
    requireFunds: fundsGuard({ chain, clock: systemClock, events }),
    events,
    logger: { debug: () => {}, info: say, warn: say, error: say },
    clock: systemClock,
    randomId: randomUUID,
    pause: pauseBeforeTry,
    settings: {
      inFlightCap: nft.inFlightCap,
      feeCeiling: nft.feeCeiling,
      endpointFeeCap: nft.endpointFeeCap,
    },
  };
};

export type StageChain = ReturnType<typeof stageChain>;
