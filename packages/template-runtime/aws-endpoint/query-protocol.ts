import { randomUUID } from 'node:crypto';
import { ServiceFault } from '../engines/service-fault.ts';
import type { Call } from './call.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

/** Returns the result's content, or `undefined` if the operation has no output. */
export type QueryOperation = (
  parameters: URLSearchParams,
  call: Call,
) => Promise<string | undefined> | string | undefined;

export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');

/** `element('Key', 'a<b')` returns `<Key>a&lt;b</Key>`. If the value is undefined, returns an empty string. */
export const element = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeXml(value)}</${name}>`;

/** Returns `<Name><member>…</member>…</Name>`. The members must already be escaped XML. */
export const memberList = (name: string, members: readonly string[]): string =>
  `<${name}>${members.map((member) => `<member>${member}</member>`).join('')}</${name}>`;

export const xmlAnswer = (status: number, body: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() },
  body,
});

export const queryAnswer = (options: {
  readonly action: string;
  readonly namespace: string;
  readonly result: string | undefined;
}): AwsAnswer => {
  const { action, namespace, result } = options;
  return xmlAnswer(
    200,
    `<${action}Response xmlns="${namespace}">` +
      (result === undefined ? '' : `<${action}Result>${result}</${action}Result>`) +
      `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`,
  );
};

/** Services use different error codes when IAM refuses a call. */
export type DeniedCode = 'AccessDenied' | 'AuthorizationError';

export const queryFault = (fault: ServiceFault, namespace: string, deniedCode: DeniedCode): AwsAnswer => {
  const isDenied = fault.code === 'AccessDeniedException';
  return xmlAnswer(
    isDenied ? 403 : fault.status,
    `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type>` +
      `${element('Code', isDenied ? deniedCode : fault.code)}${element('Message', fault.message)}</Error>` +
      `<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
};

export const queryParameters = (request: AwsRequest): URLSearchParams =>
  request.method === 'GET' ? request.query : new URLSearchParams(request.body.toString('utf8'));

export const queryService =
  (options: {
    readonly namespace: string;
    readonly deniedCode: DeniedCode;
    readonly operations: Readonly<Record<string, QueryOperation>>;
  }) =>
  async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    const { namespace, deniedCode, operations } = options;
    try {
      const parameters = queryParameters(request);
      const action = parameters.get('Action') ?? '';
      const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
      if (!operation) {
        throw new ServiceFault({ code: 'InvalidAction', message: `Could not find operation ${action}` });
      }
      return queryAnswer({ action, namespace, result: await operation(parameters, call) });
    } catch (error) {
      if (error instanceof ServiceFault) return queryFault(error, namespace, deniedCode);
      throw error;
    }
  };

/** Reads a map: `Attributes.entry.1.key=a&Attributes.entry.1.value=b` gives `{ a: 'b' }`. */
export const entries = (parameters: URLSearchParams, name: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [key, value] of parameters) {
    const index = new RegExp(`^${name}\\.entry\\.(\\d+)\\.key$`).exec(key)?.[1];
    if (index) found[value] = parameters.get(`${name}.entry.${index}.value`) ?? '';
  }
  return found;
};
