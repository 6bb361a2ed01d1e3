import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import {
  getContractMetadataOperation,
  getTokenMetadataOperation,
} from '../../../shared/nft/http/read-operations.ts';
import {
  originVerifyFields,
  originVerifyHeader,
  originVerifyRule,
  shortestOriginValue,
} from '../../../shared/platform/origin-verify.ts';
import type { ServiceApi } from './service-api.ts';
import type { ServiceSecret } from './service-secret.ts';
import { stageOf } from './stage.ts';
import { addWebAcl, visibility } from './web-acl.ts';

const textTransformations = [{ priority: 0, type: 'NONE' }];
const header = { singleHeader: { Name: originVerifyHeader } };

/** The routes that a collection on the chain names for ever, also by the API's own address. */
const metadataRoutes = [getContractMetadataOperation, getTokenMetadataOperation].map(({ route }) => route);

const routePattern = (route: string): string => `${route.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`;

const matches = (fieldToMatch: CfnWebACL.FieldToMatchProperty, regexString: string) => ({
  regexMatchStatement: { fieldToMatch, regexString, textTransformations },
});

const isMetadata: CfnWebACL.StatementProperty = {
  andStatement: {
    statements: [
      matches({ method: {} }, '^(GET|HEAD|OPTIONS)$'),
      {
        orStatement: {
          statements: metadataRoutes.map((route) => matches({ uriPath: {} }, routePattern(route))),
        },
      },
    ],
  },
};

/**
 * Adds a web ACL in front of an API that callers reach through a CloudFront distribution. Its first rule refuses every
 * request that lacks the secret of the distribution, except for public metadata. WAF sees only the distribution's
 * addresses here, so there is no limit for single addresses.
 *
 * CloudFormation reads the secret when it deploys a change of the web ACL. When the secret changes,
 * `operator secrets` writes the new values into the rule.
 */
export function addOriginFirewall(scope: Construct, api: ServiceApi, secret: ServiceSecret): CfnWebACL {
  const isSent = (field: string): CfnWebACL.StatementProperty => ({
    byteMatchStatement: {
      fieldToMatch: header,
      positionalConstraint: 'EXACTLY',
      searchString: secret.secretValueFromJson(field).unsafeUnwrap(),
      textTransformations,
    },
  });
  // Until an operator stores values, the secret has placeholders, which are shorter than any value.
  const isLongEnough: CfnWebACL.StatementProperty = {
    sizeConstraintStatement: {
      fieldToMatch: header,
      comparisonOperator: 'GE',
      size: shortestOriginValue,
      textTransformations,
    },
  };
  const isVerified: CfnWebACL.StatementProperty = {
    andStatement: {
      statements: [isLongEnough, { orStatement: { statements: originVerifyFields.map(isSent) } }],
    },
  };
  return addWebAcl(scope, {
    apis: [api],
    logGroupName: `aws-waf-logs-marquee-${stageOf(scope).name}-${scope.node.id}`,
    rules: [],
    ownRules: [
      {
        name: originVerifyRule,
        priority: 0,
        action: { block: {} },
        statement: { notStatement: { statement: { orStatement: { statements: [isMetadata, isVerified] } } } },
        visibilityConfig: visibility(originVerifyRule),
      },
    ],
    whatGoesWrong: (names) =>
      `The firewall's rule ${names} answers 403 to calls that lack the distribution's secret: somebody calls the API past the distribution, or the distribution sends a wrong value and nobody can call.`,
  });
}
