import { createHash } from 'node:crypto';
import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { ApplicationSigners } from '../../platform/applications/ports/applications.ts';
import type { Signers } from '../ports/signers.ts';
import type { SignerId } from '../transactions/entry.ts';
import type { ChosenSigner, KeyRing, KnownSigner } from '../transactions/key-ring.ts';

export interface ApplicationSignerDependencies {
  readonly applications: ApplicationSigners;
  readonly keys: KeyRing;
  readonly signers: Pick<Signers, 'find'>;
}

const weightOf = (applicationId: string, signer: SignerId): string =>
  createHash('sha256').update(`${applicationId}|${signer}`).digest('hex');

/**
 * Sorts the signers by the application's preference (rendezvous hashing). Each application has its own order. So
 * applications spread evenly over all signers, and the applications of a signer that is not available spread over the
 * other signers.
 */
export const preferredSigners = <Candidate extends { readonly id: SignerId }>(
  applicationId: string,
  candidates: readonly Candidate[],
): Candidate[] =>
  candidates
    .map((candidate) => ({ candidate, weight: weightOf(applicationId, candidate.id) }))
    .sort((a, b) => (a.weight < b.weight ? 1 : -1))
    .map(({ candidate }) => candidate);

/**
 * How many times one request tries to choose a signer. Concurrent requests choose the same signer, or use the signer
 * that the fastest of them stored, so a few tries suffice.
 */
const choicesAtMost = 3;

/**
 * Returns the signer of the application's new collections. The signer is chosen once and stored with the application.
 * The application keeps the signer, even while the signer cannot send transactions, until an operator drains the signer
 * or assigns another.
 *
 * @throws ChainUnavailableError when the signer's key is not available, or no signer accepts new collections.
 */
export const applicationSigner = async (
  dependencies: ApplicationSignerDependencies,
  application: Pick<Application, 'id' | 'signer'>,
): Promise<ChosenSigner> => {
  const { applications, keys, signers } = dependencies;

  let assigned = application.signer;
  for (let choice = 1; choice <= choicesAtMost; choice += 1) {
    const state = assigned === undefined ? undefined : await signers.find(assigned);
    if (assigned !== undefined && state?.isDraining !== true) {
      const known = await keys.find(assigned);
      if (known !== undefined) return { ...known, state };
      throw new ChainUnavailableError({
        message: `Application ${application.id} is assigned to signer ${assigned}, but the stage has no key of this signer`,
      });
    }
    const chosen = await firstThatTakes(dependencies, preferredSigners(application.id, await keys.list()));
    const { id } = application;
    assigned = await applications.assignSigner({ applicationId: id, from: assigned, to: chosen.id });
    if (assigned === chosen.id) return chosen;
  }
  throw new ChainUnavailableError({ message: `The signer of application ${application.id} keeps changing` });
};

const firstThatTakes = async (
  { signers }: Pick<ApplicationSignerDependencies, 'signers'>,
  candidates: readonly KnownSigner[],
): Promise<ChosenSigner> => {
  for (const candidate of candidates) {
    const state = await signers.find(candidate.id);
    if (state?.isDraining !== true) return { ...candidate, state };
  }
  throw new ChainUnavailableError({
    message: 'No signer accepts new collections: each is draining or cannot be reached',
  });
};
