import type { Integration, MockResponse } from './types.ts';

/** The function that the URI of a proxy integration names. Throws if it names none. */
export const functionArnOf = (uri: string): string => {
  const [, functionArn] =
    /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:.+)\/invocations$/.exec(
      uri,
    ) ?? [];
  if (functionArn === undefined) throw new Error(`${uri} does not name a function`);
  return functionArn;
};

export const proxyIntegration = ({
  uri,
  credentials,
  timeoutMilliseconds,
}: {
  readonly uri: string;
  readonly credentials: string | undefined;
  readonly timeoutMilliseconds: number;
}): Integration => ({
  type: 'AWS_PROXY',
  functionArn: functionArnOf(uri),
  ...(credentials !== undefined && { roleArn: credentials }),
  timeoutMilliseconds,
});

/** A response that a method declares, with the headers as `method.response.header.<name>`. */
export interface DeclaredResponse {
  readonly status: number;
  readonly headers: readonly string[];
}

/** An integration may return only statuses and headers that the method declares. Throws if it returns others. */
export const checkMappings = (
  responses: readonly MockResponse[],
  declared: readonly DeclaredResponse[],
): void => {
  for (const { statusCode, parameters } of responses) {
    const response = declared.find(({ status }) => status === statusCode);
    if (response === undefined) throw new Error(`the method does not declare the status ${statusCode}`);
    for (const name of Object.keys(parameters)) {
      if (!response.headers.includes(name)) {
        throw new Error(`the method's response ${statusCode} does not declare ${name}`);
      }
    }
  }
};
