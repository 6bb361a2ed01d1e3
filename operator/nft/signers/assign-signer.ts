import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { SignerId } from '../../../shared/nft/transactions/entry.ts';
import type { ApplicationSigners } from '../../../shared/platform/applications/ports/applications.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

/** @throws OperatorError when the signer is drained, or the application got another signer in the meantime. */
export const assignSigner = async (
  {
    applications,
    signers,
  }: { readonly applications: ApplicationSigners; readonly signers: Pick<Signers, 'find'> },
  { applicationId, from, to }: { applicationId: string; from: SignerId | undefined; to: SignerId },
): Promise<void> => {
  if ((await signers.find(to))?.isDraining === true) {
    throw new OperatorError({ message: `Signer ${to} is drained: resume it first.` });
  }
  const assigned = await applications.assignSigner({ applicationId, from, to });
  if (assigned !== to) {
    throw new OperatorError({
      message: `Application ${applicationId} was given signer ${assigned} in the meantime; check it and try again.`,
    });
  }
};
