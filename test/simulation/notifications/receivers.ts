/**
 * Simulates the applications' endpoints: they are down, refuse messages, or answer too late. After a message about a
 * user, they read the user.
 */
import type { addressOf } from '../../../shared/notifications/endpoints/address.ts';
import type { FunctionSurroundings } from '../functions.ts';
import type { Heard } from './invariants.ts';
import { heardOf } from './invariants.ts';
import type { Accepted } from './topic.ts';

type Address = Parameters<typeof addressOf>[0];

interface Receiver extends Address {
  readonly destination: string;
  mood: 'up' | 'down' | 'refuses';
}

interface ReceiversOptions extends FunctionSurroundings {
  readonly onPost: (message: Accepted, address: Address) => void;
}

export const createReceivers = ({ faults, history, onPost }: ReceiversOptions) => {
  const receivers = new Map<string, Receiver>();
  let posts = 0;
  let taken: (heard: Heard, task: string) => Promise<void> = async () => {};

  return {
    add: (destination: string, address: Address): void => {
      receivers.set(destination, { destination, ...address, mood: 'up' });
    },
    all: (): readonly Receiver[] => [...receivers.values()],
    onTaken: (act: typeof taken): void => {
      taken = act;
    },
    post: (destination: string, message: Accepted): number | undefined => {
      const receiver = receivers.get(destination);
      if (receiver === undefined) return 404;
      onPost(message, receiver);
      if (receiver.mood === 'refuses') return 403;
      if (receiver.mood === 'down') return 503;
      posts += 1;
      if (message.attributes.operation_type !== 'test') {
        void taken(heardOf(message), `read ${posts} by ${destination}`);
      }
      return faults.strike('receiver: answer lost', destination) ? undefined : 200;
    },
    /** Decides for the next ten seconds. */
    changeMoods: (): void => {
      for (const receiver of receivers.values()) {
        const { destination, mood: before } = receiver;
        if (faults.strike('receiver: down', destination)) receiver.mood = 'down';
        else if (faults.strike('receiver: refuses', destination)) receiver.mood = 'refuses';
        else receiver.mood = 'up';
        if (receiver.mood !== before) history.say(destination, `is ${receiver.mood}`);
      }
    },
    recover: (): void => {
      for (const receiver of receivers.values()) receiver.mood = 'up';
    },
  };
};
