import type { StageConfig } from '../../../config/stage.ts';
import type { DeployedStack } from './account.ts';
import type { Finding } from './finding.ts';

/**
 * Checks whether each deployed signer keeps its key. Only this key can mint into the signer's collections and replace its
 * transactions. A deployment that has left it out cannot be undone: the next one would make a new key.
 */
export const signerKeyFindings = (
  { nft: { signers, signerKeys } }: Pick<StageConfig, 'nft'>,
  deployed: DeployedStack | undefined,
): Finding[] => {
  if (deployed === undefined) return [];
  const lost = deployed.signerKeys.filter(({ arn, isNamed }, index) => {
    const isStillMade = !isNamed && index < signers && signerKeys[index] === undefined;
    return !isStillMade && !signerKeys.includes(arn);
  });
  return [
    {
      check: 'nft.signers, nft.signerKeys',
      ok: lost.length === 0,
      found:
        lost.length === 0
          ? `${signers} signers`
          : `without the key ${lost.map(({ arn }) => arn).join(' and the key ')}`,
      wanted: `all ${deployed.signerKeys.length} keys of the deployed stack, or nobody can mint into the collections of the others: set both as they were deployed. For a rollback, see docs/operator-guide.md#roll-back`,
    },
  ];
};
