import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a server accepts connections at an address of this machine. */
export const isListening = async ({ hostname, port, protocol }: URL): Promise<boolean> => {
  const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
