import document from '../../../docs/openapi.json' with { type: 'json' };
import { getDocumentOperation } from '../../../shared/platform/documentation/http/operations.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { getDocumentHandler } from './handler.ts';

export type Environment = Readonly<Record<never, never>>;

export const handler = operationFunction(getDocumentOperation, getDocumentHandler({ document }));
