import { notificationAnswer } from '../../../shared/notifications/http/answers.ts';
import type { SendTestBody } from '../../../shared/notifications/http/operations.ts';
import { type SendTestDependencies, sendTest } from '../../../shared/notifications/send-test.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = SendTestDependencies & CallingDependencies;

export const sendTestHandler =
  (dependencies: Dependencies) =>
  async ({ apiKeyId, body }: HttpRequest<undefined, undefined, SendTestBody>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(dependencies.applications, apiKeyId);
    const sent = await sendTest(dependencies, { applicationId, endpointId: body.endpoint_id });
    return { status: 200, body: notificationAnswer({ ...sent, deliveries: [] }, []) };
  };
