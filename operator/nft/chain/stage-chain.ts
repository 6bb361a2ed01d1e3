import {
  admittingDependencies,
  transactingDependencies,
} from '../../../functions/nft/transacting-dependencies.ts';
import { rpcSecret } from '../../../shared/chain/rpc/rpc-secret.ts';
import { kmsKeyRing } from '../../../shared/nft/aws/kms-signer.ts';
import type { KeyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { type KeyService, kmsClient } from '../../../shared/platform/aws/kms-client.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { documentsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { accessDeniedIn } from '../../platform/terminal/access-denied.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { logTablesOf } from './stores.ts';

/** Makes `list` throw when a KMS permission is missing, instead of leaving out the keys as if KMS had not answered. */
const tellingOfDenials = (service: KeyService) => {
  let denied: Error | undefined;
  const publicKey: KeyService['publicKey'] = async (keyId) => {
    try {
      return await service.publicKey(keyId);
    } catch (error) {
      denied ??= accessDeniedIn(error);
      throw error;
    }
  };
  return {
    keyService: { signDigest: service.signDigest, publicKey },
    ringThatTells: (ring: KeyRing): KeyRing => ({
      find: ring.find,
      list: async () => {
        const known = await ring.list();
        if (denied !== undefined) throw denied;
        return known;
      },
    }),
  };
};

/**
 * A stage's chain, signers and transaction log, as its functions use them. To sign, the operator's own credentials
 * must allow `kms:Sign` with the stage's keys.
 */
export const stageChain = (target: Target, output: Pick<Output, 'remark'>) => {
  const { nft } = stageSettings(target.stage);
  const say = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const { error } = fields;
    output.remark(error instanceof Error ? `${message}: ${error.message}` : message);
  };
  const { keyService, ringThatTells } = tellingOfDenials(kmsClient(target.aws));
  const client = documentsOf(target);
  const secrets = secretsClient({ settings: target.aws });
  const secretId = target.output('ChainSecretArn');
  const stage = {
    ...logTablesOf(target),
    CHAIN_ID: nft.chainId,
    CHAIN_SECRET_ARN: secretId,
    CHAIN_FINALITY: nft.finality,
    BLOCK_MILLISECONDS: nft.blockSeconds * 1_000,
    SIGNER_KEY_IDS: target.output('SignerKeyIds').split(','),
    IN_FLIGHT_CAP: nft.inFlightCap,
    FEE_CEILING_WEI: nft.feeCeiling,
    ENDPOINT_FEE_CAP_WEI: nft.endpointFeeCap,
    MINIMUM_TIP_WEI: nft.minimumTip,
  };
  const transacting = transactingDependencies(stage, {
    client,
    secrets,
    keys: ringThatTells(
      kmsKeyRing({ client: keyService, keyIds: stage.SIGNER_KEY_IDS, chainId: stage.CHAIN_ID }),
    ),
    events: { raise: (event: string) => output.remark(event) },
    logger: { debug: () => {}, info: say, warn: say, error: say },
  });
  return {
    ...transacting,
    explorer: nft.explorer,
    ...admittingDependencies(stage, { ...transacting, client }),
    urls: rpcSecret({ client: secrets, secretId }),
  };
};

export type StageChain = ReturnType<typeof stageChain>;
