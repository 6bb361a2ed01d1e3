import * as z from 'zod';
import { operation } from '../../http/operation.ts';

const documentSchema = z.looseObject({ openapi: z.string() }).meta({
  id: 'OpenApiDocument',
  description: 'An OpenAPI document.',
  examples: [{ openapi: '3.1.1', info: { title: 'Marquee', version: '1' }, paths: {} }],
});

export const getDocumentOperation = operation({
  operationId: 'getDocument',
  api: 'base',
  method: 'GET',
  route: '/openapi.json',
  tag: 'Documentation',
  summary: 'Get this document',
  description: 'The document contains the addresses of this stage. No API key is needed.',
  security: 'none',
  cors: true,
  responseHeaders: { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' },
  success: {
    status: 200,
    description: 'The OpenAPI document of all three APIs',
    body: documentSchema,
    headers: { 'Cache-Control': 'How long the document may be cached' },
  },
  errors: [],
});
