import {
  deleteCatalogueEventOperation,
  getCatalogueEventOperation,
  listCatalogueOperation,
  putCatalogueEventOperation,
  setCatalogueStatusOperation,
} from '../../../shared/ott/http/catalogue-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { editCatalogueDependencies, editCatalogueEnvironment } from '../dependencies.ts';
import { deleteHandler, getHandler, listHandler, putHandler, setStatusHandler } from './handler.ts';

const environment = parseEnvironment(editCatalogueEnvironment);
export type Environment = typeof environment;
const dependencies = editCatalogueDependencies(environment);

export const handler = operationsFunction([
  [listCatalogueOperation, operationFunction(listCatalogueOperation, listHandler(dependencies))],
  [getCatalogueEventOperation, operationFunction(getCatalogueEventOperation, getHandler(dependencies))],
  [putCatalogueEventOperation, operationFunction(putCatalogueEventOperation, putHandler(dependencies))],
  [
    deleteCatalogueEventOperation,
    operationFunction(deleteCatalogueEventOperation, deleteHandler(dependencies)),
  ],
  [
    setCatalogueStatusOperation,
    operationFunction(setCatalogueStatusOperation, setStatusHandler(dependencies)),
  ],
]);
