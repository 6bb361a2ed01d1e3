import * as z from 'zod';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { getDocumentOperation } from '../../../shared/platform/documentation/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { getDocumentHandler } from './handler.ts';

const environment = parseEnvironment({
  PUBLIC_BASE_URL: z.url(),
  API_URL_B2B: z.url(),
  API_URL_PROFILE: z.url(),
});
export type Environment = typeof environment;

export const handler = operationFunction(
  getDocumentOperation,
  getDocumentHandler({
    document,
    addresses: {
      base_url: environment.PUBLIC_BASE_URL,
      api_url_b2b: environment.API_URL_B2B,
      api_url_profile: environment.API_URL_PROFILE,
    },
  }),
);
