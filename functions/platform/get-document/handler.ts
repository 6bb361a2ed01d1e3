import {
  type OpenApiDocument,
  stageDocument,
} from '../../../shared/platform/documentation/stage-document.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies {
  readonly document: OpenApiDocument;
}

export const getDocumentHandler =
  ({ document }: Dependencies) =>
  async ({ addresses }: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => ({
    status: 200,
    body: stageDocument(document, addresses),
  });
