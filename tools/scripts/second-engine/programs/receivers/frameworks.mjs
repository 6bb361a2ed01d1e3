// Receivers in web frameworks, each with the line of the client's README that passes on the body of any Content-Type.
import { createServer } from 'node:http';
import { createWebhooks, UntrustedMessageError } from '@marquee/client/notifications';

/** A receiver of each framework. Each listens on a free port, and answers with the status that `receive` returns. */
export const frameworks = {
  Express: async (receive, { default: express }) => {
    const app = express();
    app.use(express.json());
    app.post('/', express.raw({ type: () => true }), async (request, response) => {
      response.sendStatus(await receive(request));
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve(server));
    });
  },
  Fastify: async (receive, { default: fastify }) => {
    const app = fastify();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post('/', async (request, reply) => reply.code(await receive(request)).send());
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },
  'Next, App Router': async (receive) => {
    const POST = async (request) => {
      const status = await receive({ headers: request.headers, body: await request.text() });
      return new Response(null, { status });
    };
    const server = createServer(async (incoming, response) => {
      const { headers, method, url } = incoming;
      const body = Buffer.concat(await incoming.toArray());
      const answer = await POST(new Request(new URL(url, 'http://next.example'), { headers, method, body }));
      response.writeHead(answer.status).end();
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
  },
};

/** Confirms, prints what is to be read again, and returns the status to answer with. */
export const receiving = (options) => {
  const webhooks = createWebhooks(options);
  return async ({ headers, body }) => {
    try {
      const message = await webhooks.unwrap({ headers, body });
      if (message.type === 'SubscriptionConfirmation') await message.confirm();
      else if (message.type === 'Notification') {
        const { operation_type: operation, application_user_sub: sub } = message.notification;
        console.log(operation === 'data_update' ? `Read again ${sub}` : operation);
      }
      return 200;
    } catch (error) {
      console.log('Not accepted:', error.message);
      return error instanceof UntrustedMessageError ? 403 : 500;
    }
  };
};

if (import.meta.main) {
  const { TOPIC_ARN, SNS_HOST, MAX_AGE_SECONDS, FORM, FRAMEWORK, FRAMEWORK_MODULE } = process.env;
  const receive = receiving({
    topicArn: TOPIC_ARN,
    form: FORM,
    snsHost: SNS_HOST,
    ...(MAX_AGE_SECONDS !== undefined && { maxAgeSeconds: Number(MAX_AGE_SECONDS) }),
  });
  const module = FRAMEWORK_MODULE === undefined ? undefined : await import(FRAMEWORK_MODULE);
  const server = await frameworks[FRAMEWORK](receive, module);
  console.log('Listening on', server.address().port);
}
