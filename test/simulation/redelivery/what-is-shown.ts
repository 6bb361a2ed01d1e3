import type { deliveryWorld, Heard } from '../../support/notifications/delivery-world.ts';

const minute = 60_000;
/** By then, the outcome of a delivery is recorded, also if its line comes late and its first record fails. */
const recordedAfter = 10 * minute;

/** Whether SNS does not try again to deliver a message. */
const isLast = ({ answer }: Heard, tries: number): boolean => answer !== 500 || tries === 4;

/**
 * Compares what customers are told of redeliveries with what their endpoints have accepted. Each call of `look` reads what
 * its endpoint has heard since the call before.
 */
export const whatIsShown = (world: ReturnType<typeof deliveryWorld>) => {
  interface Known {
    next: number;
    /** By message. */
    readonly tries: Map<string, number>;
    readonly waiting: Heard[];
    /** By subject, the newest that failed and the newest that was accepted. */
    readonly failed: Map<string, string>;
    readonly accepted: Map<string, string>;
    acceptedSince: number | undefined;
  }
  const known = new Map<string, Known>();
  const hidden = new Map<string, number>();
  const late: string[] = [];
  const raise = (of: Map<string, string>, { subject, dateTime }: Heard): void => {
    if ((of.get(subject) ?? '') < dateTime) of.set(subject, dateTime);
  };

  /** The subjects whose failures are recorded, and that the endpoint has not accepted. */
  const undelivered = (id: string, own: Known): readonly string[] => {
    for (; own.next < world.heard.length; own.next++) {
      const heard = world.heard[own.next];
      if (heard?.endpointId !== id) continue;
      const tries = (own.tries.get(heard.messageId) ?? 0) + 1;
      own.tries.set(heard.messageId, tries);
      if (heard.answer === 200) raise(own.accepted, heard);
      else if (isLast(heard, tries)) own.waiting.push(heard);
    }
    while ((own.waiting[0]?.at ?? Number.POSITIVE_INFINITY) <= world.clock() - recordedAfter) {
      raise(own.failed, own.waiting.shift() as Heard);
    }
    return [...own.failed]
      .filter(([subject, dateTime]) => (own.accepted.get(subject) ?? '') < dateTime)
      .map(([subject]) => subject);
  };

  return {
    look: async (id: string): Promise<void> => {
      const own = known.get(id) ?? {
        next: 0,
        tries: new Map(),
        waiting: [],
        failed: new Map(),
        accepted: new Map(),
        acceptedSince: undefined,
      };
      known.set(id, own);
      const left = undelivered(id, own);
      const told = await world.state(id);
      if (told === undefined) for (const subject of left) hidden.set(`${id} ${subject}`, world.clock());
      const isAccepted = left.length === 0 && own.waiting.length === 0;
      own.acceptedSince = isAccepted ? (own.acceptedSince ?? world.clock()) : undefined;
      if (told !== undefined && own.acceptedSince !== undefined && own.acceptedSince < world.clock()) {
        late.push(`${id} is ${told.state}, but has accepted everything`);
      }
    },

    /** What was undelivered, although nothing was told of it, apart from so many failures that were not logged. */
    hidden: (missing: number): readonly string[] =>
      hidden.size > missing ? [`not told that it is undelivered: ${[...hidden.keys()].join(', ')}`] : [],

    /** What was told for longer than seven minutes after everything was accepted. */
    late: (): readonly string[] => late,
  };
};
