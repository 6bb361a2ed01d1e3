import { isAddress } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import { BadRequestError } from '../../platform/errors.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import { applicationUserSubOf, isStandIn, nobody } from './stand-in.ts';

export interface RefuseStandInsDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf'>;
}

/**
 * Refuses the stand-ins of the application's users, also of former ones, and of nobody as destinations: there is no key
 * for such an address, so a token minted to it would be lost. Other addresses with four leading zero bytes are accepted,
 * because people have wallets with such addresses. They alone are looked up.
 * @throws BadRequestError
 */
export const refuseStandIns = async (
  { subs }: RefuseStandInsDependencies,
  {
    application: { id: applicationId },
    destinations,
  }: {
    readonly application: Pick<Application, 'id'>;
    readonly destinations: ReadonlyArray<readonly [path: string, destination: string]>;
  },
): Promise<void> => {
  const possible = destinations.flatMap(([path, destination]) =>
    isAddress(destination) && isStandIn(destination)
      ? [{ path, applicationUserSub: applicationUserSubOf(destination), isNobody: destination === nobody }]
      : [],
  );
  const known = possible.filter(({ isNobody }) => !isNobody);
  const applicationUserSubs = [...new Set(known.map(({ applicationUserSub }) => applicationUserSub))];
  const registrations =
    applicationUserSubs.length === 0
      ? new Map()
      : await subs.registrationsOf({ applicationId, applicationUserSubs });
  const issues = possible
    .filter(({ applicationUserSub, isNobody }) => isNobody || registrations.has(applicationUserSub))
    .map(({ path }) => ({
      path,
      message: 'Nobody has the key of this address: for a user, send the application_user_sub alone',
    }));
  if (issues.length > 0) throw new BadRequestError({ issues });
};
