import { MockIntegration, PassthroughBehavior, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { acknowledgeToCheckov } from './acknowledge.ts';

const allowOrigin = 'method.response.header.Access-Control-Allow-Origin';

/** Answers 404 for every unknown route. Without it, API Gateway would answer a 403 about authentication. */
export function addNotFound(api: RestApi, { cors }: { readonly cors: boolean }): void {
  const notFound = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{"statusCode":404}' },
    integrationResponses: [
      {
        statusCode: '404',
        responseTemplates: { 'application/json': '{"status":404,"message":"NOT_FOUND"}' },
        responseParameters: cors ? { [allowOrigin]: "'*'" } : undefined,
      },
    ],
  });
  for (const resource of [api.root, api.root.addResource('{proxy+}')]) {
    const method = resource.addMethod('ANY', notFound, {
      methodResponses: [
        { statusCode: '404', responseParameters: cors ? { [allowOrigin]: true } : undefined },
      ],
    });
    acknowledgeToCheckov(method, { CKV_AWS_59: 'It answers 404 and nothing else' });
  }
}
