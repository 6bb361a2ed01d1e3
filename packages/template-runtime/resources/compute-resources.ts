import { apiGatewayAccount } from './apigateway-account.ts';
import { apiGatewayDeployment } from './apigateway-deployment.ts';
import { apiGatewayGatewayResponse } from './apigateway-gateway-response.ts';
import { apiGatewayMethod } from './apigateway-method.ts';
import { apiGatewayResource } from './apigateway-resource.ts';
import { apiGatewayRestApi } from './apigateway-rest-api.ts';
import { apiGatewayStage } from './apigateway-stage.ts';
import { apiGatewayUsagePlan } from './apigateway-usage-plan.ts';
import { eventsRule } from './events-rule.ts';
import { iamPolicy } from './iam-policy.ts';
import { iamRole } from './iam-role.ts';
import { lambdaEventInvokeConfig } from './lambda-event-invoke-config.ts';
import { lambdaEventSourceMapping } from './lambda-event-source-mapping.ts';
import { lambdaFunction } from './lambda-function.ts';
import { lambdaPermission } from './lambda-permission.ts';
import type { ResourceType } from './resource-type.ts';

export const computeResources: readonly ResourceType[] = [
  apiGatewayAccount,
  apiGatewayDeployment,
  apiGatewayGatewayResponse,
  apiGatewayMethod,
  apiGatewayResource,
  apiGatewayRestApi,
  apiGatewayStage,
  apiGatewayUsagePlan,
  eventsRule,
  iamPolicy,
  iamRole,
  lambdaEventInvokeConfig,
  lambdaEventSourceMapping,
  lambdaFunction,
  lambdaPermission,
];
