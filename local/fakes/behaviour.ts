import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { patient } from '../../shared/platform/time/patience.ts';

/** How a fake responds. `after 800 ms` means that it responds correctly, but only after 800 ms. */
export const mode = z.union([
  z.enum(['ok', 'slow', 'down', 'garbage']),
  z.string().regex(/^after \d{1,5} ms$/),
]);
export type Mode = z.infer<typeof mode>;

const behaviour = z.strictObject({ mode });

/** This is longer than any caller waits. */
const slowMilliseconds = patient(10_000);

const pause = (milliseconds: number, reply: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    reply.raw.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Adds `PUT /behaviour`, which makes a fake fail, and `GET /behaviour`. */
export const addBehaviour = (
  server: FastifyInstance,
  store: { readonly read: () => Mode; readonly write: (mode: Mode) => void },
): void => {
  server.put('/behaviour', async (request) => {
    const wanted = behaviour.parse(request.body);
    store.write(wanted.mode);
    return wanted;
  });
  server.get('/behaviour', async () => ({ mode: store.read() }));
};

/** Delays the response, or sends a failure instead. Returns whether a failure was sent. */
export const misbehave = async (current: Mode, reply: FastifyReply): Promise<boolean> => {
  switch (current) {
    case 'ok':
      return false;
    case 'slow':
      await pause(slowMilliseconds, reply);
      return false;
    case 'down':
      await reply.code(503).send({ error: 'The service is down.' });
      return true;
    case 'garbage':
      await reply.code(200).type('application/json').send('{"decision": 42, "country": ["?"], "vip"');
      return true;
    default:
      await pause(Number(current.split(' ')[1]), reply);
      return false;
  }
};
