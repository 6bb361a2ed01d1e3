import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { Redeliveries } from '../ports/redeliveries.ts';
import { knownAfter } from './redelivery.ts';
import {
  type EndpointInRedelivery,
  failedPage,
  judgedSubjects,
  type UndeliveredDependencies,
} from './undelivered.ts';

export interface LookForUndeliveredDependencies extends UndeliveredDependencies {
  readonly endpoints: Pick<Endpoints, 'find'>;
  readonly redeliveries: Pick<Redeliveries, 'accept'>;
}

/**
 * What a look has found.
 * - `nothing`: the endpoint has accepted everything.
 * - `under way`: what it has not accepted may still arrive.
 * - `something`: something is to be sent, now or later, or the list is too long for one look.
 */
type Found = 'nothing' | 'under way' | 'something';

const found = async (
  dependencies: UndeliveredDependencies,
  endpoint: EndpointInRedelivery,
  { until }: { readonly until: number },
): Promise<Found> => {
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const now = dependencies.clock();
    if (now >= until) return 'something';
    const page = await failedPage(dependencies, endpoint, { now, after });
    for await (const { verdict } of judgedSubjects(dependencies, endpoint, page.items, seen)) {
      if (verdict.kind === 'later' && verdict.isUnderWay) return 'under way';
      if (verdict.kind !== 'accepted') return 'something';
    }
    after = page.next;
  } while (after !== undefined);
  return 'nothing';
};

/**
 * Ends the redelivery of an endpoint that waits, if the endpoint has accepted everything meanwhile. Otherwise its next sweep
 * would notice that only when it is due. Sends nothing. Ends at the first subject that is not accepted, so that a look is
 * cheap while much is undelivered.
 * @returns `looking` if another look may find more before the endpoint is due.
 */
export const lookForUndelivered = async (
  dependencies: LookForUndeliveredDependencies,
  { until, ...key }: Pick<Endpoint, 'applicationId' | 'id'> & { readonly until: number },
): Promise<'ended' | 'looking'> => {
  const { endpoints, redeliveries, ladder, clock } = dependencies;
  const endpoint = await endpoints.find(key);
  const { failingSince, redelivery } = endpoint ?? {};
  if (endpoint === undefined || redelivery?.nextAt === undefined) return 'ended';
  if (failingSince !== undefined || redelivery.state !== 'waiting' || redelivery.isAccepted) return 'ended';
  const { nextAt, failures, failureNotedAt } = redelivery;
  const now = clock();
  const again = now < nextAt ? 'looking' : 'ended';
  if (now < failureNotedAt + knownAfter(ladder)) return again;
  switch (await found(dependencies, { ...endpoint, redelivery }, { until })) {
    case 'something':
      return 'ended';
    case 'under way':
      return again;
    case 'nothing':
      await redeliveries.accept(key, {
        dueAt: nextAt,
        failures,
        isComplete: failureNotedAt + ladder.outcomesWithin <= now,
      });
      return 'ended';
  }
};

/** Looks at all endpoints of an application, after a replay: it may have sent what a redelivery would send much later. */
export const lookAfterReplay = async (
  dependencies: LookForUndeliveredDependencies & { readonly endpoints: Pick<Endpoints, 'ofApplication'> },
  { applicationId, until }: { readonly applicationId: string; readonly until: number },
): Promise<'ended' | 'looking'> => {
  let outcome: 'ended' | 'looking' = 'ended';
  for (const { id, redelivery } of await dependencies.endpoints.ofApplication(applicationId)) {
    if (redelivery === undefined) continue;
    const looked = await lookForUndelivered(dependencies, { applicationId, id, until });
    if (looked === 'looking') outcome = looked;
  }
  return outcome;
};
