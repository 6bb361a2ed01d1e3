import { isOver, type Outage } from '../../../shared/platform/store/outages.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

/** What a call to an outside service showed. `unknown`: it could not be called, for example without its secret. */
export type Asked = 'answers' | 'fails' | 'unknown';

/** If calls are made, functions report each failure sooner than this. */
export const uncalledMilliseconds = 60_000;

export interface AskServicesDependencies {
  readonly outages: {
    find(service: string): Promise<Outage | undefined>;
    report(failure: { readonly service: string; readonly at: number }): Promise<void>;
    end(answer: { readonly service: string; readonly at: number }): Promise<void>;
  };
  readonly ask: (service: string) => Promise<Asked>;
  readonly clock: Clock;
}

/**
 * Finds outages of outside services. If the last call failed a minute ago or longer, nobody seems to call the service. So
 * it is called once, at most once a minute, and the outcome is reported as those of the functions are: without viewers,
 * nobody else would find out that the outage is over.
 */
export const outageFinder = ({ outages, ask, clock }: AskServicesDependencies) => {
  const askedAt = new Map<string, number>();
  return async (service: string): Promise<Outage | undefined> => {
    const found = await outages.find(service);
    const at = clock();
    if (found === undefined || isOver(found) || at - found.lastAt < uncalledMilliseconds) return found;
    if (at - (askedAt.get(service) ?? Number.NEGATIVE_INFINITY) < uncalledMilliseconds) return found;
    askedAt.set(service, at);
    const asked = await ask(service).catch((): Asked => 'unknown');
    if (asked === 'unknown') return found;
    // Whoever may only read still sees the outcome.
    if (asked === 'answers') {
      await outages.end({ service, at }).catch(() => {});
      return { ...found, answeredAt: at };
    }
    const lastAt = clock();
    await outages.report({ service, at: lastAt }).catch(() => {});
    return { ...found, lastAt };
  };
};
