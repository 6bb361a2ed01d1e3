import { join } from 'node:path';
import * as z from 'zod';
import { addBehaviour, misbehave, mode } from './behaviour.ts';
import { createJsonServer, type FakeService, listen } from './json-server.ts';
import { keepState } from './kept-state.ts';

const userRights = z.strictObject({
  vip: z.boolean().default(false),
  purchases: z.array(z.string()).default([]),
  /** Whether the user is denied everything, even purchased events, as with a locked account. */
  denied: z.boolean().default(false),
  /** The application that sold the purchases, whose limit of streams then applies too. */
  seller: z.string().optional(),
});
const state = z.object({ mode, users: z.record(z.string(), userRights) });
type UserRights = z.infer<typeof userRights>;

const check = z.strictObject({
  user_sub: z.string().min(1),
  client_id: z.string().min(1),
  event_id: z.string().min(1).optional(),
});
const userPath = z.object({ sub: z.string().min(1) });

const decide = ({ vip, purchases, denied, seller }: UserRights, eventId: string | undefined) => {
  if (denied) return { decision: 'denied', reason: 'denied', vip };
  return vip || eventId === undefined || purchases.includes(eventId)
    ? { decision: 'success', vip, ...(seller !== undefined && { seller }) }
    : { decision: 'denied', reason: 'no_purchase', vip };
};

/** The local fake of the entitlement service. It treats an unknown user as one who has bought nothing. */
export const startEntitlement = ({
  port,
  stateDirectory,
  apiKey = 'local',
}: {
  readonly port: number;
  readonly stateDirectory: string;
  /** The `x-api-key` that callers must send. @default 'local' */
  readonly apiKey?: string;
}): Promise<FakeService> => {
  const kept = keepState({
    path: join(stateDirectory, 'stand-ins', 'entitlement.json'),
    schema: state,
    initial: { mode: 'ok', users: {} },
  });
  const server = createJsonServer();

  server.post('/v1/check', async (request, reply) => {
    if (await misbehave(kept.read().mode, reply)) return reply;
    if (request.headers['x-api-key'] !== apiKey) {
      return reply.code(401).send({ error: 'The API key is missing or wrong.' });
    }
    const { user_sub, event_id } = check.parse(request.body);
    const { users } = kept.read();
    return decide(Object.hasOwn(users, user_sub) ? (users[user_sub] ?? noRights) : noRights, event_id);
  });
  server.put('/users/:sub', async (request) => {
    const { sub } = userPath.parse(request.params);
    const rights = userRights.parse(request.body);
    const { users, ...rest } = kept.read();
    kept.write({ ...rest, users: { ...users, [sub]: rights } });
    return rights;
  });
  server.get('/users/:sub', async (request) => {
    const { sub } = userPath.parse(request.params);
    const { users } = kept.read();
    return Object.hasOwn(users, sub) ? users[sub] : noRights;
  });
  addBehaviour(server, {
    read: () => kept.read().mode,
    write: (wanted) => kept.write({ ...kept.read(), mode: wanted }),
  });
  return listen(server, port);
};

const noRights: UserRights = { vip: false, purchases: [], denied: false };
