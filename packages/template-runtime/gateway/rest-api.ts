import type { LambdaEngine } from '../engines/lambda/types.ts';
import { AccessLog } from './access-log.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { checkMock } from './mock-integration.ts';
import { type Resource, ResourceTree } from './routes.ts';
import type { Method, NewApi, Stage } from './types.ts';

export class RestApi {
  readonly id: string;
  readonly name: string;
  readonly minimumCompressionBytes: number | undefined;
  readonly resources: ResourceTree;
  readonly responses = new GatewayResponses();
  readonly #methods = new Map<string, Method>();
  #stage: { readonly stage: Stage; readonly accessLog: AccessLog | undefined } | undefined;

  constructor({ id, name, minimumCompressionBytes }: NewApi) {
    this.id = id;
    this.name = name;
    this.minimumCompressionBytes = minimumCompressionBytes;
    this.resources = new ResourceTree(`${id}-root`);
  }

  get stage(): Stage | undefined {
    return this.#stage?.stage;
  }

  get accessLog(): AccessLog | undefined {
    return this.#stage?.accessLog;
  }

  setStage(stage: Stage, logDirectory: string): void {
    if (this.#stage !== undefined)
      throw new Error(
        `the API ${this.name} has two stages, but the local runtime serves only one stage of an API`,
      );
    const accessLog =
      stage.accessLogFormat === undefined
        ? undefined
        : new AccessLog({ format: stage.accessLogFormat, path: `${logDirectory}/access-${this.name}.log` });
    this.#stage = { stage, accessLog };
  }

  addMethod(method: Method): void {
    if (this.resources.resource(method.resourceId) === undefined) {
      throw new Error(`the API ${this.name} has no resource ${method.resourceId}`);
    }
    const key = `${method.resourceId} ${method.httpMethod}`;
    if (this.#methods.has(key)) throw new Error(`the resource has two ${method.httpMethod} methods`);
    if (method.integration.type === 'MOCK') checkMock(method.integration);
    this.#methods.set(key, method);
  }

  methodOf(resource: Resource, httpMethod: string): Method | undefined {
    return this.#methods.get(`${resource.id} ${httpMethod}`) ?? this.#methods.get(`${resource.id} ANY`);
  }

  /** Throws when a method's function is not in the template. */
  check(lambda: Pick<LambdaEngine, 'has'>): void {
    for (const { logicalId, httpMethod, resourceId, integration } of this.#methods.values()) {
      if (integration.type === 'AWS_PROXY' && !lambda.has(integration.functionArn)) {
        const path = this.resources.resource(resourceId)?.path;
        throw new Error(
          `${logicalId}: ${httpMethod} ${path} of ${this.name} names the function ${integration.functionArn}, which does not exist`,
        );
      }
    }
  }
}
