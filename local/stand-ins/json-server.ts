import fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';

export interface StandIn {
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A small HTTP server on 127.0.0.1. It answers 400, naming the field, to what its schemas refuse. */
export const createJsonServer = (): FastifyInstance => {
  const server = fastify({ forceCloseConnections: true });
  // curl declares every body as a form by default.
  server.addContentTypeParser('*', { parseAs: 'string' }, server.getDefaultJsonParser('error', 'ignore'));
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) {
      return reply.code(400).send({ status: 400, message: z.prettifyError(error) });
    }
    return reply.send(error);
  });
  return server;
};

export const listen = async (server: FastifyInstance, port: number): Promise<StandIn> => ({
  url: await server.listen({ host: '127.0.0.1', port }),
  stop: () => server.close(),
});
