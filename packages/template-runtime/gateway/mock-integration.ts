import { assertOnlyContext, type ContextVariables, renderTemplate } from './context-template.ts';
import { type Answer, type GatewayResponseType, literalHeader } from './gateway-responses.ts';
import type { Integration } from './types.ts';
import { compileVelocity } from './velocity.ts';

/** Reads the headers of a request. */
export interface RequestHeaders {
  readonly anyCase: (name: string) => string | undefined;
  /** Returns a header only if the client wrote its name with the same capitalization. */
  readonly asWritten: (name: string) => string | undefined;
}

export type MockIntegration = Extract<Integration, { type: 'MOCK' }>;

const statusInTemplate = /["']?statusCode["']?\s*:\s*(\d{3})\b/;

/** Throws if API Gateway could not answer requests with this mock integration. */
export const checkMock = ({ requestTemplates, responses }: MockIntegration): void => {
  for (const template of Object.values(requestTemplates)) {
    assertOnlyContext(template);
    if (!statusInTemplate.test(template))
      throw new Error(`the request template ${template} sets no statusCode`);
  }
  for (const { parameters, templates } of responses) {
    for (const [name, value] of Object.entries(parameters)) literalHeader(name, value);
    for (const template of Object.values(templates)) {
      if (hasDirectives(template)) compileVelocity(template);
      else assertOnlyContext(template);
    }
  }
};

const hasDirectives = (template: string): boolean => template.includes('#');

/**
 * Answers a request. The body's media type selects the request template. The status in this template selects the
 * response.
 */
export const answerMock = (
  { requestTemplates, passthroughBehavior, responses }: MockIntegration,
  { header, variables }: { readonly header: RequestHeaders; readonly variables: ContextVariables },
): Answer | GatewayResponseType => {
  const contentType = header.anyCase('content-type') ?? 'application/json';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const template = requestTemplates[mediaType];
  if (template === undefined) {
    const isRefused =
      passthroughBehavior === 'NEVER' ||
      (passthroughBehavior === 'WHEN_NO_TEMPLATES' && Object.keys(requestTemplates).length > 0);
    return isRefused ? 'UNSUPPORTED_MEDIA_TYPE' : 'API_CONFIGURATION_ERROR';
  }
  const status = statusInTemplate.exec(template)?.[1] ?? '';
  const response =
    responses.find(
      ({ selectionPattern }) =>
        selectionPattern !== undefined && new RegExp(`^(?:${selectionPattern})$`).test(status),
    ) ?? responses.find(({ selectionPattern }) => selectionPattern === undefined);
  if (response === undefined) return 'API_CONFIGURATION_ERROR';
  const [mediaTypeOut, body] = Object.entries(response.templates)[0] ?? ['application/json', ''];
  const rendered = hasDirectives(body)
    ? compileVelocity(body)(header.asWritten)
    : { body: renderTemplate(body, { variables, missing: '' }), headers: {} };
  const mapped = Object.entries(response.parameters).map(([name, value]) => literalHeader(name, value));
  return {
    status: response.statusCode,
    headers: [
      ['Content-Type', mediaTypeOut],
      ...mapped.filter(([name]) => !Object.hasOwn(rendered.headers, name)),
      ...Object.entries(rendered.headers),
    ],
    body: rendered.body,
  };
};
