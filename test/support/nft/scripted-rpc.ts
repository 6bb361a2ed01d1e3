import { createServer } from 'node:http';

interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

type Asked = Question & { readonly id: number };

export interface ScriptedRpc {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** An answer of a script that is an error. */
export class RpcFault {
  readonly error: { readonly code: number; readonly message: string };

  constructor(error: RpcFault['error']) {
    this.error = error;
  }
}

/** A node that answers with the results of `script`, even invalid ones. `script` is called once for each batch. */
export const startScriptedRpc = async (
  script: (questions: readonly Question[]) => readonly unknown[],
): Promise<ScriptedRpc> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: Asked | readonly Asked[] = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const questions = [body].flat();
    const results = script(questions);
    const answers = questions.map(({ id }, index) => {
      const result = results[index];
      return { jsonrpc: '2.0', id, ...(result instanceof RpcFault ? { error: result.error } : { result }) };
    });
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The node has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
