import * as z from 'zod';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { getDocumentOperation } from '../../../shared/documentation/http/operations.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { getDocumentHandler } from './handler.ts';

const { PUBLIC_BASE_URL, API_URL_B2B, API_URL_PROFILE } = parseEnvironment(
  z.object({ PUBLIC_BASE_URL: z.url(), API_URL_B2B: z.url(), API_URL_PROFILE: z.url() }),
);

export const handler = operationFunction(
  getDocumentOperation,
  getDocumentHandler({
    document,
    addresses: {
      base_url: PUBLIC_BASE_URL,
      api_url_b2b: API_URL_B2B,
      api_url_profile: API_URL_PROFILE,
    },
  }),
);
