/** The requests about tokens that are reserved for users. */

import type { Address } from '../../../shared/chain/hex.ts';
import { claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import { reserveTokens } from '../../../shared/nft/reservations/reserve.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import type { Idempotency } from '../../../shared/nft/submit/idempotency.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import type { Random } from '../../support/platform/seeded-random.ts';
import type { Answer } from '../answer.ts';
import type { Service } from '../service.ts';
import { between, oneOf } from '../streams.ts';
import { type Request, type ReservationKind, receiverOf } from '../workload.ts';
import { applicationUserSubOf, everyUser, userSubOf, walletOf } from './users.ts';

interface Question {
  readonly request: Request;
  readonly random: Random;
  readonly idempotency: Idempotency;
  readonly contract: Address;
  /** A token of the contract; `undefined` if the contract has no token yet. */
  readonly token: Nft | undefined;
  readonly applicationIn: (
    found: { readonly applications: Pick<Applications, 'findByApiKeyId'> },
    id: string,
  ) => Promise<Application>;
}

/** What the request's tries repeat. `undefined` if there is nothing to change yet. */
export const reservationCall = (
  service: Service,
  { request, random, idempotency, contract, token, applicationIn }: Question,
): ((task: string) => Promise<Answer>) | undefined => {
  const [first, ...others] = everyUser([request.applicationId]);
  if (first === undefined) return undefined;
  const user = oneOf(random, [first, ...others]);
  const kind = request.kind as ReservationKind;
  if (kind === 'reserve') {
    const tokens = Array.from({ length: between(random, 1, 3) }, () => ({
      destination: applicationUserSubOf(oneOf(random, [first, ...others])),
      metadata: someMetadata(`Request ${request.id}`),
    }));
    return (task) =>
      service.mint.invoke(task, async (dependencies) => {
        const application = await applicationIn(dependencies, request.applicationId);
        const reserved = await reserveTokens(dependencies, { application, idempotency, contract, tokens });
        return { request, tokens: reserved };
      });
  }
  if (token === undefined) return undefined;
  const { tokenId } = token;
  if (kind === 'claim') {
    // Mostly the user for whom it was reserved at first.
    const claiming =
      [first, ...others].find((each) => token.reservedFor?.endsWith(applicationUserSubOf(each)) === true) ??
      user;
    const by = random() < 0.8 ? claiming : user;
    return (task) =>
      service.claim.invoke(task, async (dependencies) => {
        const application = await applicationIn(dependencies, request.applicationId);
        const order = { application, userSub: userSubOf(by), contract, tokenId, address: walletOf(by) };
        const claimed = await claimOwnToken(dependencies, order);
        return { request, claimed, deed: { what: 'claimed', contract, tokenId, to: order.address } };
      });
  }
  const destination = kind === 'reassign' ? applicationUserSubOf(user) : receiverOf(request.id, 0);
  return (task) =>
    service.mint.invoke(task, async (dependencies) => {
      const application = await applicationIn(dependencies, request.applicationId);
      const changed = await setDestination(dependencies, {
        application,
        idempotency,
        contract,
        tokenId,
        destination,
      });
      const deed = { contract, tokenId, to: destination };
      return kind === 'reassign'
        ? { request, deed: { ...deed, what: 'given' } }
        : { request, claimed: { ...changed, destination } as Nft, deed: { ...deed, what: 'claimed' } };
    });
};
