import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ChangedUsers } from './changed-users.ts';
import { printable } from './log.ts';
import { createReceiver } from './server.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
const log = (line: string): void => {
  process.stdout.write(`${printable(line)}\n`);
};

const users = new ChangedUsers({
  ...settings,
  onUser: (applicationUserSub, user) =>
    log(
      user === undefined
        ? `${applicationUserSub} no longer exists`
        : `${applicationUserSub} is now ${JSON.stringify({ user_data: user.user_data, user_agreements: user.user_agreements })}`,
    ),
  onError: (applicationUserSub, error) => log(`${applicationUserSub} could not be read: ${error}`),
});

const server = createReceiver({
  ...settings,
  // Anyone can send a raw notification, so what it says is read again before it is believed.
  onNotification: (notification) => {
    if (notification.operation_type === 'data_update') users.changed(notification.application_user_sub);
    else if (notification.operation_type === 'event_update')
      log(`To be read again: event ${notification.event_id ?? 'list'}, said to be ${notification.change}`);
    else log(`Received a ${notification.operation_type}`);
  },
  log,
});
server.listen(settings.port, settings.host);
try {
  await once(server, 'listening');
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  process.stderr.write(
    `Port ${settings.port} is taken: stop the program that listens there, or choose another port with PORT.\n`,
  );
  process.exit(1);
}
log(`Waiting for notifications on port ${(server.address() as AddressInfo).port}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeIdleConnections();
  });
}
