import fastify, { type FastifyInstance } from 'fastify';
import { type LocalCallers, whyRefused } from 'template-runtime/local-caller.ts';
import * as z from 'zod';

export interface FakeService {
  /** Without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Creates a small HTTP server. If a schema refuses the input, the answer is 400 and names the field. */
export const createJsonServer = (callers: LocalCallers = {}): FastifyInstance => {
  const server = fastify({ forceCloseConnections: true });
  // curl declares every body as a form by default.
  server.addContentTypeParser('*', { parseAs: 'string' }, server.getDefaultJsonParser('error', 'ignore'));
  // People call fakes with curl. Without the newline, the terminal's prompt would follow on the line of the JSON.
  server.setReplySerializer((payload) => `${JSON.stringify(payload)}\n`);
  server.addHook('onRequest', async ({ method, headers }, reply) => {
    const refusal = whyRefused({ method, headers }, callers);
    if (refusal !== undefined) return reply.code(403).send({ error: `Refused: ${refusal}.` });
    const { origin } = headers;
    if (origin === undefined) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-allow-methods', 'GET, PUT, POST')
      .header('access-control-allow-headers', 'authorization, content-type, range')
      .header('access-control-expose-headers', 'content-range, content-length')
      .header('vary', 'Origin');
  });
  server.options('/*', async (_request, reply) => reply.code(204).send());
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) {
      return reply.code(400).send({ status: 400, message: z.prettifyError(error) });
    }
    return reply.send(error);
  });
  return server;
};

export const listen = async (server: FastifyInstance, port: number): Promise<FakeService> => ({
  url: await server.listen({ host: '127.0.0.1', port }),
  stop: () => server.close(),
});
