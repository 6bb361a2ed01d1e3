import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { getDocumentOperation } from '../../shared/documentation/http/operations.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import type { ServiceApi } from '../constructs/service-api.ts';

export interface DocumentationProps {
  readonly stage: StageConfig;
  /** The path that serves it. */
  readonly base: ServiceApi;
  readonly b2b: ServiceApi;
  readonly profile: ServiceApi;
}

/** The OpenAPI document with the stage's own addresses: open to everybody. */
export class Documentation extends Construct {
  constructor(scope: Construct, id: string, { stage, base, b2b, profile }: DocumentationProps) {
    super(scope, id);
    const get = new MarqueeFunction(this, 'GetDocument', {
      stage,
      entry: 'documentation/get-document',
      description: 'Gives the OpenAPI document of the stage to everybody',
      environment: {
        PUBLIC_BASE_URL: base.baseUrl,
        API_URL_B2B: b2b.baseUrl,
        API_URL_PROFILE: profile.baseUrl,
      },
    });
    base.mount(getDocumentOperation, get);
  }
}
