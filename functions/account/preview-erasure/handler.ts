import { type AccountUserDependencies, accountUser } from '../../../shared/account/account-user.ts';
import { erasurePreviewAnswer } from '../../../shared/account/http/answers.ts';
import { type PreviewErasureDependencies, previewErasure } from '../../../shared/account/preview-erasure.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies extends AccountUserDependencies, PreviewErasureDependencies {}

export const previewErasureHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { sub: userSub } = await accountUser(dependencies, request);
    return { status: 200, body: erasurePreviewAnswer(await previewErasure(dependencies, { userSub })) };
  };
