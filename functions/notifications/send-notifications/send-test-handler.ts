import { notificationAnswer } from '../../../shared/notifications/http/answers.ts';
import type { SendTestBody } from '../../../shared/notifications/http/requests.ts';
import { type SendTestDependencies, sendTest } from '../../../shared/notifications/messages/send-test.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = SendTestDependencies & CallingDependencies;

export const sendTestHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, SendTestBody>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(dependencies.applications, request.apiKeyId);
    const sent = await sendTest(dependencies, { applicationId, endpointId: request.body.endpoint_id });
    return { status: 200, body: notificationAnswer({ ...sent, deliveries: [] }, []) };
  };
