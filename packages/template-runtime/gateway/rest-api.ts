import type { LambdaEngine } from '../engines/lambda/types.ts';
import { AccessLog } from './access-log.ts';
import { ApiDefinition } from './api-definition.ts';
import type { NewApi, Stage } from './types.ts';

interface Served {
  readonly stage: Stage;
  /** What the stage serves: the API as it was when it was deployed. */
  readonly definition: ApiDefinition;
  readonly accessLog: AccessLog | undefined;
}

export class RestApi {
  readonly id: string;
  readonly name: string;
  readonly minimumCompressionBytes: number | undefined;
  /** The API as it is edited. Callers get it only after a deployment. */
  definition: ApiDefinition;
  readonly #deployments = new Map<string, ApiDefinition>();
  #served: Served | undefined;

  constructor({ id, name, minimumCompressionBytes }: NewApi) {
    this.id = id;
    this.name = name;
    this.minimumCompressionBytes = minimumCompressionBytes;
    this.definition = new ApiDefinition(id);
  }

  get served(): Served | undefined {
    return this.#served;
  }

  /** Keeps the API as it is now under the id of a deployment, which never changes again. */
  deploy(deploymentId: string): void {
    if (!this.definition.hasMethods) throw new Error("The REST API doesn't contain any methods");
    this.#deployments.set(deploymentId, this.definition.copy());
  }

  /** Adds the API's stage, or changes it: it then serves another deployment, or has other settings. */
  setStage(stage: Stage, logDirectory: string): void {
    const { name, deploymentId, accessLogFormat } = stage;
    const definition = this.#deployments.get(deploymentId);
    if (definition === undefined) throw new Error('Deployment id does not exist');
    if (this.#served !== undefined && this.#served.stage.name !== name)
      throw new Error(
        `the API ${this.name} has two stages, but the local runtime serves only one stage of an API`,
      );
    this.#served?.accessLog?.close();
    const accessLog =
      accessLogFormat === undefined
        ? undefined
        : new AccessLog({ format: accessLogFormat, path: `${logDirectory}/access-${this.name}.log` });
    this.#served = { stage, definition, accessLog };
  }

  /** Throws when a function of a method that is served is not in the template. */
  check(lambda: Pick<LambdaEngine, 'has'>): void {
    this.#served?.definition.check(lambda, this.name);
  }
}
