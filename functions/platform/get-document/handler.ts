import {
  type Addresses,
  type OpenApiDocument,
  stageDocument,
} from '../../../shared/platform/documentation/stage-document.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';

export interface Dependencies {
  readonly document: OpenApiDocument;
  readonly addresses: Addresses;
}

export const getDocumentHandler = ({ document, addresses }: Dependencies) => {
  const body = stageDocument(document, addresses);
  return async (): Promise<HttpResponse> => ({ status: 200, body });
};
