import { deadlineSignal } from '../deadline.ts';

interface Sender {
  readonly send: (command: never, options?: object) => unknown;
}

/** Has each call of an AWS client end with the request that it is made for, its repetitions and their pauses too. */
export const endWithRequest = <Client extends object>(client: Client): Client => {
  const { send } = client as Sender;
  return Object.assign(client, {
    send: (command: never, options: object = {}) => {
      const abortSignal = deadlineSignal();
      return send.call(client, command, abortSignal === undefined ? options : { abortSignal, ...options });
    },
  });
};
