import type { LambdaEngine } from '../engines/lambda/types.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { checkMock } from './mock-integration.ts';
import { type NewResource, type Resource, ResourceTree } from './routes.ts';
import type { GatewayResponseTemplate, Method } from './types.ts';

/** The resources, methods and gateway responses of an API. */
export class ApiDefinition {
  readonly resources: ResourceTree;
  readonly responses = new GatewayResponses();
  readonly #rootId: string;
  readonly #added: NewResource[] = [];
  readonly #methods = new Map<string, Method>();

  constructor(apiId: string, rootId = `${apiId}-root`) {
    this.#rootId = rootId;
    this.resources = new ResourceTree(rootId);
  }

  get hasMethods(): boolean {
    return this.#methods.size > 0;
  }

  copy(): ApiDefinition {
    const copy = new ApiDefinition('', this.#rootId);
    for (const resource of this.#added) copy.addResource(resource);
    for (const method of this.#methods.values()) copy.addMethod(method);
    for (const response of this.responses.all) copy.responses.add(response);
    return copy;
  }

  addResource(resource: NewResource): void {
    this.resources.add(resource);
    this.#added.push(resource);
  }

  addMethod(method: Method): void {
    if (this.resources.resource(method.resourceId) === undefined) {
      throw new Error(`the API has no resource ${method.resourceId}`);
    }
    const key = `${method.resourceId} ${method.httpMethod}`;
    if (this.#methods.has(key)) throw new Error(`the resource has two ${method.httpMethod} methods`);
    if (method.integration.type === 'MOCK') checkMock(method.integration);
    this.#methods.set(key, method);
  }

  addGatewayResponse(response: GatewayResponseTemplate): void {
    this.responses.add(response);
  }

  methodOf(resource: Resource, httpMethod: string): Method | undefined {
    return this.#methods.get(`${resource.id} ${httpMethod}`) ?? this.#methods.get(`${resource.id} ANY`);
  }

  /** Throws when a method's function is not in the template. */
  check(lambda: Pick<LambdaEngine, 'has'>, apiName: string): void {
    for (const { logicalId, httpMethod, resourceId, integration } of this.#methods.values()) {
      if (integration.type === 'AWS_PROXY' && !lambda.has(integration.functionArn)) {
        const path = this.resources.resource(resourceId)?.path;
        throw new Error(
          `${logicalId}: ${httpMethod} ${path} of ${apiName} names the function ${integration.functionArn}, which does not exist`,
        );
      }
    }
  }
}
