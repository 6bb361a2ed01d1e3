import {
  type ListEndpointsDependencies,
  listEndpoints,
} from '../../../shared/notifications/endpoints/list-endpoints.ts';
import { endpointAnswer } from '../../../shared/notifications/http/answers.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = ListEndpointsDependencies & CallingDependencies;

export const listEndpointsHandler =
  (dependencies: Dependencies) =>
  async ({ apiKeyId }: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(dependencies.applications, apiKeyId);
    const found = await listEndpoints(dependencies, { applicationId });
    return { status: 200, body: found.map(endpointAnswer) };
  };
